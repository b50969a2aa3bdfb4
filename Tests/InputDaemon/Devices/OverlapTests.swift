import PageKeys
import Testing

@testable import InputDaemon

@Suite struct OverlapTests {
  /// Key events in short: "30+ 30- 31+"; each comes 10 us after the one before.
  private static func events(_ text: String, from time: UInt64 = 100) -> [InputEvent] {
    text.split(separator: " ").enumerated().map { index, word in
      let code = UInt16(word.dropLast())!
      let type = word.hasSuffix("~") ? EventType.rel : EventType.key
      let value: Int32 =
        switch word.last {
        case "+": 1
        case "=": 2
        case "-": 0
        default: 7
        }
      return InputEvent(type: type, code: code, value: value, time: time + UInt64(index) * 10)
    }
  }

  @Test(arguments: [
    // Seen by the bystander from its last look to the grab; how many of them our queue begins with; what follows.
    ("", 0, "30+ 30-", 0),
    ("30+ 30-", 2, "", 2),
    ("30+ 30-", 2, "31+ 31-", 2),
    ("30+ 30- 31+", 1, "31- 30+", 1),
    ("30+ 30- 31+ 31-", 0, "30+ 30-", 0),
  ])
  func whatTheOthersSawBeforeAGrab(seen: String, overlap: Int, after: String, expected: Int) {
    let seen = Self.events(seen)
    let mine = seen.suffix(overlap) + Self.events(after, from: 1000)
    #expect(Overlap.countSeen(atStartOf: Array(mine), seen: seen) == expected)
  }

  @Test(arguments: [
    // Ours alone; what came after the grab; how much of that we had read, and how much the bystander.
    ("30+ 30-", "", 0, 0, 0),
    ("30+ 30-", "31+ 31-", 2, 2, 2),
    ("30+ 30-", "31+ 31- 32+", 1, 3, 1),
    ("", "31+ 31-", 2, 2, 2),
    ("30+", "30- 30+", 0, 2, 0),
  ])
  func whatTheOthersSawAfterAGrab(own: String, later: String, read: Int, seen: Int, expected: Int) {
    let later = Self.events(later, from: 1000)
    let mine = Self.events(own) + later.prefix(read)
    #expect(Overlap.countSeen(atEndOf: mine, seen: Array(later.prefix(seen))) == expected)
  }

  @Test(
    arguments: [
      // The rows of the table, and mixtures: missed before "|" and after it, later, believed down, written.
      ("30+ 30- |", "", [], "30+ 30-"),
      ("| 30+ 30-", "", [], "30+ 30-"),
      ("30+ |", "", [], "30- 30+"),
      ("30+ |", "30-", [], "30+ 30-"),
      ("30- | 30+", "", [30], "30-"),
      ("30- 30+ 30- | 30+", "", [30], "30- 30+ 30-"),
      ("| 30-", "", [30], "30+ 30-"),
      ("30- 30+ |", "", [30], "30- 30+"),
      ("| 30- 30+", "30-", [30], "30+ 30- 30+ 30-"),
      ("30- |", "", [], ""),
      ("30+ 30- | 30+ 30-", "", [], "30+ 30- 30+ 30-"),
      ("8~ | 1~", "", [], "8~ 1~"),
      ("30+ 31+ 30- 31- |", "", [], "30+ 30- 31+ 31-"),
      ("30+ 30- |", "30+", [], "30- 30+"),
      ("30= 30= |", "", [30], ""),
      ("30- 31+ | 30+", "31-", [30], "30- 31+ 31-"),
    ] as [(String, String, [UInt16], String)])
  func whatIsShownToTheOthers(text: String, later: String, down: [UInt16], written: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map { Self.events(String($0)) }
    let down = KeyBits(down)
    let repaired = Overlap.repair(
      missed: parts[0], last: parts[1], later: Self.events(later, from: 1000), believedDown: down,
      rewound: Overlap.keysUp(after: parts[0], of: down))
    let result = repaired.map { event in
      "\(event.code)" + (event.type == EventType.rel ? "~" : event.value == 0 ? "-" : "+")
    }
    #expect(result.joined(separator: " ") == written)
  }
}
