import Document
import Testing

@testable import Typesetting

@Suite struct HyphenTests {
  private static func divide(_ word: String, _ patterns: HyphenPatterns) -> String {
    var points: [Int] = []
    let letters = word.unicodeScalars.map(\.value)
    patterns.find(in: letters, points: &points)
    var shown = ""
    for (index, letter) in word.unicodeScalars.enumerated() {
      if points.contains(index) { shown += "-" }
      shown.unicodeScalars.append(letter)
    }
    return shown
  }

  /// Knuth's own example, with the patterns that decide it.
  @Test func liang() {
    let patterns = HyphenPatterns(
      Array("UTF-8\nhy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n% a comment\n.as3s\n".utf8))
    #expect(Self.divide("hyphenation", patterns) == "hy-phen-ation")
    #expect(Self.divide("assess", patterns) == "as-sess")
    #expect(Self.divide("xassess", patterns) == "xassess")
  }

  @Test func directivesAndReplacements() {
    let patterns = HyphenPatterns(
      Array("ISO8859-1\nLEFTHYPHENMIN 3\nRIGHTHYPHENMIN 4\nNEXTLEVEL\na1b\nf1f/ff=f,1,2\n".utf8))
    #expect(patterns.leftMinimum == 3)
    #expect(patterns.rightMinimum == 4)
    #expect(Self.divide("xxabababxxx", patterns) == "xxa-ba-ba-bxxx")
    #expect(Self.divide("schiffahrten", patterns) == "schiffahrten")
  }

  /// With the patterns of Debian, as libhyphen divides. The packages are in `debian-packages.txt`.
  @Test(arguments: [
    ("en", "hyphenation", "hy-phen-ation"), ("en-GB", "representation", "rep-re-sen-ta-tion"),
    ("en_US", "supercalifragilistic", "su-per-cal-ifrag-ilis-tic"),
    ("de-AT", "donaudampfschiff", "do-nau-dampf-schiff"),
    ("de", "straßenverkehr", "stra-ßen-ver-kehr"), ("fr", "représentation", "re-pré-sen-ta-tion"),
    ("es-MX", "representación", "re-pre-sen-ta-ción"),
  ])
  func languages(tag: String, word: String, expected: String) throws {
    let patterns = try #require(HyphenLibrary.shared.patterns(for: tag), "no patterns for \(tag) in /usr/share/hyphen")
    #expect(Self.divide(word, patterns) == expected)
  }

  @Test func nothingInstalled() {
    let library = HyphenLibrary(folder: "/nonexistent")
    #expect(library.patterns(for: "en") == nil)
    #expect(HyphenLibrary.shared.patterns(for: "xx") == nil)
    #expect(HyphenLibrary.shared.patterns(for: "") == nil)
    #expect(HyphenLibrary.shared.patterns(for: "../../etc/passwd") == nil)
  }

  @Test(arguments: [
    ("en-GB", ["hyph_en_GB.dic", "hyph_en_US.dic"], "hyph_en_GB.dic"), ("en-GB", ["hyph_en_US.dic"], "hyph_en_US.dic"),
    ("en", ["hyph_en_GB.dic", "hyph_en_US.dic"], "hyph_en_US.dic"),
    ("de-CH-1901", ["hyph_de_CH.dic"], "hyph_de_CH.dic"),
    ("sr-latn-RS", ["hyph_sr_Latn.dic"], "hyph_sr_Latn.dic"), ("pt", ["hyph_pt_BR.dic"], "hyph_pt_BR.dic"),
  ])
  func files(tag: String, names: [String], expected: String) {
    #expect(HyphenLibrary.file(for: tag, among: names) == expected)
  }

  /// A hyphen is shown only where the paragraph has no good lines without.
  @Test func onlyWhereNeeded() {
    var maker = BlockMaker()
    maker.text("The cat sat on the mat and then it went to see the king of all the cats in the old town.")
    maker.text("Extraordinary representations misunderstood communication responsibilities notwithstanding.")
    let layout = ChapterLayout(maker.document(), geometry: Geometry(columns: 40, rows: 24), settings: .plainText)
    let text = layout.plainText(ofPage: 0)
    let lines = text.split(separator: "\n")
    #expect(!lines.prefix(3).contains { $0.hasSuffix("-") }, "\(text)")
    #expect(lines.contains { $0.hasSuffix("-") }, "\(text)")
    var settings = TypesettingSettings.plainText
    settings.hyphenation = false
    let plain = ChapterLayout(maker.document(), geometry: Geometry(columns: 40, rows: 24), settings: settings)
    #expect(!plain.plainText(ofPage: 0).contains("-"))
  }

  @Test func softHyphen() {
    var maker = BlockMaker()
    maker.text("Ge\u{AD}samt\u{AD}kon\u{AD}zept und Ge\u{AD}samt\u{AD}kon\u{AD}zept")
    let wide = ChapterLayout(
      maker.document(language: nil), geometry: Geometry(columns: 80, rows: 4), settings: .plainText)
    #expect(wide.plainText(ofPage: 0) == "Gesamtkonzept und Gesamtkonzept")
    let narrow = ChapterLayout(
      maker.document(language: nil), geometry: Geometry(columns: 12, rows: 9), settings: .plainText)
    #expect(narrow.plainText(ofPage: 0) == "Gesamtkon-\nzept und Ge-\nsamtkonzept")
  }
}
