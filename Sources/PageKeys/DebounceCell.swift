/// One bouncing contact: the first edge acts, the last state after the window counts.
///
/// Timelines (window 20 ms; `1` and `0` edges, `>` what acts and when):
///
///  1. 1@0 0@50          >press@0 >release@50
///  2. 1@0 0@2 1@4       >press@0, still down after the window: nothing more
///  3. 1@0 0@5           >press@0 >release@20
///  4. 1@0 0@100 1@102 0@104 >press@0 >release@100
///  5. 1@0 0@100 1@105   >press@0 >release@100 >press@120 (still down after the window)
///  6. 1@0 0@20          >press@0 >release@20 (the window is over on its last microsecond)
struct DebounceCell: Sendable {
  enum Edge: Sendable { case none, press, release }

  /// The end of the window; nil: no window is open.
  private(set) var windowEnd: UInt64?
  private var isDown = false
  private var lastState = false
  /// How the edges of the window reach the clone: as the press went that opened it.
  var disposition = Disposition.up
  /// Somebody took commands at the last press.
  var wasRouted = false

  /// Takes an edge; the window must have been settled up to its time.
  mutating func edge(_ down: Bool, at time: UInt64, window: UInt64) -> Edge {
    lastState = down
    guard windowEnd == nil, down != isDown else { return .none }
    isDown = down
    windowEnd = time.after(window)
    return down ? .press : .release
  }

  /// The window has ended.
  mutating func settle() -> Edge {
    windowEnd = nil
    guard lastState != isDown else { return .none }
    isDown = lastState
    return isDown ? .press : .release
  }

  /// Takes a state that nobody pressed.
  mutating func reset(_ down: Bool) {
    windowEnd = nil
    isDown = down
    lastState = down
  }
}

/// What became of a press, decided once; its release follows it.
enum Disposition: UInt8, Sendable {
  case up
  /// The clone has it.
  case passed
  /// Nobody has it.
  case swallowed
  /// The gestures have it.
  case gesture
}
