import TestSupport
import Testing

@testable import Terminal

@Suite struct InputDecoderTests {
  private func decode(_ text: String, wait: UInt64 = 0) -> [TerminalEvent] {
    var decoder = InputDecoder()
    var events: [TerminalEvent] = []
    decoder.feed(text.utf8, at: 1_000, into: &events)
    if wait > 0 { decoder.advance(to: 1_000 + wait, into: &events) }
    return events
  }

  @Test(arguments: [
    ("a", TerminalEvent.key(.character("a"), [])), ("é", .key(.character("é"), [])),
    ("字", .key(.character("字"), [])), ("😀", .key(.character("😀"), [])),
    ("\r", .key(.enter, [])), ("\n", .key(.enter, [])), ("\t", .key(.tab, [])), ("\u{7F}", .key(.backspace, [])),
    ("\u{3}", .key(.character("c"), .control)), ("\u{0}", .key(.character(" "), .control)),
    ("\u{1C}", .key(.character("\\"), .control)),
    ("\u{1B}[A", .key(.up, [])), ("\u{1B}OB", .key(.down, [])), ("\u{1B}[1;5C", .key(.right, .control)),
    ("\u{1B}[1;3D", .key(.left, .alt)), ("\u{1B}[5~", .key(.pageUp, [])), ("\u{1B}[6;2~", .key(.pageDown, .shift)),
    ("\u{1B}[H", .key(.home, [])), ("\u{1B}[4~", .key(.end, [])), ("\u{1B}[Z", .key(.tab, .shift)),
    ("\u{1B}OP", .key(.function(1), [])), ("\u{1B}[24~", .key(.function(12), [])),
    ("\u{1B}[[A", .key(.function(1), [])), ("\u{1B}[97;5u", .key(.character("a"), .control)),
    ("\u{1B}[27;2;13~", .key(.enter, .shift)), ("\u{1B}x", .key(.character("x"), .alt)),
    ("\u{1B}\r", .key(.enter, .alt)), ("\u{1B}é", .key(.character("é"), .alt)),
    ("\u{1B}[I", .focus(true)), ("\u{1B}[O", .focus(false)),
    ("\u{1B}[<0;5;3M", .mouse(.init(action: .press(0), row: 2, column: 4))),
    ("\u{1B}[<0;5;3m", .mouse(.init(action: .release(0), row: 2, column: 4))),
    ("\u{1B}[<65;1;1M", .mouse(.init(action: .wheelDown, row: 0, column: 0))),
    ("\u{1B}[<20;1;1M", .mouse(.init(action: .press(0), row: 0, column: 0, modifiers: [.shift, .control]))),
    ("\u{1B}[M !!", .mouse(.init(action: .press(0), row: 0, column: 0))),
    ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~", .paste("a\u{1B}[Ab")), ("\u{1B}[200~\u{1B}[201~", .paste("")),
    ("\u{1B}[?2026;2$y", .answer(.mode(2026, state: 2))), ("\u{1B}[?62;4;22c", .answer(.attributes([62, 4, 22]))),
    ("\u{1B}[6;16;8t", .answer(.cellSize(width: 8, height: 16))),
    ("\u{1B}_Gi=31;OK\u{1B}\\", .answer(.string(introducer: UInt8(ascii: "_"), Array("Gi=31;OK".utf8)))),
    ("\u{1B}]11;rgb:0/0/0\u{7}", .answer(.string(introducer: UInt8(ascii: "]"), Array("11;rgb:0/0/0".utf8)))),
  ])
  func oneEvent(input: String, expected: TerminalEvent) {
    #expect(decode(input) == [expected])
    // The same bytes one at a time.
    var decoder = InputDecoder()
    var events: [TerminalEvent] = []
    for byte in input.utf8 { decoder.feed([byte], at: 0, into: &events) }
    #expect(events == [expected])
    #expect(decoder.nextDeadline == nil)
  }

  static let lone: [(Int, String, UInt64, [TerminalEvent])] = [
    (1, "\u{1B}", 50_000, [.key(.escape, [])]), (1, "\u{1B}", 49_999, []),
    (2, "\u{1B}j", 0, [.key(.character("j"), .alt)]),
    (3, "\u{1B}\u{1B}", 50_000, [.key(.escape, []), .key(.escape, [])]),
    (4, "\u{1B}[", 50_000, [.key(.character("["), .alt)]), (4, "\u{1B}O", 50_000, [.key(.character("O"), .alt)]),
    (5, "\u{1B}[1;", 200_000, []),
    (6, "\u{1B}[1;\u{1B}[A", 0, [.key(.up, [])]), (6, "\u{1B}[1\u{18}a", 0, [.key(.character("a"), [])]),
    (6, "\u{1B}[1é", 0, [.key(.character("é"), [])]),
    (7, "\u{1B}[" + String(repeating: "1;", count: 500) + "Ax", 0, [.key(.character("x"), [])]),
    (8, "\u{1B}]0;" + String(repeating: "a", count: 5000) + "\u{7}x", 0, [.key(.character("x"), [])]),
    (8, "\u{1B}Pabc", 1_000_000, []),
    (9, "\u{1B}[200~abc", 2_000_000, [.paste("abc")]), (9, "\u{1B}[200~abc", 1_999_999, []),
    (10, "\u{1B}[999999999999999999999999A", 0, [.key(.up, [])]),
  ]

  @Test(arguments: lone)
  func timeline(number: Int, input: String, wait: UInt64, expected: [TerminalEvent]) {
    #expect(decode(input, wait: wait) == expected)
  }

  @Test(
    arguments: [
      ([0xFF], 1), ([0xC3, 0x28], 2), ([0xE5, 0xAD], 0), ([0xC0, 0x80], 2), ([0xED, 0xA0, 0x80], 1), ([0xC2, 0x85], 1),
      ([0xF4, 0x90, 0x80, 0x80], 1),
    ] as [([UInt8], Int)])
  func whatIsNotUTF8(bytes: [UInt8], count: Int) {
    var decoder = InputDecoder()
    var events: [TerminalEvent] = []
    decoder.feed(bytes, at: 0, into: &events)
    #expect(events.count == count)
    if let first = events.first { #expect(first == .key(.character("\u{FFFD}"), [])) }
    decoder.advance(to: 200_000, into: &events)
    decoder.feed([0x61], at: 200_000, into: &events)
    #expect(events.last == .key(.character("a"), []))
  }

  @Test func aPasteIsBounded() {
    var decoder = InputDecoder()
    var events: [TerminalEvent] = []
    decoder.feed("\u{1B}[200~".utf8, at: 0, into: &events)
    decoder.feed(repeatElement(0x61, count: InputDecoder.pasteLimit * 2), at: 0, into: &events)
    decoder.feed("\u{1B}[201~b".utf8, at: 0, into: &events)
    #expect(events.count == 2)
    if case .paste(let text) = events.first { #expect(text.utf8.count == InputDecoder.pasteLimit) }
    #expect(events.last == .key(.character("b"), []))
  }

  /// Whatever comes in: after the deadlines it is as new, and a key is the key that was pressed.
  @Test func nothingWedgesTheDecoder() {
    let pieces: [[UInt8]] = [
      [0x1B], Array("[".utf8), Array("O".utf8), Array("]".utf8), Array("P".utf8), Array("_".utf8), Array("<".utf8),
      Array("?".utf8), Array("200~".utf8), Array("201~".utf8), Array("M".utf8), Array(";".utf8), Array("$y".utf8),
      [0x18], [0x9B], [0xE5], [0xAD], [0xFF], [0x07], Array("\\".utf8), Array("99999999999".utf8), [0x00],
    ]
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var decoder = InputDecoder()
      var events: [TerminalEvent] = []
      var now: UInt64 = 0
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let piece =
          Bool.random(using: &random)
          ? pieces.randomElement(using: &random)! : [UInt8.random(in: 0...255, using: &random)]
        decoder.feed(piece, at: now, into: &events)
      }
      while let deadline = decoder.nextDeadline {
        now = deadline
        decoder.advance(to: now, into: &events)
      }
      events.removeAll()
      decoder.feed("q".utf8, at: now, into: &events)
      #expect(events == [.key(.character("q"), [])], "seed \(seed)")
    }
  }
}
