import PageKeys
import Testing

/// The timelines at the head of the debounce cell, and what the clone sees of a bouncing key.
@Suite struct DebounceTests {
  static let timelines: [Timeline] = [
    Timeline("1", "", "1@0 0@50", "tap:next@0"),
    Timeline("2", "", "1@0 0@2 1@4 0@500", "tap:next@0"),
    Timeline("3", "", "1@0 0@5", "tap:next@0"),
    Timeline("4", "", "1@0 0@100 1@102 0@104", "tap:next@0"),
    Timeline("5", "", "1@0 0@100 1@105 0@300", "tap:next@0 tap:next@120000"),
    Timeline("6 released as the window ends", "", "1@0 0@20 1@45 0@90", "tap:next@0 tap:next@45000"),
    Timeline("7 within the window is no press", "", "1@0 0@100 1@119.999 0@119.9995 advance@130", "tap:next@0"),
    Timeline("8 as the window ends it is one", "", "1@0 0@100 1@120 0@200", "tap:next@0 tap:next@120000"),
    Timeline(
      "zynthian 1338: bounce, 300 ms later the release bounces", "",
      "1@0 0@2 1@4 0@6 1@8 0@300 1@303 0@306", "tap:next@0"),
    Timeline(
      "zynthian 1338: a second press 100 ms later counts", "",
      "1@0 0@2 1@4 0@6 1@8 0@300 1@303 0@306 1@400 0@450", "tap:next@0 tap:next@400000"),
    Timeline("with hold: the last state counts", "hold VOLUMEDOWN = last", "1@0 0@2 1@4 0@900", "hold:last@500000"),
    Timeline("with hold: released within the window", "hold VOLUMEDOWN = last", "1@0 0@2", "tap:next@20000"),
    Timeline(
      "off by default: 5 ms taps all count", "debounce = 0", "1@0 0@5 1@10 0@15 1@20 0@25",
      "tap:next@0 tap:next@10000 tap:next@20000"),
  ]

  @Test(arguments: timelines) func plays(_ timeline: Timeline) {
    let rig = Rig("debounce = 20ms\n" + timeline.settings)
    rig.play(timeline.play)
    #expect(rig.story == timeline.expected)
    #expect(rig.seen() == "")
    #expect(!rig.isDown(0))
  }

  @Test(arguments: timelines, [300, 5_000] as [UInt64])
  func doesNotDependOnWakeUps(_ timeline: Timeline, step: UInt64) {
    let rig = Rig("debounce = 20ms\n" + timeline.settings)
    rig.play(timeline.play, step: step)
    #expect(rig.story == timeline.expected)
  }

  @Test func bouncesOfAPassedPressPass() {
    let rig = Rig("debounce = 20ms")
    rig.routed = false
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.routed = true
    rig.key(KeyCode.volumeDown, 0, at: 2_000)
    rig.key(KeyCode.volumeDown, 1, at: 4_000)
    rig.key(KeyCode.volumeDown, 0, at: 300_000)
    rig.advance(to: 900_000)
    #expect(rig.story == "")
    #expect(rig.clones[0]?.keys.isEmpty == true)
    #expect(rig.clones[0]?.presses == 2)
  }

  @Test func bouncesOfASwallowedPressAreSwallowed() {
    let rig = Rig("debounce = 20ms")
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.routed = false
    rig.key(KeyCode.volumeDown, 0, at: 2_000)
    rig.key(KeyCode.volumeDown, 1, at: 4_000)
    rig.key(KeyCode.volumeDown, 0, at: 300_000)
    rig.advance(to: 900_000)
    #expect(rig.seen() == "")
    rig.key(KeyCode.volumeDown, 1, at: 1_000_000)
    rig.key(KeyCode.volumeDown, 0, at: 1_100_000)
    #expect(rig.seen() == "VOLUMEDOWN=1 | VOLUMEDOWN=0 |")
    #expect(rig.story == "tap:next@0")
  }

  @Test func otherKeysAreNotDelayed() {
    let rig = Rig("debounce = 20ms", role: .shared)
    rig.key(30, 1, at: 0)
    rig.key(30, 0, at: 1)
    #expect(rig.seen() == "A=1 | A=0 |")
    #expect(rig.nextDeadline == nil)
  }
}
