import PageKeys
import Testing

@Suite struct AxisTests {
  static func pad(_ info: AxisInfo, _ codes: [UInt16] = [0, 1]) -> NodeDescription {
    var node = NodeDescription(name: "pad", bus: Bus.usb)
    node.keys = CodeSet(0x130...0x13e)
    for code in codes { node.setAxis(code, info) }
    return node
  }

  static let stick = AxisInfo(minimum: -32768, maximum: 32767, fuzz: 16, flat: 128)
  static let byte = AxisInfo(minimum: 0, maximum: 255)
  static let hat = AxisInfo(minimum: -1, maximum: 1)

  /// Values of ABS_X, 100 ms apart.
  private func play(_ values: [Int32], _ info: AxisInfo, _ lines: String = "", code: UInt16 = 0) -> Rig {
    let rig = Rig(lines, nodes: [AxisTests.pad(info, [code])])
    for (index, value) in values.enumerated() { rig.axis(code, value, at: UInt64(index) * 100_000) }
    rig.advance(to: UInt64(values.count) * 100_000)
    return rig
  }

  @Test(arguments: [
    ([0, 32767, 0, -32768, 0], stick, "next prev"),
    // Hysteresis: between a quarter and a half nothing begins and nothing ends.
    ([16383, 16384, 16383, 8192, 16384, 8191, 16384], stick, "next next"),
    ([8000, 15000, 8000, 15000], stick, ""),
    ([-314, -392, -314, -392, -314], stick, ""),
    // Straight across: both count.
    ([32767, -32768, 32767, 0], stick, "next prev next"),
    ([127, 255, 127, 0, 128], byte, "next prev"),
    ([255, 128, 255, 128, 0, 128], byte, "next next prev"),
    ([1, 0, -1, 0, 1, -1], hat, "next prev next prev"),
    // A flutter around the threshold is one throw.
    ([20000, 15000, 17000, 15000, 17000, 0], stick, "next"),
  ])
  func throwsAreCounted(_ values: [Int], _ info: AxisInfo, _ expected: String) {
    let rig = play(values.map(Int32.init), info)
    #expect(rig.commands.joined(separator: " ") == expected)
    #expect(rig.seen() == "")
  }

  @Test func aHatOfAnotherPairNeedsABinding() {
    #expect(play([1, 0], AxisTests.hat, code: 0x12).commands.isEmpty)
    #expect(play([1, 0], AxisTests.hat, "axis ABS_HAT1X+ = first", code: 0x12).commands == ["first"])
  }

  @Test func aTriggerRestsAtItsMinimum() {
    var node = AxisTests.pad(AxisTests.byte, [2])
    node.setAxis(3, AxisTests.stick)
    node.setAxis(4, AxisTests.stick)
    let rig = Rig("axis ABS_Z+ = first\naxis ABS_Z- = last", nodes: [node])
    for (index, value) in [20, 80, 200, 255, 100, 30, 0].enumerated() { rig.axis(2, Int32(value), at: UInt64(index)) }
    #expect(rig.commands == ["first"])
  }

  /// A worn stick that comes to rest at a third of its way still counts each throw.
  @Test func restIsLearned() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.byte)])
    rig.axis(0, 255, at: 0)
    rig.axis(0, 165, at: 200_000)
    rig.axis(0, 166, at: 1_500_000)
    rig.axis(0, 255, at: 2_000_000)
    rig.axis(0, 165, at: 2_200_000)
    rig.axis(0, 0, at: 2_500_000)
    #expect(rig.commands == ["next", "next", "prev"])
  }

  @Test func aHeldThrowIsNotRest() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.byte)])
    rig.axis(0, 255, at: 0)
    rig.axis(0, 127, at: 60_000_000)
    rig.axis(0, 255, at: 61_000_000)
    rig.axis(0, 127, at: 62_000_000)
    #expect(rig.commands == ["next", "next"])
  }

  @Test func aStickFoundOffCentreIsNoPress() {
    var info = AxisTests.byte
    info.value = 0
    let rig = Rig(nodes: [AxisTests.pad(info, [0])])
    rig.axis(0, 127, at: 0)
    rig.axis(0, 0, at: 1)
    rig.axis(0, 127, at: 2)
    #expect(rig.commands == ["prev"])
    info.value = 150
    let drifted = Rig(nodes: [AxisTests.pad(info, [0])])
    drifted.axis(0, 255, at: 0)
    drifted.axis(0, 150, at: 1)
    drifted.axis(0, 80, at: 2)
    drifted.axis(0, 60, at: 3)
    #expect(drifted.commands == ["next", "prev"])
  }

  /// `X+10`: ABS_HAT0X to 1 at 10 ms; `x` ABS_X, `z` ABS_Z; `0` is rest.
  @Test(arguments: [
    ("right and down at once", "X+0 Y+0 X00 Y00", "next"),
    ("down a moment later", "X+0 Y+149 X0300 Y0310", "next"),
    ("down after a pause counts", "X+0 Y+151 X0300 Y0310", "next next"),
    ("up and right: the first is meant", "Y-0 X+20 X0100 Y0110", "prev"),
    ("one after the other", "X+0 X050 Y+60 Y090", "next next"),
    ("an absorbed push absorbs nothing", "X+0 Y+20 X060 X+100 X0130 Y0140", "next next"),
    ("a cross that is told twice", "X+0 x+0 X0100 x0100", "next"),
    ("a stick beside a cross, later", "X+0 x+31 X0100 x0100", "next next"),
    ("two sticks of different meanings", "X+0 x-10 X0100 x0100", "next prev"),
  ])
  func onePushIsOnePress(_ name: String, _ text: String, _ expected: String) {
    var node = AxisTests.pad(AxisTests.hat, [0x10, 0x11])
    node.setAxis(0, AxisTests.hat)
    for routed in [true, false] {
      let rig = Rig(nodes: [node])
      rig.routed = routed
      for word in text.split(separator: " ") {
        let code: UInt16 = ["X": 0x10, "Y": 0x11, "x": 0][word.first!]!
        let sign = word.dropFirst().first!
        let time = (UInt64(word.dropFirst(2)) ?? 0) * 1000
        rig.axis(code, sign == "+" ? 1 : sign == "-" ? -1 : 0, at: 1_000_000 + time)
      }
      #expect(rig.commands.joined(separator: " ") == (routed ? expected : ""))
      #expect(rig.clones[0]?.axes.values.allSatisfy { $0 == 0 } == true)
      #expect(rig.clones[0]?.axes.isEmpty == routed)
    }
  }

  @Test func holdAndRepeatWorkOnAThrow() {
    let rig = Rig("hold hat-right = last", nodes: [AxisTests.pad(AxisTests.hat, [0x10])])
    rig.axis(0x10, 1, at: 0)
    rig.axis(0x10, 0, at: 700_000)
    rig.axis(0x10, 1, at: 1_000_000)
    rig.axis(0x10, 0, at: 1_100_000)
    #expect(rig.story == "hold:last@500000 tap:next@1100000")
  }

  @Test func axesWithoutARangeAreNeverThrown() {
    for info in [
      AxisInfo(minimum: 0, maximum: 0), AxisInfo(minimum: 5, maximum: -5),
      AxisInfo(minimum: Int32.min, maximum: Int32.max, flat: Int32.max),
      AxisInfo(minimum: Int32.min, maximum: Int32.max, fuzz: Int32.min, flat: Int32.min),
    ] {
      let rig = Rig(nodes: [AxisTests.pad(info)])
      for value in [Int32.min, 0, Int32.max, -1, 1] { rig.axis(0, value, at: 1) }
      if info.minimum >= info.maximum { #expect(rig.commands.isEmpty) }
    }
  }

  // MARK: What the clone sees

  @Test func aPassedThrowReturnsThoughRoutingBeganMeanwhile() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.routed = false
    rig.axis(0, 30000, at: 0)
    rig.routed = true
    rig.catchUp(at: 1)
    rig.axis(0, 20000, at: 2)
    rig.axis(0, 300, at: 3)
    rig.axis(0, 100, at: 4)
    #expect(rig.seen() == "ABS_X=30000 | ABS_X=20000 | ABS_X=0 |")
    #expect(rig.commands.isEmpty)
  }

  @Test func aSwallowedThrowStaysSwallowedThoughRoutingEnds() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.axis(0, 30000, at: 0)
    rig.routed = false
    rig.catchUp(at: 1)
    rig.axis(0, 25000, at: 2)
    #expect(rig.seen() == "")
    rig.axis(0, 120, at: 3)
    #expect(rig.seen() == "ABS_X=120 |")
    rig.axis(0, 30000, at: 4)
    #expect(rig.seen() == "ABS_X=120 | ABS_X=30000 |")
    #expect(rig.commands == ["next"])
  }

  @Test func otherAxesCatchUpWhenRoutingEnds() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick, [0, 1, 3])])
    rig.axis(3, 30000, at: 0)
    rig.axis(1, 500, at: 1)
    rig.axis(0, 30000, at: 2)
    rig.routed = false
    rig.catchUp(at: 3)
    #expect(rig.seen() == "ABS_Y=500 |", "X and RX are still in a swallowed throw")
    rig.axis(3, 0, at: 4)
    rig.axis(0, 0, at: 5)
    #expect(rig.clones[0]?.axes == [1: 500, 3: 0, 0: 0])
  }

  @Test func fromAPassedThrowStraightIntoASwallowedOne() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.routed = false
    rig.axis(0, 32767, at: 0)
    rig.routed = true
    rig.axis(0, -32768, at: 1)
    #expect(rig.seen() == "ABS_X=32767 | ABS_X=0 |")
    #expect(rig.commands == ["prev"])
  }

  @Test func anUnpluggedThrowReturns() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.routed = false
    rig.axis(0, 32767, at: 0)
    rig.detach(at: 1)
    #expect(rig.clones[0]?.axes[0] == 0)
  }
}
