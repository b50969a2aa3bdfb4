/// Where a wheel, a swipe, a hat or a stick can go.
public enum Direction: UInt8, Sendable, Hashable, CaseIterable {
  case up
  case down
  case left
  case right

  var name: String {
    switch self {
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    }
  }
}

/// One thing that a person can do to a device: press a key, turn a wheel by a notch, swipe.
public enum Input: Sendable, Hashable {
  /// A key or button by its Linux code.
  case key(UInt16)
  case wheel(Direction)
  /// A dial turned right (positive) or left.
  case dial(isRight: Bool)
  /// An absolute axis thrown towards its maximum (positive) or its minimum.
  case axis(UInt16, isPositive: Bool)
  case swipe(Direction)
  /// A touch that did not move.
  case touchTap
  /// A scan code of a device without key events: HID usage (page << 16 | usage).
  case scan(UInt32)
}
