/// How much a client has sent beyond what anybody needs: a leaking bucket. Pure.
///
/// A line costs 1 and 1 more for every 64 bytes of it; what asks for a long answer costs `question` more. A client may
/// send `burst` at once and `rate` a second for ever.
struct FloodGauge {
  static let burst: UInt64 = 4000
  /// a second
  static let rate: UInt64 = 500
  static let question: UInt64 = 4

  private var level: UInt64 = 0
  /// µs
  private var lastTime: UInt64 = 0

  /// - Returns: false when it went on for too long.
  mutating func add(lineBytes: Int, at time: UInt64) -> Bool { add(1 + UInt64(lineBytes) / 64, at: time) }

  /// - Returns: false when it went on for too long.
  mutating func add(_ cost: UInt64, at time: UInt64) -> Bool {
    let elapsed = time > lastTime ? time - lastTime : 0
    let leaked = elapsed / (1_000_000 / FloodGauge.rate)
    if leaked > 0 {
      level = level > leaked ? level - leaked : 0
      lastTime = time
    }
    level += cost
    return level <= FloodGauge.burst
  }
}
