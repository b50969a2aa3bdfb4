import PageKeys
import Testing

@Suite struct WheelTests {
  /// `L-1`: low resolution; `H-120`: high; `HL-120`: both in one frame; a number alone: milliseconds later.
  private func play(_ text: String, _ rig: Rig, low: UInt16 = 8, high: UInt16 = 11) {
    var time: UInt64 = 1_000_000
    for word in text.split(separator: " ") {
      if let wait = UInt64(word) {
        time += wait * 1000
        continue
      }
      time += 8_000
      let parts = word.split(separator: "x")
      let count = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
      for _ in 0..<count {
        let value = Int32(parts[0].drop { $0 == "L" || $0 == "H" }) ?? 0
        var events: [(UInt16, UInt16, Int32)] = []
        if parts[0].contains("H") { events.append((EventType.rel, high, value)) }
        if parts[0].contains("L") { events.append((EventType.rel, low, parts[0].contains("H") ? value / 120 : value)) }
        rig.frame(events, at: time)
        time += 8_000
      }
    }
  }

  @Test(arguments: [
    ("L-1", "next"),
    ("L1", "prev"),
    ("HL-120 64 HL-120", "next next"),  // keymapper 268
    ("H-15x8 L-1", "next"),  // input-remapper 1011
    ("H-15x7 HL-15 L-1", "next"),
    ("H-15x16", "next next"),
    ("H-15x7", ""),
    ("H-15x8", "next"),
    ("H-120x3", "next next next"),
    ("H-240", "next next"),
    ("L-1 H-120", "next"),
    ("L-1 H-15x8", "next"),
    ("L-1x3", "next next next"),
    ("L-3", "next next next"),
    // A wheel whose low resolution comes in the middle of the notch.
    ("H-15x4 L-1 H-15x4 H-15x4 L-1 H-15x4", "next next"),
    ("H-60 H60 H-120", "next"),
    ("H60 H-120", "next"),
    ("HL-120 HL120", "next prev"),
    // input-remapper 453: not only the first notch counts, after a rest or without.
    ("L-1 600 L-1 600 L-1", "next next next"),
    ("H-15x8 L-1 600 H-15x8 L-1", "next next"),
    // High alone, then low alone, after a rest.
    ("H-15x8 400 L-1", "next next"),
    ("L-1 400 H-15x8", "next next"),
    ("HL-120x5", "next next next next next"),
    ("H-360 L-3", "next next next"),
  ])
  func counts(_ play: String, _ expected: String) {
    let rig = Rig()
    self.play(play, rig)
    #expect(rig.commands.joined(separator: " ") == expected)
    #expect(rig.seen() == "", "nothing of a swallowed wheel is in the clone")
  }

  @Test func theOtherWheelTurnsRightwards() {
    let rig = Rig()
    play("HL120 HL-120", rig, low: 6, high: 12)
    #expect(rig.commands == ["next", "prev"])
  }

  @Test func aDialTurns() {
    let rig = Rig()
    rig.frame([(EventType.rel, RelativeCode.dial, 1)], at: 1)
    rig.frame([(EventType.rel, RelativeCode.dial, -2)], at: 2)
    #expect(rig.commands == ["next", "prev", "prev"])
  }

  @Test func hostileValuesAreBounded() {
    let rig = Rig()
    for value in [Int32.min, Int32.max, -1] {
      rig.frame([(EventType.rel, 8, value), (EventType.rel, 11, value), (EventType.rel, 7, value)], at: 10)
    }
    #expect(rig.fired.count <= 3 * 48)
  }

  @Test func unroutedWheelsPassWhole() {
    let rig = Rig()
    rig.routed = false
    play("HL-120 H-15x2", rig)
    #expect(rig.seen() == "REL_WHEEL_HI_RES=-120 REL_WHEEL=-1 | REL_WHEEL_HI_RES=-15 | REL_WHEEL_HI_RES=-15 |")
    #expect(rig.commands.isEmpty)
  }

  @Test func aSharedMouseGivesOnlyItsBoundDirection() {
    let rig = Rig("wheel-down = next", role: .shared)
    rig.frame([(EventType.rel, 0, 5), (EventType.rel, 11, -120), (EventType.rel, 8, -1)], at: 1)
    rig.frame([(EventType.rel, 8, 1)], at: 2)
    #expect(rig.commands == ["next"])
    #expect(rig.seen() == "REL_X=5 | REL_WHEEL=1 |")
  }
}
