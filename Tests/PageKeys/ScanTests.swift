import PageKeys
import Testing

@Suite struct ScanTests {
  static let up: Int32 = 0x70052
  static let down: Int32 = 0x70051

  static func remote() -> NodeDescription {
    var node = NodeDescription(name: "scan", bus: Bus.bluetooth)
    node.miscellaneous = [MiscellaneousCode.scan]
    return node
  }

  /// `u0`: up at 0 ms; `d30`; `both5`: both in one frame.
  private func play(_ text: String, _ lines: String = "") -> Rig {
    let rig = Rig(lines, nodes: [ScanTests.remote()])
    for word in text.split(separator: " ") {
      let time = UInt64((Double(word.drop { $0.isLetter }) ?? 0) * 1000)
      var events: [(UInt16, UInt16, Int32)] = []
      if !word.hasPrefix("d") { events.append((EventType.msc, 4, ScanTests.up)) }
      if !word.hasPrefix("u") { events.append((EventType.msc, 4, ScanTests.down)) }
      rig.frame(events, at: time)
    }
    while let deadline = rig.nextDeadline { rig.advance(to: deadline) }
    return rig
  }

  @Test(arguments: [
    ("u0 u30", "tap:prev@0"),
    ("u0 d10 u30 d40", "tap:prev@0 tap:next@10000"),
    ("u0 u1000 u1030", "tap:prev@0 tap:prev@1030000"),
    ("u0 u1000 u1030 u2500", "tap:prev@0 tap:prev@1030000 tap:prev@2500000"),
    ("u0 u1000 u2500 u2530", "tap:prev@0 tap:prev@2500000"),
    ("u0 u1200", "tap:prev@0"),
    ("u0 u2900", "tap:prev@0"),
    ("u0 u3000", "tap:prev@0"),
    ("u0 u3001 u3030", "tap:prev@0 tap:prev@3001000"),
    ("u0 u1200 u1500", "tap:prev@0 tap:prev@1500000"),
    ("u0 u1200 u1500 u1600", "tap:prev@0 tap:prev@1500000"),
    ("u0 u1200 u1500 u3000 u3100", "tap:prev@0 tap:prev@1500000 tap:prev@3000000"),
    ("u0 u1200 d1300 d1350 u1500 u1600", "tap:prev@0 tap:next@1300000 tap:prev@1500000"),
    ("u0 u999.999", "tap:prev@0"),
    ("u0 u5000 u5030", "tap:prev@0 tap:prev@5000000"),
    ("u0 u30 u60 u90", "tap:prev@0 tap:prev@60000"),
    ("both0 both30", "tap:prev@0 tap:next@0"),
  ])
  func pairs(_ text: String, _ expected: String) {
    let rig = play(text)
    #expect(rig.story == expected)
    #expect(rig.seen() == "")
  }

  @Test func aPairThatNeverClosesEndsItsHold() {
    #expect(play("u0", "hold UP = first").story == "hold:first@500000")
    #expect(play("u0 u100", "hold UP = first").story == "tap:prev@100000")
  }

  @Test func aLongHoldCallsNothingButItself() {
    #expect(play("u0 u1200", "hold UP = first").story == "hold:first@500000")
    #expect(play("u0 u1200 u1500 u1600", "hold UP = first").story == "hold:first@500000 tap:prev@1500000")
  }

  @Test func aScanCodeCanBeBoundByNumber() {
    #expect(play("u0 u30 d60 d90", "scan 0x70052 = first").story == "tap:first@0 tap:next@60000")
  }

  @Test func unroutedPairsPassAndCloseEachOther() {
    let rig = Rig(nodes: [ScanTests.remote()])
    rig.routed = false
    rig.frame([(EventType.msc, 4, ScanTests.up)], at: 0)
    rig.routed = true
    rig.frame([(EventType.msc, 4, ScanTests.up)], at: 30_000)
    #expect(rig.story == "")
    #expect(rig.seen() == "MSC_SCAN=\(ScanTests.up) | MSC_SCAN=\(ScanTests.up) |")
    rig.frame([(EventType.msc, 4, ScanTests.up)], at: 60_000)
    #expect(rig.story == "tap:prev@60000")
  }

  @Test func manyCodesAtOnceAreBounded() {
    let rig = Rig(nodes: [ScanTests.remote()])
    for code in Int32(0)..<2000 { rig.frame([(EventType.msc, 4, 0x70000 + code)], at: UInt64(code)) }
    while let deadline = rig.nextDeadline { rig.advance(to: deadline) }
    #expect(rig.fired.count < 40)
  }

  @Test func onADeviceWithKeysAScanCodeIsNoPress() {
    let rig = Rig()
    rig.frame([(EventType.msc, 4, ScanTests.up)], at: 0)
    #expect(rig.story == "")
  }

  @Test(arguments: [
    (0x70052, "UP"), (0x70051, "DOWN"), (0x70004, "A"), (0x7001d, "Z"), (0x70027, "0"), (0x70028, "ENTER"),
    (0x7004b, "PAGEUP"), (0x7004e, "PAGEDOWN"), (0x70080, "VOLUMEUP"), (0x70081, "VOLUMEDOWN"), (0x7003e, "F5"),
    (0x70045, "F12"), (0x70073, "F24"), (0x700e7, "RIGHTMETA"), (0x70065, "COMPOSE"), (0x70050, "LEFT"),
    (0xc00e9, "VOLUMEUP"), (0xc00ea, "VOLUMEDOWN"), (0xc00b5, "NEXTSONG"), (0xc00b6, "PREVIOUSSONG"),
    (0xc00cd, "PLAYPAUSE"), (0xc0224, "BACK"), (0xc0225, "FORWARD"), (0xc0030, "POWER"), (0xc0040, "MENU"),
    (0xc0041, "SELECT"), (0x10081, "POWER"), (0x10083, "WAKEUP"), (0xc0192, "CALC"), (0xc0223, "HOMEPAGE"),
  ])
  func knowsLinuxKeysOfUsages(_ usage: Int, _ name: String) {
    #expect(UsageTable.key(of: UInt32(usage)).map { KeyNames.name(ofKey: $0) } == name)
  }

  @Test func unknownUsagesHaveNoKey() {
    for usage in [0, 0x70000, 0x70003, 0xd0042, 0xc0000, 0xcffff, UInt32.max] {
      #expect(UsageTable.key(of: usage) == nil)
    }
  }
}
