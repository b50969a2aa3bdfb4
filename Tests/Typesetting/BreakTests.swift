import Document
import Testing

@testable import Typesetting

@Suite struct BreakTests {
  /// The pairs of the fast table say what the library says.
  @Test(arguments: 0..<20)
  func tableAgreesWithLibrary(seed: Int) {
    let alphabet = Array(
      "abcXYZ 0123 .,;:!?()[]{}'\"$%&/-+*|\u{A0}\u{AB}\u{BB}’“”‘—–…é ñ€\u{AD}\n  £°¿¡\\=\u{2060}\u{200B}\u{200A}↩α⁴ὶ₂"
        .unicodeScalars.map(\.value))
    var generator = SeededGenerator(UInt64(seed))
    for _ in 0..<500 {
      // What stands after blanks at the start of a line is of no account: they vanish.
      let text = [0x61] + (0..<24).map { _ in alphabet.randomElement(using: &generator)! }
      if zip(text, text.dropFirst()).contains(where: { $0 == 0x0A && $1 == 0x20 }) { continue }
      var fast: [Int8] = []
      var library: [Int8] = []
      let isWestern = LatinBreaks.find(in: text, into: &fast)
      #expect(isWestern)
      LineBreakHandle.find(in: text, language: "", into: &library)
      let shown = String(String.UnicodeScalarView(text.map { Unicode.Scalar($0)! }))
      #expect(fast == library, "\(shown.debugDescription)")
    }
  }

  /// Where lines end when each has no room: "|" stands at every opportunity.
  @Test(arguments: [
    ("the sea-girt isle", "the |sea-|girt |isle"), ("w\u{A0}domu i", "w\u{A0}domu |i"),
    ("said—and went", "said—|and |went"), ("—Hola, dijo", "—Hola, |dijo"), ("“Ah!” he", "“Ah!” |he"),
    ("word—“quoted”", "word—|“quoted”"), ("a - b -c", "a |- |b |-c"), ("and/or", "and/|or"),
    ("$5,000.00 net", "$5,000.00 |net"),
    ("春は、眠い。", "春|は、|眠|い。"), ("「猫」と", "「猫」|と"), ("キャット", "キャッ|ト"), ("“你好”他说", "“你|好”|他|说"), ("好……", "好……"),
    ("éte\u{301} x", "éte\u{301} |x"), ("👩‍🚀👍🏽", "👩‍🚀|👍🏽"), ("🇩🇪🇫🇷", "🇩🇪|🇫🇷"), ("क्षत्रिय", "क्षत्रिय"), ("x\u{200B}y", "x\u{200B}|y"),
    ("co\u{AD}op", "co\u{AD}|op"), ("http://a.org/b", "http://|a.org/|b"), ("等等（注）。", "等|等|（注）。"),
  ])
  func opportunities(text: String, expected: String) {
    var flat = FlatText()
    flat.fill(
      .init(runs: [.init(text: text, offsets: .from(0))]), isPreformatted: false, ruby: .brackets,
      metrics: CellMetrics())
    var breaks: [Int8] = []
    BreakRules.find(in: flat, language: "", softHyphens: true, into: &breaks)
    var shown = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      shown.append(scalar)
      if breaks[index] == LineBreakHandle.allowBreak { shown.append("|") }
    }
    #expect(String(shown).unicodeScalars.map(\.value) == expected.unicodeScalars.map(\.value), "\(String(shown))")
  }

  @Test func softHyphensOnlyIfWanted() {
    var flat = FlatText()
    flat.fill(
      .init(runs: [.init(text: "Ge\u{AD}samt", offsets: .from(0))]), isPreformatted: false, ruby: .brackets,
      metrics: CellMetrics())
    var breaks: [Int8] = []
    BreakRules.find(in: flat, language: "de", softHyphens: false, into: &breaks)
    #expect(breaks.dropLast().allSatisfy { $0 == LineBreakHandle.noBreak })
  }
}
