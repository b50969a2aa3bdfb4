/// Counts a wheel's notches once, whichever of the two resolutions reports them.
///
/// Both resolutions report the same turn: the high one in 120ths of a notch, the low one by whole notches, sometimes
/// in the middle of a notch, sometimes in a frame of its own. What either of them is behind is owed to the other.
///
///  1. low -1                         one notch        4. low -1, then high -120     one notch
///  2. high -120 and low -1           one notch        5. high -240 alone            two notches
///  3. high -15 eight times, low -1   one notch        6. high +60, then high -120   one notch down
struct WheelSource: Sendable {
  /// One event never counts for more notches than this.
  static let most: Int32 = 16
  private static let notch: Int32 = 120
  /// After this silence a new turn begins.
  private static let pause: UInt64 = 250_000

  private var highBalance: Int32 = 0
  private var lowBalance: Int32 = 0
  private var isUp = false
  private var lastTime: UInt64 = 0

  /// - Returns: how many notches this event completes, in the direction of its sign.
  mutating func turn(_ value: Int32, isHigh: Bool, at time: UInt64) -> Int32 {
    guard value != 0 else { return 0 }
    if time.distance(from: lastTime) > WheelSource.pause {
      lowBalance = 0
      if highBalance <= -WheelSource.notch { highBalance = 0 }
    }
    lastTime = time
    if (value > 0) != isUp {
      isUp = value > 0
      highBalance = 0
      lowBalance = 0
    }
    let limit = isHigh ? WheelSource.most * WheelSource.notch : WheelSource.most
    let size = Int32(min(value.magnitude, UInt32(limit)))
    if isHigh { highBalance += size } else { lowBalance += size }
    let count = max(highBalance / WheelSource.notch, lowBalance, 0)
    guard count > 0 else { return 0 }
    // The other resolution still owes what this one has counted, and no more: one that stays silent owes one notch.
    highBalance = max(highBalance - count * WheelSource.notch, -count * WheelSource.notch)
    lowBalance = max(lowBalance - count, -count)
    return count
  }

  mutating func reset() { self = WheelSource() }
}
