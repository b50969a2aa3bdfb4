/// One absolute axis: rest, thrown towards its maximum or its minimum.
///
/// A throw begins at half of the way from rest to the end and ends at a quarter (hysteresis), both beyond `flat`.
/// Rest is the value at which the device was found if that is near the middle, else the middle of the range; where
/// the axis then stays for a second, away from both ends, is the rest that it has shown.
struct Axis: Sendable {
  enum Position: Sendable { case rest, positive, negative }

  /// What the last value did.
  enum Move: Sendable {
    case none
    case began(isPositive: Bool)
    case ended(wasPositive: Bool)
    /// From one end to the other without a stop between.
    case flipped(toPositive: Bool)
  }

  private let minimum: Int64
  private let maximum: Int64
  private let flat: Int64
  private let band: Int64
  private let learns: Bool
  /// False for an axis without a range, which is never thrown.
  private let isUsable: Bool
  private(set) var rest: Int64 = 0

  private var throwAbove: Int64 = 0
  private var returnBelow: Int64 = 0
  private var throwBelow: Int64 = 0
  private var returnAbove: Int64 = 0

  private(set) var position = Position.rest
  /// What became of the throw that is under way.
  var disposition = Disposition.up
  /// When it began.
  var throwTime: UInt64 = 0
  /// It was part of another axis' push.
  var isAbsorbed = false

  /// The device's value; nil until it is known.
  private(set) var device: Int32?
  /// The value that the clone has.
  var clone: Int32?

  /// The other axis of the same stick, cross or pair of triggers.
  static func partner(of code: Int) -> Int {
    switch code {
    case 2: 5
    case 5: 2
    case 3: 4
    case 4: 3
    default: code ^ 1
    }
  }

  private var anchor: Int64 = 0
  private var anchorTime: UInt64?
  private static let dwell: UInt64 = 1_000_000
  /// How long a thumb takes at most to throw both axes of one push.
  static let pushTime: UInt64 = 150_000

  init(_ code: UInt16, _ info: AxisInfo, hasSecondStick: Bool) {
    minimum = Int64(info.minimum)
    maximum = Int64(info.maximum)
    let span = maximum - minimum
    isUsable = span >= 1
    flat = max(Int64(info.flat), 0) < span / 2 ? max(Int64(info.flat), 0) : 0
    band = max(span / 64, min(max(Int64(info.fuzz), 0) * 2, span / 16))
    learns = span > 8
    rest = Axis.restByKind(code, minimum, maximum, hasSecondStick: hasSecondStick)
    if let value = info.value { found(at: Int64(value), code) }
    updateLimits()
    device = info.value
    clone = info.value
    if let value = info.value { place(Int64(value)) }
    if position != .rest { disposition = .passed }
  }

  /// Triggers and pedals rest at their minimum, everything else in the middle.
  private static func restByKind(
    _ code: UInt16, _ minimum: Int64, _ maximum: Int64, hasSecondStick: Bool
  ) -> Int64 {
    let middle = (minimum + maximum) / 2
    guard minimum >= 0 else { return middle }
    if code == AbsoluteCode.z || code == AbsoluteCode.rz { return hasSecondStick ? minimum : middle }
    return code == AbsoluteCode.gas || code == AbsoluteCode.brake || code == AbsoluteCode.throttle ? minimum : middle
  }

  private mutating func found(at value: Int64, _ code: UInt16) {
    guard learns else { return }
    let middle = (minimum + maximum) / 2
    let half = max((maximum - minimum) / 2, 1)
    if abs(value - middle) * 10 <= half * 3 {
      rest = value
    } else if code == AbsoluteCode.z || code == AbsoluteCode.rz, minimum >= 0, value - minimum <= half / 5 {
      rest = minimum
    }
  }

  private mutating func updateLimits() {
    let above = max(maximum - rest, 0)
    let below = max(rest - minimum, 0)
    let backAbove = max(above / 4, min(flat, above / 2))
    let backBelow = max(below / 4, min(flat, below / 2))
    returnBelow = rest + backAbove
    throwAbove = rest + max((above + 1) / 2, backAbove + 1)
    returnAbove = rest - backBelow
    throwBelow = rest - max((below + 1) / 2, backBelow + 1)
  }

  private mutating func place(_ value: Int64) {
    guard isUsable else { return }
    if value >= throwAbove {
      position = .positive
    } else if value <= throwBelow {
      position = .negative
    } else if position == .positive, value <= returnBelow {
      position = .rest
    } else if position == .negative, value >= returnAbove {
      position = .rest
    }
  }

  /// Takes the device's new value.
  mutating func move(to value: Int32, at time: UInt64) -> Move {
    device = value
    learn(Int64(value), at: time)
    let before = position
    place(Int64(value))
    switch (before, position) {
    case (.rest, .rest), (.positive, .positive), (.negative, .negative): return .none
    case (.rest, .positive): return .began(isPositive: true)
    case (.rest, .negative): return .began(isPositive: false)
    case (.positive, .rest): return .ended(wasPositive: true)
    case (.negative, .rest): return .ended(wasPositive: false)
    case (.negative, .positive): return .flipped(toPositive: true)
    case (.positive, .negative): return .flipped(toPositive: false)
    }
  }

  /// Where it has stayed for long, that is rest; a value near an end is a throw however long it lasts.
  private mutating func learn(_ value: Int64, at time: UInt64) {
    guard learns else { return }
    if let since = anchorTime, time > since, time - since >= Axis.dwell {
      let middle = (minimum + maximum) / 2
      let half = max((maximum - minimum) / 2, 1)
      if abs(anchor - middle) * 10 <= half * 4, anchor != rest {
        rest = anchor
        updateLimits()
      }
    }
    if anchorTime == nil || abs(value - anchor) > band {
      anchor = value
      anchorTime = time
    }
  }

  /// Takes a state that nobody moved it to.
  mutating func reset(to value: Int32?) {
    guard let value else { return }
    device = value
    anchorTime = nil
    position = .rest
    place(Int64(value))
    disposition = position == .rest ? .up : .passed
  }
}
