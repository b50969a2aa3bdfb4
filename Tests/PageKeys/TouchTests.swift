import PageKeys
import Testing

@Suite struct TouchTests {
  static func pen() -> NodeDescription {
    var node = NodeDescription(name: "ring", bus: Bus.bluetooth)
    node.keys = [KeyCode.touch, KeyCode.toolPen]
    node.miscellaneous = [4]
    node.setAxis(0, AxisInfo(minimum: 0, maximum: 4095))
    node.setAxis(1, AxisInfo(minimum: 0, maximum: 4095))
    return node
  }

  static func fingers(singleToo: Bool = true) -> NodeDescription {
    var node = NodeDescription(name: "ring", bus: Bus.bluetooth)
    node.properties = [PropertyCode.direct]
    if singleToo {
      node.keys = [KeyCode.touch]
      node.setAxis(0, AxisInfo(minimum: 0, maximum: 1000))
      node.setAxis(1, AxisInfo(minimum: 0, maximum: 1000))
    }
    node.setAxis(0x2f, AxisInfo(minimum: 0, maximum: 4))
    node.setAxis(0x35, AxisInfo(minimum: 0, maximum: 1000))
    node.setAxis(0x36, AxisInfo(minimum: 0, maximum: 1000))
    node.setAxis(0x39, AxisInfo(minimum: 0, maximum: 65535))
    return node
  }

  /// `t` touch, `l` lift, `x5`, `y5`, `X5`, `Y5` (multi-touch), `i5` tracking, `s1` slot; `|` ends a frame.
  static func play(_ text: String, _ rig: Rig) {
    var events: [(UInt16, UInt16, Int32)] = []
    var time = rig.time
    for word in text.split(separator: " ") {
      let value = Int32(word.dropFirst()) ?? 0
      switch word.first! {
      case "|":
        time += 30_000
        rig.frame(events, at: time)
        events = []
      case "t": events += [(1, KeyCode.touch, 1), (1, KeyCode.toolPen, 1)]
      case "l": events += [(1, KeyCode.touch, 0), (1, KeyCode.toolPen, 0)]
      case "x": events.append((3, 0, value))
      case "y": events.append((3, 1, value))
      case "X": events.append((3, 0x35, value))
      case "Y": events.append((3, 0x36, value))
      case "i": events.append((3, 0x39, value))
      case "s": events.append((3, 0x2f, value))
      default: preconditionFailure("\(word)")
      }
    }
  }

  static let bound = "swipe-left = next\nswipe-up = first\nswipe-right = prev\nswipe-down = last\ntouch-tap = toggle"

  @Test(arguments: [
    ("left", "t x3328 y2000 | x3400 | x3100 | x2000 | x1000 | l | x700 |", "next"),
    ("right", "t x400 y2000 | x700 | x2000 | x3000 | l |", "prev"),
    ("up, one axis only", "t y3200 | y2600 | y500 | l | y200 |", "first"),
    ("down, one axis only", "t y500 | y1100 | y2600 | l |", "last"),
    ("stray frames after the lift are nothing", "t x3000 y2000 | x1000 | l | x4000 | y4000 | x0 |", "next"),
    ("the lift's frame carries a place", "t x3000 y2000 | x2000 | x1000 l |", "next"),
    ("only the lift's frame carries a place", "t x3000 y2000 | x500 l |", "next"),
    ("a lift at the origin", "t x3000 y3000 | x3000 | y2000 | y1000 | x0 y0 l |", "first"),
    ("oblique", "t x2000 y3000 | x1980 | x1950 y2500 | x1900 y1500 | x1880 y400 | l |", "first"),
    ("an oblique start the wrong way", "t x3000 y2000 | x3090 y1950 | x2500 | x1000 | l |", "next"),
    ("tap", "t x3000 y2000 | l |", "toggle"),
    ("a trembling tap", "t x3000 y2000 | x3010 y1990 | x2995 | l |", "toggle"),
    ("touch and lift in one frame", "t x3000 y2000 l |", "toggle"),
    ("the place comes a frame later", "t | x3300 y2000 | x2000 | x1000 | l |", "next"),
    (
      "two strokes, the kernel leaves out what has not changed",
      "t x3000 y2000 | x1000 | l | t x3000 | x1000 | l | t | y1000 | y300 | l |", "next next first"
    ),
    (
      "a stroke begins where the last left off, told a frame later",
      "t x3000 y2000 | x1000 | l | x700 | t | x3300 | x2000 | x1000 | l |", "next next"
    ),
    ("two quick strokes", "t x3000 y2000 | x1000 | l | t x1000 | x3000 | l |", "next prev"),
    ("a lift without a touch", "l | x500 | l |", ""),
    ("hovering is nothing", "x3000 y2000 | x100 | x4000 |", ""),
  ])
  func penSwipes(_ name: String, _ text: String, _ expected: String) {
    let rig = Rig(TouchTests.bound, nodes: [TouchTests.pen()])
    TouchTests.play(text, rig)
    #expect(rig.commands.joined(separator: " ") == expected)
    #expect(rig.seen() == "", "the pointer does not move")
    #expect(!rig.isDown(0))
  }

  @Test(arguments: [
    ("left", "i2 X700 t x700 | X660 Y500 x660 y500 | X620 x620 | X300 x300 | i-1 l |", "next"),
    ("down", "i2 X500 Y200 t x500 y200 | Y300 y300 | Y800 y800 | i-1 l |", "last"),
    ("the slot's lift and the button's in two frames", "i2 X700 Y500 t x700 y500 | X200 x200 | i-1 | l |", "next"),
    ("tap", "i2 X700 Y500 t x700 y500 | i-1 l |", "toggle"),
    (
      "a second finger does not matter",
      "i2 X700 Y500 t x700 y500 | s1 i3 X100 Y100 | s0 X400 s1 X900 | s0 X200 | s0 i-1 | s1 X950 | i-1 l |",
      "next"
    ),
    ("two strokes in two slots", "i2 X700 Y500 t | X200 | i-1 l | s1 i3 X100 Y500 t | X800 | i-1 l |", "next prev"),
    ("the same slot again", "i2 X700 Y500 t | X200 | i-1 l | i3 X700 t | X200 | i-1 l |", "next next"),
    ("stray positions after the lift", "i2 X700 Y500 t | X200 | i-1 l | X900 Y900 |", "next"),
  ])
  func fingerSwipes(_ name: String, _ text: String, _ expected: String) {
    let rig = Rig(TouchTests.bound, nodes: [TouchTests.fingers()])
    TouchTests.play(text, rig)
    #expect(rig.commands.joined(separator: " ") == expected)
    #expect(rig.seen() == "")
    // The same without the single touch that many drivers add, and without the button.
    let bare = text.split(separator: " ").filter { !"txyl".contains($0.first!) }.joined(separator: " ")
    let other = Rig(TouchTests.bound, nodes: [TouchTests.fingers(singleToo: false)])
    TouchTests.play(bare, other)
    #expect(other.commands.joined(separator: " ") == expected, "without a touch button")
  }

  @Test func theButtonEndsAContactWhoseSlotWasNeverLifted() {
    let rig = Rig(TouchTests.bound, nodes: [TouchTests.fingers()])
    TouchTests.play("i2 X700 Y500 t | X200 | l |", rig)
    #expect(rig.commands == ["next"])
    #expect(!rig.isDown(0))
    TouchTests.play("i3 X700 t | X200 | i-1 l |", rig)
    #expect(rig.commands == ["next", "next"])
  }

  @Test func theDefaultSwipes() {
    let rig = Rig(nodes: [TouchTests.pen()])
    TouchTests.play(
      "t x3000 y2000 | x1000 | l | t x1000 | x3000 | l | t y3000 | y1000 | l | t | l | t y200 | y2000 | l |", rig)
    #expect(rig.commands == ["next", "prev", "next", "prev"])
  }

  @Test func aContactIsDecidedAtItsBeginning() {
    let rig = Rig(nodes: [TouchTests.pen()])
    rig.routed = false
    TouchTests.play("t x3000 y2000 |", rig)
    rig.routed = true
    TouchTests.play("x1000 | l |", rig)
    #expect(rig.commands.isEmpty)
    #expect(
      rig.seen() == "BTN_TOUCH=1 BTN_TOOL_PEN=1 ABS_X=3000 ABS_Y=2000 | ABS_X=1000 | BTN_TOUCH=0 BTN_TOOL_PEN=0 |")
  }

  @Test func aSwallowedContactStaysSwallowed() {
    let rig = Rig(nodes: [TouchTests.pen()])
    TouchTests.play("t x3000 y2000 |", rig)
    rig.routed = false
    rig.catchUp(at: rig.time)
    TouchTests.play("x1000 |", rig)
    #expect(rig.seen() == "")
    TouchTests.play("l |", rig)
    // The command was for the taker of that moment, who may still be told: nobody cancelled it.
    #expect(rig.commands == ["next"])
    #expect(rig.clones[0]?.keys.isEmpty == true)
    // The next touch is the desktop's, and whole: its places are known to the clone.
    TouchTests.play("t | y500 | l |", rig)
    #expect(rig.clones[0]?.axes == [0: 1000, 1: 500])
    #expect(rig.clones[0]?.presses == 2)
    #expect(rig.clones[0]?.releases == 2)
  }

  @Test func aCancelledContactCallsNothing() {
    let rig = Rig(nodes: [TouchTests.pen()])
    TouchTests.play("t x3000 y2000 | x2000 |", rig)
    rig.cancelGestures()
    TouchTests.play("x1000 | l |", rig)
    #expect(rig.commands.isEmpty)
    TouchTests.play("t x3000 | x1000 | l |", rig)
    #expect(rig.commands == ["next"])
  }

  @Test func slotsOfASwallowedTouchLeaveNoTrace() {
    let rig = Rig(nodes: [TouchTests.fingers(singleToo: false)])
    TouchTests.play("i2 X700 Y500 | X200 | i-1 | s1 i3 X900 Y900 | i-1 |", rig)
    rig.routed = false
    rig.catchUp(at: rig.time)
    #expect(
      rig.seen()
        == "ABS_MT_POSITION_X=200 ABS_MT_POSITION_Y=500 ABS_MT_SLOT=1 ABS_MT_POSITION_X=900 ABS_MT_POSITION_Y=900 |")
    TouchTests.play("i4 | i-1 |", rig)
    #expect(rig.seen().hasSuffix("| ABS_MT_TRACKING_ID=4 | ABS_MT_TRACKING_ID=-1 |"))
  }

  @Test func anUnpluggedTouchIsLifted() {
    let rig = Rig(nodes: [TouchTests.fingers()])
    rig.routed = false
    TouchTests.play("i2 X700 Y500 t x700 y500 |", rig)
    rig.detach(at: rig.time)
    #expect(rig.clones[0]?.keys.isEmpty == true)
    #expect(rig.clones[0]?.axes[0x39] == -1)
  }

  @Test func everythingElseOnTheRingWorksToo() {
    var node = TouchTests.pen()
    node.keys.insert(KeyCode.volumeUp)
    let rig = Rig(nodes: [node])
    rig.key(KeyCode.volumeUp, 1, at: 0)
    rig.key(KeyCode.volumeUp, 0, at: 1)
    #expect(rig.commands == ["prev"])
  }

  @Test func hostilePlacesDoNotOverflow() {
    var node = TouchTests.pen()
    node.setAxis(0, AxisInfo(minimum: Int32.min, maximum: Int32.max))
    let rig = Rig(nodes: [node])
    TouchTests.play("t x-2147483648 y0 | x2147483647 | l |", rig)
    #expect(rig.commands == ["prev"])
    let slots = Rig(nodes: [TouchTests.fingers()])
    TouchTests.play("s-5 i2 X5 | s2147483647 i7 X9 | s64 i8 | i-1 | s0 i1 X700 Y1 | X100 | i-1 |", slots)
    #expect(slots.commands == ["next"])
  }
}
