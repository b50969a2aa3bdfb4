import PageKeys
import Testing

/// De-duplication across the nodes of one remote; the numbers are those at the head of `Deduplicator`.
@Suite struct TwinTests {
  private func rig(_ count: Int = 3, _ lines: String = "") -> Rig {
    Rig(lines, nodes: (0..<count).map { Rig.keyboard("remote \($0)") })
  }

  private func play(_ text: String, _ rig: Rig) {
    for word in text.split(separator: " ") {
      let node = Int(word.utf8.first! - 65)
      let time = UInt64((Double(word.dropFirst()) ?? 0) * 1000)
      rig.key(KeyCode.volumeDown, 1, at: time, node: node)
      rig.key(KeyCode.volumeDown, 0, at: time, node: node)
    }
  }

  @Test(arguments: [
    ("A0 B30", "tap:next@0"),
    ("A0 B29.999", "tap:next@0"),
    ("A0 B30.001", "tap:next@0 tap:next@30001"),
    ("A0 B10 B20", "tap:next@0 tap:next@20000"),
    ("A0 A10 B12 B20", "tap:next@0 tap:next@10000"),
    ("A0 B10 C20", "tap:next@0"),
    ("A0 B25 A50", "tap:next@0 tap:next@50000"),
    ("A0 A5", "tap:next@0 tap:next@5000"),
    ("A0 B25 C50", "tap:next@0 tap:next@50000"),
    ("A0 B5 B40 A45", "tap:next@0 tap:next@40000"),
    // Read in another order than they happened: the same press all the same.
    ("A20 B0", "tap:next@20000"),
  ])
  func absorbs(_ play: String, _ expected: String) {
    let rig = rig()
    self.play(play, rig)
    #expect(rig.story == expected)
  }

  @Test func differentKeysWithOneMeaningAreTheSamePress() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.pageDown, 1, at: 10_000, node: 1)
    rig.key(KeyCode.volumeDown, 0, at: 90_000, node: 0)
    rig.key(KeyCode.pageDown, 0, at: 95_000, node: 1)
    #expect(rig.story == "tap:next@0")
    #expect(rig.seen(1) == "")
  }

  @Test func differentMeaningsBothCount() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.volumeUp, 1, at: 10_000, node: 1)
    #expect(rig.story == "tap:next@0 tap:prev@10000")
  }

  @Test func theReleaseOfAnAbsorbedPressEndsNothing() {
    let rig = rig(2, "hold VOLUMEDOWN = last")
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.volumeDown, 1, at: 10_000, node: 1)
    rig.key(KeyCode.volumeDown, 0, at: 100_000, node: 1)
    rig.advance(to: 600_000)
    #expect(rig.story == "hold:last@500000")
  }

  @Test func aDoubleSpansNodes() {
    let rig = rig(2, "double VOLUMEDOWN = last")
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.volumeDown, 1, at: 1_000, node: 1)
    rig.key(KeyCode.volumeDown, 0, at: 50_000, node: 0)
    rig.key(KeyCode.volumeDown, 0, at: 51_000, node: 1)
    rig.key(KeyCode.volumeDown, 1, at: 150_000, node: 1)
    rig.key(KeyCode.volumeDown, 1, at: 151_000, node: 0)
    rig.advance(to: 900_000)
    #expect(rig.story == "double:last@150000")
  }

  @Test func aTwinGoesWhereTheFirstWent() {
    let rig = rig(2)
    rig.routed = false
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.routed = true
    rig.key(KeyCode.volumeDown, 1, at: 10_000, node: 1)
    #expect(rig.story == "")
    #expect(rig.seen(1) == "VOLUMEDOWN=1 |")
    rig.key(KeyCode.volumeDown, 1, at: 200_000, node: 2)
    let other = self.rig(2)
    other.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    other.routed = false
    other.key(KeyCode.volumeDown, 1, at: 10_000, node: 1)
    other.key(KeyCode.volumeDown, 0, at: 20_000, node: 1)
    #expect(other.story == "tap:next@0")
    #expect(other.seen(1) == "")
  }

  /// A frame lets no other node's deadline come due: how far that one has been read says nothing.
  @Test func aNodeThatIsReadLaterIsNotTooLate() {
    let rig = rig(2, "hold VOLUMEDOWN = last")
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.menu, 1, at: 700_000, node: 1)
    rig.key(KeyCode.volumeDown, 0, at: 499_000, node: 0)
    rig.advance(to: 700_000)
    #expect(rig.story == "tap:toggle@700000 tap:next@499000")
  }

  @Test func aNodeThatVanishesHasStillPressed() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.detach(0, at: 5_000)
    rig.key(KeyCode.volumeDown, 1, at: 10_000, node: 1)
    rig.key(KeyCode.volumeDown, 0, at: 50_000, node: 1)
    rig.key(KeyCode.volumeDown, 1, at: 60_000, node: 1)
    #expect(rig.story == "tap:next@0 tap:next@60000")
  }

  @Test func aNodeThatComesBackAtOnceTellsThePressAgain() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.detach(0, at: 5_000)
    #expect(rig.attach(Rig.keyboard("again"), role: .pageTurner) == 0)
    rig.key(KeyCode.volumeDown, 1, at: 10_000, node: 0)
    #expect(rig.story == "tap:next@0")
  }

  /// The number that was absorbed once belongs to another node now.
  @Test func aNewNodeIsNotTheOldOne() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.key(KeyCode.volumeDown, 1, at: 1_000, node: 1)
    rig.detach(1, at: 2_000)
    #expect(rig.attach(Rig.keyboard("again"), role: .pageTurner) == 1)
    rig.key(KeyCode.volumeDown, 1, at: 3_000, node: 1)
    #expect(rig.story == "tap:next@0")
  }

  @Test func aReusedNumberRemembersNothing() {
    let rig = rig(2)
    rig.key(KeyCode.volumeDown, 1, at: 0, node: 0)
    rig.detach(1, at: 1_000)
    let number = rig.attach(Rig.keyboard("again"), role: .pageTurner)
    #expect(number == 1)
    rig.key(KeyCode.volumeDown, 1, at: 2_000, node: 1)
    #expect(rig.story == "tap:next@0")
    for _ in 0..<500 {
      rig.detach(1, at: 3_000)
      #expect(rig.attach(Rig.keyboard("again"), role: .pageTurner) == 1)
    }
  }
}
