/// Touches of a remote that looks like a touch screen or a tablet -> swipes and taps.
///
/// One contact, from the first finger down to the last finger up, is one gesture of its first finger; the way from its
/// start to its end decides. Positions after the lift belong to nothing.
///
///  1. down at 3328, 3400, 3100 … 1000, up, stray 700    swipe left
///  2. down without a position, then 3328 … 1000, up     swipe left (the old position is no start)
///  3. down and up on the same place                     tap
///  4. x 2000 -> 1900, y 3000 -> 400                     swipe up (the longer way)
///  5. down at 3000, up at 500 in one frame each         swipe left (the lift's position, if no other was told)
struct TouchSource: Sendable {
  /// What is known of one coordinate.
  private struct Coordinate: Sendable {
    let span: Int64
    var now: Int64?
    var start: Int64?
    /// The place before the frame that is being read.
    var before: Int64?

    /// Thousandths of the range, from the start to the end.
    func travel(untilLift: Bool) -> Int64 {
      guard let start, let end = untilLift ? now : before ?? now else { return 0 }
      return (end - start) * 1000 / max(span, 1)
    }
  }

  private struct Finger: Sendable {
    var x: Coordinate
    var y: Coordinate
    var isWaitingForPlace = false
    /// A position came with the current frame.
    var hasMoved = false

    mutating func begin() {
      x.start = nil
      y.start = nil
      isWaitingForPlace = true
      hasMoved = false
    }

    /// The end of a frame of a contact.
    mutating func endFrame() {
      // The first frame that names a place is the start: the kernel leaves out a coordinate that has not changed.
      if isWaitingForPlace {
        if hasMoved {
          x.start = x.now
          y.start = y.now
          isWaitingForPlace = false
        }
      } else {
        if x.start == nil { x.start = x.now }
        if y.start == nil { y.start = y.now }
      }
      hasMoved = false
      x.before = x.now
      y.before = y.now
    }
  }

  let isPresent: Bool
  private var single: Finger
  private var multi: Finger
  private var slot: Int32 = 0
  private var slots: UInt64 = 0
  private var firstSlot: Int32 = -1
  private var buttonIsDown = false
  private var usedButton = false
  private var usedSlots = false

  /// A finger is down.
  private(set) var isDown = false
  /// What becomes of the contact under way.
  var disposition = Disposition.up
  /// The contact calls nothing: it was made up, or the taker has left.
  var isCancelled = false

  /// Less than this many thousandths of the range is a tap.
  private static let threshold: Int64 = 50

  init(_ node: NodeDescription, isPresent: Bool) {
    self.isPresent = isPresent
    func coordinate(_ code: UInt16) -> Coordinate {
      let info = node.axes[Int(code)]
      let span = info.map { Int64($0.maximum) - Int64($0.minimum) } ?? 0
      return Coordinate(span: span > 0 ? span : 1000, now: info?.value.map { Int64($0) })
    }
    single = Finger(x: coordinate(AbsoluteCode.x), y: coordinate(AbsoluteCode.y))
    multi = Finger(x: coordinate(AbsoluteCode.positionX), y: coordinate(AbsoluteCode.positionY))
    multi.x.now = nil
    multi.y.now = nil
    if let current = node.axes[Int(AbsoluteCode.slot)]?.value { slot = current }
  }

  /// True if the node can be touched at all.
  static func canTouch(_ node: NodeDescription) -> Bool {
    let axes = node.absolutes
    let single =
      node.keys.contains(KeyCode.touch) && axes.contains(AbsoluteCode.x) && axes.contains(AbsoluteCode.y)
    let multi =
      axes.contains(AbsoluteCode.positionX) && axes.contains(AbsoluteCode.positionY)
      && axes.contains(AbsoluteCode.trackingID) && !axes.contains(AbsoluteCode.slot - 1)
    return single || multi
  }

  /// Codes that belong to the contact and not to the device's other buttons.
  static func isTouchKey(_ code: UInt16) -> Bool {
    code == KeyCode.touch
      || (KeyCode.toolPen...KeyCode.toolQuadTap).contains(code) && !KeyCode.styluses.contains(code)
  }

  /// True if the frame puts the first finger down.
  func begins(_ frame: UnsafeBufferPointer<InputEvent>) -> Bool {
    guard !isDown else { return false }
    return frame.contains {
      ($0.type == EventType.key && $0.code == KeyCode.touch && $0.value == 1)
        || ($0.type == EventType.abs && $0.code == AbsoluteCode.trackingID && $0.value >= 0)
    }
  }

  mutating func begin(_ disposition: Disposition) {
    self.disposition = disposition
    isDown = true
    isCancelled = false
    usedButton = false
    usedSlots = false
    single.begin()
    multi.begin()
  }

  mutating func button(_ down: Bool) {
    buttonIsDown = down
    if down { usedButton = true }
  }

  mutating func axis(_ code: UInt16, _ value: Int32) {
    switch code {
    case AbsoluteCode.x:
      single.x.now = Int64(value)
      single.hasMoved = true
    case AbsoluteCode.y:
      single.y.now = Int64(value)
      single.hasMoved = true
    case AbsoluteCode.slot: slot = value
    case AbsoluteCode.trackingID: track(value)
    case AbsoluteCode.positionX where slot == firstSlot || firstSlot < 0:
      multi.x.now = Int64(value)
      multi.hasMoved = true
    case AbsoluteCode.positionY where slot == firstSlot || firstSlot < 0:
      multi.y.now = Int64(value)
      multi.hasMoved = true
    default: break
    }
  }

  private mutating func track(_ identifier: Int32) {
    guard slot >= 0, slot < 64 else { return }
    let bit: UInt64 = 1 << UInt64(slot)
    if identifier >= 0 {
      // A slot keeps its last place, but another finger's place is no start of this one.
      if slots == 0, firstSlot != slot {
        firstSlot = slot
        multi.x.now = nil
        multi.y.now = nil
      }
      slots |= bit
      usedSlots = true
    } else {
      slots &= ~bit
    }
  }

  /// Ends a frame.
  ///
  /// - Returns: nil unless the frame lifted the last finger.
  mutating func endFrame() -> Input? {
    guard isDown else {
      single.x.before = single.x.now
      single.y.before = single.y.now
      return nil
    }
    guard usedButton || usedSlots else {
      // No slot that there is: nobody touched anything.
      isDown = false
      return nil
    }
    let isLifted = usedButton ? !buttonIsDown : usedSlots && slots == 0
    guard isLifted else {
      single.endFrame()
      multi.endFrame()
      return nil
    }
    isDown = false
    slots = usedButton && !usedSlots ? 0 : slots
    let finger = usedSlots && multi.x.start != nil || usedSlots && multi.y.start != nil ? multi : single
    let direction = TouchSource.direction(finger, untilLift: false) ?? TouchSource.direction(finger, untilLift: true)
    single.hasMoved = false
    multi.hasMoved = false
    guard let direction else { return .touchTap }
    return .swipe(direction)
  }

  private static func direction(_ finger: Finger, untilLift: Bool) -> Direction? {
    let x = finger.x.travel(untilLift: untilLift)
    let y = finger.y.travel(untilLift: untilLift)
    guard max(abs(x), abs(y)) >= threshold else { return nil }
    if abs(x) >= abs(y) { return x < 0 ? .left : .right }
    return y < 0 ? .up : .down
  }

  /// The device's state was taken anew: no contact is under way.
  mutating func reset() {
    isDown = false
    buttonIsDown = false
    slots = 0
  }
}
