import PageKeys
import Testing

/// After SYN_DROPPED (scenario 10): state follows, invented events never become commands.
@Suite struct OverflowTests {
  @Test func anInventedPressIsNoCommandAndItsReleaseIsSwallowed() {
    let rig = Rig()
    rig.invent([(1, KeyCode.volumeDown, 1)], at: 0)
    rig.key(KeyCode.volumeDown, 0, at: 1)
    #expect(rig.commands.isEmpty)
    #expect(rig.seen() == "")
    rig.key(KeyCode.volumeDown, 1, at: 2)
    #expect(rig.commands == ["next"])
  }

  @Test func anInventedReleaseReachesTheClone() {
    let rig = Rig(role: .shared)
    rig.key(30, 1, at: 0)
    rig.invent([(1, 30, 0)], at: 3_000_000)
    #expect(rig.seen() == "A=1 | A=0 |")
  }

  @Test func anInventedLetterReachesTheCloneOfAKeyboard() {
    let rig = Rig(role: .shared)
    rig.invent([(1, 30, 1), (1, KeyCode.volumeUp, 1)], at: 0)
    #expect(rig.seen() == "A=1 |")
    rig.key(30, 0, at: 1)
    #expect(rig.clones[0]?.keys.isEmpty == true)
  }

  @Test(arguments: ["hold VOLUMEDOWN = last", "double VOLUMEDOWN = last", "repeat = 400ms/150ms", "debounce = 20ms"])
  func anInventedReleaseDecidesNothing(_ lines: String) {
    let rig = Rig(lines)
    rig.key(KeyCode.volumeDown, 1, at: 0)
    let before = rig.commands
    rig.invent([(1, KeyCode.volumeDown, 0)], at: 100_000)
    rig.advance(to: 5_000_000)
    #expect(rig.commands == before)
    #expect(rig.nextDeadline == nil)
    #expect(!rig.isDown(0))
  }

  @Test func aKeyThatStaysDownGoesOn() {
    let rig = Rig("repeat = 400ms/150ms")
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.invent([(3, 0, 5)], at: 100_000)
    rig.key(KeyCode.volumeDown, 0, at: 500_000)
    #expect(rig.story == "tap:next@0 repeat:next@400000")
  }

  @Test func anInventedThrowIsNoCommand() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.invent([(3, 0, 32767)], at: 0)
    rig.axis(0, 0, at: 1)
    #expect(rig.commands.isEmpty)
    rig.axis(0, 32767, at: 2)
    rig.invent([(3, 0, 0)], at: 3)
    rig.axis(0, 32767, at: 4)
    #expect(rig.commands == ["next", "next"])
  }

  @Test func aTouchAcrossAnOverflowIsNothing() {
    let rig = Rig(nodes: [TouchTests.pen()])
    TouchTests.play("t x3000 y2000 |", rig)
    rig.invent([(3, 0, 500), (1, KeyCode.touch, 0), (1, KeyCode.toolPen, 0)], at: rig.time + 1)
    #expect(rig.commands.isEmpty)
    #expect(!rig.isDown(0))
    rig.invent([(3, 0, 3000), (1, KeyCode.touch, 1)], at: rig.time + 1)
    TouchTests.play("x500 | l |", rig)
    #expect(rig.commands.isEmpty)
    TouchTests.play("t x3000 | x500 | l |", rig)
    #expect(rig.commands == ["next"])
    #expect(rig.seen() == "")
  }

  @Test func anOpenScanPairIsForgotten() {
    let rig = Rig(nodes: [ScanTests.remote()])
    rig.frame([(4, 4, ScanTests.up)], at: 0)
    rig.invent([(4, 4, ScanTests.up)], at: 1)
    rig.frame([(4, 4, ScanTests.up)], at: 10)
    #expect(rig.story == "tap:prev@0 tap:prev@10")
  }

  @Test func switchesFollow() {
    let rig = Rig()
    rig.invent([(5, 0, 1)], at: 0)
    #expect(rig.clones[0]?.switches == [0])
  }

  /// 5000 stick events and a page press inside an overflow: zero or one command, clone and device agree.
  @Test func aFloodOfStickEventsIsHarmless() {
    let rig = Rig(nodes: [AxisTests.pad(AxisTests.stick)])
    rig.routed = false
    for index in 0..<5000 { rig.axis(UInt16(index % 2), Int32(index % 400 - 200), at: UInt64(index) * 600) }
    rig.invent([(3, 0, 17), (3, 1, -4)], at: 3_000_000)
    #expect(rig.clones[0]?.axes == [0: 17, 1: -4])
    #expect(rig.commands.isEmpty)
    #expect(rig.nextDeadline == nil)
  }
}
