import PageKeys
import ReaderIPC
import Testing

struct Timeline: CustomTestStringConvertible {
  let name: String
  let settings: String
  let play: String
  let expected: String
  var testDescription: String { name }

  init(_ name: String, _ settings: String, _ play: String, _ expected: String) {
    self.name = name
    self.settings = settings
    self.play = play
    self.expected = expected
  }
}

/// The timelines at the head of the gesture machine; `P`/`R` is VOLUMEDOWN (next), `p`/`r` VOLUMEUP (prev), in ms.
@Suite struct GestureTests {
  static let hold = "hold VOLUMEDOWN = last"
  static let double = "double VOLUMEDOWN = last"
  static let chord = "VOLUMEDOWN+VOLUMEUP = first"
  static let repeating = "repeat = 400ms/150ms"

  static let timelines: [Timeline] = [
    Timeline("1 tap", "", "P@0 R@700", "tap:next@0"),
    Timeline("2 repeat", repeating, "P@0 R@701", "tap:next@0 repeat:next@400000 repeat:next@550000 repeat:next@700000"),
    Timeline("2a never after the release", repeating, "P@0 R@399.999", "tap:next@0"),
    Timeline("2b released on the deadline", repeating, "P@0 R@400", "tap:next@0 repeat:next@400000"),
    Timeline("3 tap of a key with hold", hold, "P@0 R@100", "tap:next@100000"),
    Timeline("3a just before the hold", hold, "P@0 R@499.999", "tap:next@499999"),
    Timeline("4 hold", hold, "P@0 advance@500 R@900", "hold:last@500000"),
    Timeline("4a hold, seen late", hold, "P@0 R@900", "hold:last@500000"),
    Timeline("5 released on the deadline", hold, "P@0 R@500", "hold:last@500000"),
    Timeline("6 no second press", double, "P@0 R@50 advance@400", "tap:next@300000"),
    Timeline("7 double", double, "P@0 R@50 P@200 R@250", "double:last@200000"),
    Timeline("7a just in time", double, "P@0 R@50 P@299.999 R@350", "double:last@299999"),
    Timeline("8 too late", double, "P@0 R@50 P@300 R@350", "tap:next@300000 tap:next@600000"),
    Timeline("9 still down", double, "P@0 R@900", "tap:next@300000"),
    Timeline("9a three quick taps", double, "P@0 R@50 P@100 R@150 P@200 R@250", "double:last@100000 tap:next@500000"),
    Timeline(
      "10 double and repeat", double + "\n" + repeating, "P@0 R@560",
      "tap:next@300000 repeat:next@400000 repeat:next@550000"),
    Timeline("11 double and hold: tap", double + "\nhold VOLUMEDOWN = first", "P@0 R@350", "tap:next@350000"),
    Timeline("11a double and hold: hold", double + "\nhold VOLUMEDOWN = first", "P@0 R@600", "hold:first@500000"),
    Timeline(
      "11b double and hold: double", double + "\nhold VOLUMEDOWN = first", "P@0 R@50 P@100 R@900", "double:last@100000"),
    Timeline("12 chord", chord, "P@0 p@80 R@200 r@210", "chord:first@80000"),
    Timeline("12a chord in the other order", chord, "p@0 P@80 R@200 r@210", "chord:first@80000"),
    Timeline("12b held chord", chord, "P@0 p@80 R@3000 r@3010", "chord:first@80000"),
    Timeline("13 one after the other", chord, "P@0 R@60 p@80 r@90", "tap:next@60000 tap:prev@90000"),
    Timeline(
      "14 hold, then the other", chord + "\n" + hold, "P@0 p@600 r@650 R@700", "hold:last@500000 tap:prev@650000"),
    Timeline("14a chord and double", chord + "\n" + double, "P@0 p@400 r@450 R@500", "chord:first@400000"),
    Timeline("15 chord and repeat", chord + "\n" + repeating, "P@0 R@560", "tap:next@400000 repeat:next@550000"),
    Timeline("16 cancelled while waiting", double, "P@0 R@50 cancel@60 advance@900", ""),
    Timeline("16a cancelled while down", hold, "P@0 cancel@60 R@900", ""),
    Timeline("16b cancelled repeat", repeating, "P@0 cancel@60 R@900", "tap:next@0"),
    Timeline("16c the next press is one again", hold, "P@0 cancel@60 R@900 P@1000 R@1100", "tap:next@1100000"),
    Timeline("18 unplugged while waiting", double, "P@0 R@50 detach@60", "tap:next@60000"),
    Timeline("18a unplugged while down", hold, "P@0 detach@60", ""),
    Timeline("19 hold time of one's own", hold + "\nhold-time = 1s", "P@0 R@900", "tap:next@900000"),
    Timeline(
      "20 double time of one's own", double + "\ndouble-time = 500ms", "P@0 R@50 P@499 R@500", "double:last@499000"),
    Timeline("21 a key without a tap", "hold ESC = first\nVOLUMEDOWN = none\nhold VOLUMEDOWN = last", "P@0 R@100", ""),
  ]

  @Test(arguments: timelines) func plays(_ timeline: Timeline) {
    let rig = Rig(timeline.settings)
    rig.play(timeline.play)
    #expect(rig.story == timeline.expected)
    #expect(rig.seen() == "")
  }

  /// However often the pipeline is woken, the same comes out.
  @Test(arguments: timelines, [700, 7_000, 50_000] as [UInt64])
  func doesNotDependOnWakeUps(_ timeline: Timeline, step: UInt64) {
    let rig = Rig(timeline.settings)
    rig.play(timeline.play, step: step)
    #expect(rig.story == timeline.expected)
  }

  @Test func panicsOnceWhenTwoPageButtonsAreHeld() {
    let rig = Rig()
    rig.play("P@0 p@100 advance@5099.999")
    #expect(rig.panics == 1)
    #expect(rig.nextDeadline == nil)
    #expect(rig.story == "tap:next@0 tap:prev@100000")
  }

  @Test func panicComesOnTheDeadlineAndNotBefore() {
    let rig = Rig()
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.key(KeyCode.volumeUp, 1, at: 100_000)
    #expect(rig.nextDeadline == 5_100_000)
    rig.advance(to: 5_099_999)
    #expect(rig.panics == 0)
    rig.advance(to: 5_100_000)
    #expect(rig.panics == 1)
    rig.advance(to: 60_000_000)
    #expect(rig.panics == 1)
  }

  @Test func panicNeedsBothForTheWholeTime() {
    let rig = Rig()
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.key(KeyCode.volumeUp, 1, at: 100_000)
    rig.key(KeyCode.volumeUp, 0, at: 4_000_000)
    rig.key(KeyCode.volumeUp, 1, at: 4_100_000)
    rig.advance(to: 9_099_999)
    #expect(rig.panics == 0)
    rig.advance(to: 9_100_000)
    #expect(rig.panics == 1)
  }

  @Test func oneButtonOrAnUnroutedOneIsNoPanic() {
    let rig = Rig()
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.advance(to: 50_000_000)
    rig.routed = false
    rig.key(KeyCode.volumeUp, 1, at: 50_000_001)
    rig.advance(to: 99_000_000)
    #expect(rig.panics == 0)
  }

  @Test func panicHoldWorksBesideAChord() {
    let rig = Rig(GestureTests.chord)
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.key(KeyCode.volumeUp, 1, at: 50_000)
    rig.advance(to: 6_000_000)
    #expect(rig.panics == 1)
    #expect(rig.story == "chord:first@50000")
  }

  @Test func wakePressIsOnePressForEachReturn() {
    let rig = Rig("wake-press = next")
    rig.reconnected(at: 5)
    rig.routed = false
    rig.reconnected(at: 6)
    #expect(rig.story == "tap:next@5")
    let off = Rig()
    off.reconnected(at: 5)
    #expect(off.story == "")
  }

  @Test func thousandsOfRepeatsAtOnceStayBounded() {
    let rig = Rig("repeat = 10ms/10ms")
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.advance(to: 3_600_000_000)
    #expect(rig.fired.count == 257)
    #expect(rig.nextDeadline ?? 0 > 3_600_000_000)
    rig.key(KeyCode.volumeDown, 0, at: 3_600_000_001)
    #expect(rig.nextDeadline == nil)
  }

  /// The events of one frame may lie on both sides of a deadline.
  @Test func aDeadlineWithinAFrameComesInItsPlace() {
    for (release, story) in [(499_999, "tap:next@499999"), (500_000, "hold:last@500000")] as [(UInt64, String)] {
      let rig = Rig(GestureTests.hold)
      rig.key(KeyCode.volumeDown, 1, at: 0)
      rig.feed([
        InputEvent(type: EventType.msc, code: 4, value: 1, time: 499_000),
        InputEvent(type: EventType.key, code: KeyCode.volumeDown, value: 0, time: release),
        InputEvent(type: EventType.syn, code: 0, value: 0, time: 500_001),
      ])
      rig.advance(to: 900_000)
      #expect(rig.story == story)
    }
  }

  @Test func manyCancelledPressesLeaveNoTrace() {
    let rig = Rig(GestureTests.double)
    for round in UInt64(0)..<200 {
      rig.key(KeyCode.volumeDown, 1, at: round * 1_000_000)
      rig.key(KeyCode.volumeDown, 0, at: round * 1_000_000 + 10_000)
      rig.cancelGestures()
    }
    rig.key(KeyCode.volumeDown, 1, at: 300_000_000)
    rig.key(KeyCode.volumeDown, 0, at: 300_010_000)
    rig.advance(to: 400_000_000)
    #expect(rig.story == "tap:next@300300000")
  }

  @Test func oneButtonOnTwoNodesIsNoPanic() {
    let rig = Rig(nodes: [Rig.keyboard("a"), Rig.keyboard("b")])
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.volumeDown, 1, at: 100_000, node: 1)
    rig.advance(to: 60_000_000)
    #expect(rig.panics == 0)
    rig.key(KeyCode.volumeUp, 1, at: 60_000_000, node: 1)
    rig.advance(to: 65_000_000)
    #expect(rig.panics == 1)
  }

  @Test func aThirdButtonIsNoSecondPanic() {
    let rig = Rig()
    rig.play("P@0 p@100 advance@6000")
    rig.key(KeyCode.pageDown, 1, at: 7_000_000)
    rig.advance(to: 60_000_000)
    #expect(rig.panics == 1)
    for code in [KeyCode.pageDown, KeyCode.volumeUp, KeyCode.volumeDown] { rig.key(code, 0, at: 60_000_000) }
    rig.key(KeyCode.volumeUp, 1, at: 61_000_000)
    rig.key(KeyCode.volumeDown, 1, at: 61_000_000)
    rig.advance(to: 66_000_000)
    #expect(rig.panics == 2)
  }
}
