/// Presses that turn pages keep the screen awake: one sign of life for them all, at most once in 30 s.
struct ActivityGauge: Sendable, Equatable {
  /// In microseconds.
  static let interval: UInt64 = 30_000_000

  private var last: UInt64?

  /// - Returns: whether this press is to be shown to the desktop.
  mutating func pressed(at time: UInt64) -> Bool {
    if let last, time < last + ActivityGauge.interval { return false }
    last = time
    return true
  }
}
