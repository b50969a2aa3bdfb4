/// Microseconds on CLOCK_MONOTONIC, and how they are added without a trap on hostile input.
extension UInt64 {
  /// This time and a duration later; stays at the end of time.
  @inline(__always) func after(_ duration: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(duration)
    return overflows ? .max : sum
  }

  /// How far apart two times are, whichever is first.
  @inline(__always) func distance(from other: UInt64) -> UInt64 {
    self > other ? self &- other : other &- self
  }
}

/// The earlier of two deadlines of which either may be missing.
@inline(__always) func earlier(_ first: UInt64?, _ second: UInt64?) -> UInt64? {
  guard let first else { return second }
  guard let second else { return first }
  return min(first, second)
}
