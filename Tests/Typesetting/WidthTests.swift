import Testing

@testable import Typesetting

@Suite struct WidthTests {
  /// Columns as xterm and tmux move their cursors, and as a terminal that counts clusters does.
  @Test(arguments: [
    ("abc", 3, 3), ("", 0, 0), ("漢字", 4, 4), ("ｶﾀｶﾅ", 4, 4), ("ＡＢ", 4, 4), ("e\u{301}", 1, 1), ("가", 2, 2),
    ("\u{1100}\u{1161}\u{11A8}", 2, 2),
    ("क्ष", 2, 2), ("हिन्दी", 5, 5), ("नि", 2, 2), ("สำ", 2, 2), ("ท้", 1, 1), ("👩", 2, 2), ("🇩🇪", 2, 2), ("🇩🇪🇫🇷", 4, 4),
    ("❤", 1, 1), ("❤\u{FE0F}", 1, 2),
    ("👍🏽", 4, 2), ("👩\u{200D}🚀", 4, 2), ("👨\u{200D}👩\u{200D}👧", 6, 2), ("1\u{FE0F}\u{20E3}", 1, 1), ("\u{200B}", 0, 0),
    ("a\u{AD}b", 2, 2),
    ("\u{301}", 0, 0), ("a\u{200D}b", 2, 2), ("—…“”", 4, 4), ("①", 1, 1), ("🀄", 2, 2), ("\u{1F3FB}", 2, 2), ("𠀀", 2, 2),
    ("\u{E0067}", 0, 0),
    ("مرحبا", 5, 5), ("שָׁלוֹם", 4, 4), ("\u{1B}[31m", 4, 4), ("\u{9B}", 0, 0), ("\u{7F}", 0, 0),
  ])
  func columns(text: String, sum: Int, clusters: Int) {
    #expect(CellMetrics().width(of: text) == sum)
    #expect(CellMetrics(countsClusters: true).width(of: text) == clusters)
  }

  @Test func table() {
    let table = CellTable.shared
    #expect(table[0x0A] == CellTable.Class.control)
    #expect(table[0x9B] == CellTable.Class.control)
    #expect(table[0x41] == CellTable.Class.narrow)
    #expect(table[0x4E00] == CellTable.Class.wide)
    #expect(table[0x1F1FF] == CellTable.Class.regional)
    #expect(table[0x1F200] == CellTable.Class.wide)
    #expect(table[0x10FFFF] == CellTable.Class.narrow)
    #expect(table[0x3FFFD] == CellTable.Class.wide)
    #expect(table[0xFFFFFFFF] == CellTable.Class.narrow)
  }
}
