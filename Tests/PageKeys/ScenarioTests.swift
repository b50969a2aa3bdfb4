import PageKeys
import ReaderIPC
import TestSupport
import Testing

/// Failures that users of such tools reported, where the kernel plays no part; each is named after its source.
@Suite struct ScenarioTests {
  /// KEY events of one node, 1 and 0, in ms.
  private func play(_ rig: Rig, _ code: UInt16, _ times: [Double], node: Int = 0) {
    for (index, time) in times.enumerated() {
      rig.key(code, index % 2 == 0 ? 1 : 0, at: UInt64(time * 1000), node: node)
    }
  }

  private func trace(_ name: String) throws -> Recording {
    try Recording(evemu: try #require(TextFiles.bytes(TestPaths.shared + "/traces/" + name)))
  }

  @Test("4 gvalkov/python-evdev 4: down and up arrive at the same reader") func pythonEvdev4() {
    let rig = Rig(role: .shared)
    rig.key(30, 1, at: 0)
    rig.routed = false
    rig.catchUp(at: 1)
    rig.routed = true
    rig.key(30, 0, at: 2)
    #expect(rig.seen() == "A=1 | A=0 |")
  }

  @Test("7 sezanzeb/input-remapper 25, 765: twenty reconnects are twenty presses") func inputRemapper25() {
    let rig = Rig()
    for round in UInt64(0)..<20 {
      rig.key(KeyCode.volumeDown, 1, at: round * 10)
      rig.key(KeyCode.volumeDown, 0, at: round * 10 + 1)
      rig.detach(at: round * 10 + 2)
      #expect(rig.attach(Rig.keyboard(), role: .pageTurner) == 0)
    }
    #expect(rig.commands.count == 20)
  }

  @Test("9 jtroo/kanata 211: each cut press leaves nothing held, each complete one counts") func kanata211() {
    let rig = Rig("hold VOLUMEDOWN = last", role: .shared)
    var complete = 0
    for round in UInt64(0)..<200 {
      let time = round * 1_000_000
      rig.key(30, 1, at: time)
      rig.key(KeyCode.volumeDown, 1, at: time)
      if round % 3 != 0 {
        rig.key(KeyCode.volumeDown, 0, at: time + 10_000)
        complete += 1
      }
      rig.detach(at: time + 20_000)
      #expect(rig.clones[0]?.keys.isEmpty == true)
      _ = rig.attach(Rig.keyboard(), role: .shared)
    }
    #expect(rig.commands.count == complete)
    #expect(rig.nextDeadline == nil)
  }

  @Test("10 VocaHQ/vocalinux 338: a release that was lost in an overflow") func vocalinux338() {
    let rig = Rig("repeat = 400ms/150ms")
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.invent([(1, KeyCode.volumeDown, 0)], at: 300_000)
    rig.advance(to: 10_000_000)
    #expect(rig.commands == ["next"])
    #expect(rig.nextDeadline == nil, "nothing is left to do: no core is eaten")
  }

  @Test("13 Tharavol/bluetooth.koplugin: identical press and release frames") func bluetoothKoplugin13() throws {
    #expect(try trace("free3-remote-scancodes-only.evemu").replay(Profiles.shipped, role: .pageTurner).count == 7)
  }

  @Test("14 the same: both presses of a pair count, a long hold counts once") func bluetoothKoplugin14() throws {
    #expect(try trace("free3-remote.evemu").replay(Profiles.shipped, role: .pageTurner).count == 7)
    #expect(try trace("kobo-remote.evemu").replay(Profiles.shipped, role: .pageTurner).count == 6)
    let rig = Rig()
    play(rig, KeyCode.up, [0, 2040])
    #expect(rig.commands == ["prev"])
  }

  @Test("14 with repeat on, the hold repeats") func bluetoothKoplugin14Repeat() throws {
    var configuration = Profiles.shipped
    try configuration.add("[device \"Kobo Remote\"]\nrepeat = 400ms/200ms", file: "x")
    let fired = try trace("kobo-remote.evemu").replay(configuration, role: .pageTurner)
    #expect(fired.count(where: { $0.gesture == .repeat }) == 6)
    #expect(fired.count(where: { $0.gesture == .tap }) == 6)
  }

  @Test("15 zynthian 1338: a pedal that bounces") func zynthian1338() {
    let rig = Rig("B = next\ndebounce = 20ms")
    play(rig, 48, [0, 2, 4, 6, 8])
    rig.key(48, 0, at: 308_000)
    rig.key(48, 1, at: 310_000)
    rig.key(48, 0, at: 312_000)
    rig.key(48, 1, at: 412_000)
    rig.key(48, 0, at: 500_000)
    rig.advance(to: 900_000)
    #expect(rig.story == "tap:next@0 tap:next@412000")
  }

  @Test("17 geometer/FBReaderJ 508: held keys") func fbreader508() {
    func held(_ lines: String) -> Rig {
      let rig = Rig(lines)
      rig.frame([(1, KeyCode.pageDown, 1)], at: 0)
      for step in UInt64(0)..<10 { rig.frame([(1, KeyCode.pageDown, 2)], at: 248_000 + step * 33_000, end: 1) }
      rig.frame([(1, KeyCode.pageDown, 0)], at: 600_000)
      rig.advance(to: 5_000_000)
      return rig
    }
    #expect(held("").story == "tap:next@0")
    #expect(
      held("repeat = 300ms/100ms").story
        == "tap:next@0 repeat:next@300000 repeat:next@400000 repeat:next@500000 repeat:next@600000")
  }

  @Test("19 sezanzeb/input-remapper 84: rollover in one frame") func inputRemapper84() throws {
    #expect(
      try trace("egv101-rollover.evemu").replay(Profiles.shipped, role: .pageTurner).map(\.command) == [.toggle, .prev])
  }

  @Test("19 evemu Plantronics: press and release in one frame, and a latch") func plantronics() throws {
    let bindings = try ["BTN_0=prev", "BTN_1=next", "BTN_3=toggle", "BTN_2=first"].map { try Configuration.binding($0) }
    let fired = try trace("plantronics-648-buttons.evemu").replay(
      Profiles.shipped, role: .pageTurner, bindings: bindings)
    #expect(
      fired.map(\.command.description) == [
        "first", "next", "prev", "first", "toggle", "toggle", "prev", "next", "first",
      ])
  }

  @Test("20 tsowell/kobo-btpt 11: one command a swipe, the stray frame gives none") func koboBtpt11() throws {
    let fired = try trace("kinmates-t01-ring-ebook-down.evemu").replay(Profiles.shipped)
    #expect(fired.map(\.command) == [.next], "known by name, without a role given")
    var seen = 0
    try trace("kinmates-t01-ring-ebook-down.evemu").replay(Profiles.shipped) { seen += $0.passed.count }
    #expect(seen == 0, "the pointer does not move")
  }

  @Test("20 D01: one stroke, the same place told twice") func koboBtpt11Strokes() {
    let rig = Rig(nodes: [TouchTests.pen()])
    TouchTests.play("t y1012 | y1100 | y1400 | y1700 | y2000 | y2300 | l | y2600 |", rig)
    TouchTests.play("t y1012 | y1100 | y1400 | y1700 | y2000 | y2300 | l | y2600 |", rig)
    TouchTests.play("t y3000 | y2600 | y500 | l |", rig)
    #expect(rig.commands == ["prev", "prev", "next"])
  }

  @Test("20 JX-11: multi-touch, a little oblique") func koboBtpt38() {
    var node = TouchTests.fingers()
    node.setAxis(0x36, AxisInfo(minimum: 0, maximum: 1000))
    let rig = Rig(nodes: [node])
    let stroke =
      "i2 X700 t x700 | X660 Y500 x660 y500 | X620 Y490 x620 y490 | X500 Y485 x500 y485 | X300 x300 | i-1 l |"
    TouchTests.play(stroke, rig)
    TouchTests.play(stroke.replacing("i2", with: "i3"), rig)
    #expect(rig.commands == ["next", "next"])
  }

  @Test("22 houmain/keymapper 268: the wheel's other resolution") func keymapper268() throws {
    let recording = try trace("mouse-wheel-two-notches.evemu")
    var seen = 0
    recording.replay(Profiles.shipped, role: .pageTurner) { seen += $0.passed.count }
    #expect(seen == 0)
    #expect(recording.replay(Profiles.shipped, role: .pageTurner).count == 2)
  }

  @Test("22 sezanzeb/input-remapper 1011: eight steps of fifteen are one notch") func inputRemapper1011() {
    let rig = Rig()
    for step in UInt64(0)..<7 { rig.frame([(2, 11, -15)], at: step * 8000) }
    rig.frame([(2, 11, -15), (2, 8, -1)], at: 56_000)
    #expect(rig.commands == ["next"])
    for step in UInt64(0)..<16 { rig.frame([(2, 11, -15)], at: 2_000_000 + step * 8000) }
    #expect(rig.commands == ["next", "next", "next"])
    #expect(rig.seen() == "")
  }

  @Test("23 sezanzeb/input-remapper 430: one remote of three nodes") func inputRemapper430() {
    let nodes = ["X", "X Keyboard", "X Mouse"].map { name -> NodeDescription in
      var node = Rig.keyboard(name)
      node.uniq = "AA:BB:CC:DD:EE:FF"
      node.bus = Bus.bluetooth
      return node
    }
    #expect(Set(nodes.map { RemoteIdentity($0) }).count == 1)
    #expect(RemoteIdentity.name(of: nodes) == "X")
    let rig = Rig(nodes: nodes)
    rig.key(KeyCode.right, 1, at: 0, node: 1)
    rig.key(KeyCode.right, 0, at: 50_000, node: 1)
    rig.key(KeyCode.volumeUp, 1, at: 1_000_000, node: 2)
    rig.key(KeyCode.volumeUp, 0, at: 1_050_000, node: 2)
    rig.key(KeyCode.right, 1, at: 2_000_000, node: 0)
    rig.key(KeyCode.right, 1, at: 2_010_000, node: 1)
    rig.key(KeyCode.right, 0, at: 2_050_000, node: 0)
    rig.key(KeyCode.right, 0, at: 2_060_000, node: 1)
    #expect(rig.commands == ["next", "prev", "next"])
  }

  @Test("27 readest/readest 4139: song and volume keys go to a background reader, else they pass") func readest4139() {
    let rig = Rig()
    for (index, code) in [KeyCode.nextSong, KeyCode.playPause, KeyCode.volumeUp].enumerated() {
      rig.key(code, 1, at: UInt64(index) * 100_000)
      rig.key(code, 0, at: UInt64(index) * 100_000 + 50_000)
    }
    #expect(rig.commands == ["next", "toggle", "prev"])
    #expect(rig.seen() == "")
    rig.routed = false
    rig.key(KeyCode.nextSong, 1, at: 900_000)
    rig.key(KeyCode.nextSong, 0, at: 950_000)
    #expect(rig.seen() == "NEXTSONG=1 | NEXTSONG=0 |")
  }

  @Test("python-evdev 101: a dial misses nothing") func pythonEvdev101() {
    let rig = Rig("BTN_0 = toggle")
    for step in UInt64(0)..<50 {
      rig.frame([(2, RelativeCode.dial, 1)], at: step * 5000)
      rig.frame([(1, KeyCode.btn0, 1), (1, KeyCode.btn0, 0)], at: step * 5000 + 1)
    }
    #expect(rig.commands.count == 100)
  }

  @Test("tsowell/kobo-btpt 27: a remote that also sends POWER") func koboBtpt27() {
    let node = NodeDescription(name: "D01 Pro")
    #expect(Profiles.shipped.settings(for: [node]).swallows == [KeyCode.power])
  }

  @Test("rgerganov/footswitch 12: press and release come together") func footswitch12() {
    let rig = Rig("B = next\ndebounce = 20ms\nhold B = last")
    for step in UInt64(0)..<5 { rig.frame([(1, 48, 1), (1, 48, 0)], at: step * 300_000) }
    rig.advance(to: 5_000_000)
    #expect(rig.commands == ["next", "next", "next", "next", "next"])
  }

  @Test("jtroo/kanata 1555: phantom releases shorter than 25 ms") func kanata1555() {
    let rig = Rig("debounce = 25ms\nhold VOLUMEDOWN = last")
    play(rig, KeyCode.volumeDown, [0, 100, 118, 900])
    rig.advance(to: 5_000_000)
    // The first edge acts: the phantom release ends the press, the last state begins another.
    #expect(rig.story == "tap:next@100000 hold:last@625000")
  }
}
