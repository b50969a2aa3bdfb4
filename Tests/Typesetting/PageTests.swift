import Document
import Testing

@testable import Typesetting

/// What pages look like, case by case.
@Suite struct PageTests: PageSetting {
  // MARK: - Paragraphs

  @Test func justified() {
    let pages = text(40, 20) {
      $0.text("It is a way I have of driving off the spleen and regulating the circulation of the blood.")
    }
    let lines = pages[0].split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.dropLast().allSatisfy { $0.count == 40 }, "\(pages[0])")
    #expect(!lines.contains { $0.contains("   ") }, "\(pages[0])")
    #expect(lines.last!.count < 40)
  }

  @Test func raggedKeepsSingleBlanks() {
    let pages = text(40, 20, settings: { $0.alignment = .start }) {
      $0.text("It is a way I have of driving off the spleen and regulating the circulation of the blood.")
    }
    #expect(!pages[0].contains("  "))
  }

  @Test func indentAndSpacing() {
    let indented = text(40, 20) {
      $0.text("First paragraph.")
      $0.text("Second paragraph.")
      $0.text("Third.") { $0.textIndent = 0 }
    }
    #expect(indented == ["First paragraph.\n  Second paragraph.\n\nThird."])
    let spaced = text(40, 20, settings: { $0.paragraphStyle = .spacing }) {
      $0.text("First paragraph.") { $0.textIndent = 2 }
      $0.text("Second paragraph.")
    }
    #expect(spaced == ["First paragraph.\n\nSecond paragraph."])
  }

  /// An ideographic blank or an opening bracket is the indent.
  @Test func noDoubleIndent() {
    let pages = text(20, 20, language: "ja") {
      $0.text("春は眠い。")
      $0.text("\u{3000}春は眠い。") { $0.textIndent = 1 }
      $0.text("「猫」と言う。") { $0.textIndent = 1 }
    }
    #expect(pages == ["  春は眠い。\n\u{3000}春は眠い。\n「猫」と言う。"])
    #expect(text(20, 9, language: "zh") { $0.text("中文。") } == ["    中文。"])
  }

  @Test func kinsoku() {
    // The comma may not begin the second line, the bracket not end the first.
    #expect(text(8, 9, language: nil) { $0.text("春春春春、春") } == ["春春春\n春、春"])
    #expect(text(8, 9, language: nil) { $0.text("春春春「春」春") } == ["春春春\n「春」春"])
  }

  @Test func forcedBreaks() {
    #expect(text(40, 9) { $0.text("Word1\nWord2 tail\nWord3") } == ["Word1\nWord2 tail\nWord3"])
    #expect(text(40, 9) { $0.text("One\n\nTwo") } == ["One\n\nTwo"])
  }

  @Test func longAddress() {
    let pages = text(30, 9) { $0.text("see https://example.org/some/folder/page?x=1&y=2 there") }
    #expect(pages[0].split(separator: "\n").allSatisfy { $0.count <= 30 })
    #expect(pages[0].replacing("\n", with: "").contains("example.org/some/folder/page?x=1&y=2"), "\(pages[0])")
  }

  @Test func noControlCharacterPasses() {
    let pages = text(40, 9) {
      $0.text("a\u{1B}[31mb\u{9B}2Jc\u{7}d\u{0}e\u{202E}f")
      $0.image(ImageReference(source: "x", alt: "\u{1B}]0;title\u{7}"))
      $0.text("item", role: .listItem, marker: "\u{1B}c") { $0.listDepth = 1 }
    }
    let scalars = pages.joined().unicodeScalars
    #expect(
      !scalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E })
    #expect(pages[0].hasPrefix("a\u{FFFD}[31mb\u{FFFD}2Jc\u{FFFD}d\u{FFFD}ef"))
  }

  @Test func raisedAndLowered() {
    let pages = text(60, 9) {
      $0.runs([
        ("H", [], nil), ("2", .subscript, nil), ("O, x", [], nil), ("12", .superscript, nil), (", XIX", [], nil),
        ("e", .superscript, nil), (", ", [], nil), ("small caps", .smallCaps, nil), (", x", [], nil),
        ("q", .superscript, nil),
      ])
    }
    #expect(pages == ["H₂O, x¹², XIXᵉ, SMALL CAPS, x^q"])
  }

  // MARK: - Blocks

  /// Verse numbers stand at the far edge, and where there is no room for that, behind their line.
  @Test func numbersOfVerses() {
    let build: (inout BlockMaker) -> Void = {
      $0.runs([("fear in a handful of dust.", [], nil), ("  ", .generated, nil), ("30", .farEnd, nil)], role: .verse)
    }
    #expect(text(40, 9, build) == ["fear in a handful of dust.            30"])
    #expect(text(30, 9, build) == ["fear in a handful of dust.  30"])
    #expect(layout(40, 9, build).page(at: 0).lines.map(\.width) == [40])
  }

  @Test func lists() {
    let pages = text(24, 20) {
      $0.text("nine and some more words", role: .listItem, marker: "9.") { $0.listDepth = 1 }
      $0.text("ten", role: .listItem, marker: "10.") { $0.listDepth = 1 }
      $0.text("inner", role: .listItem, marker: "•") { $0.listDepth = 2 }
      $0.text("eleven", role: .listItem, marker: "11.") { $0.listDepth = 1 }
    }
    #expect(pages == [" 9. nine and some more\n    words\n10. ten\n    • inner\n11. eleven"])
  }

  @Test func quotesKeepTheirBarsThroughGaps() {
    let pages = text(24, 20) {
      $0.text("Before.")
      $0.text("One.", role: .quote) { $0.quoteDepth = 1 }
      $0.text("Two.", role: .quote) {
        $0.quoteDepth = 2
        $0.marginTop = 1
      }
      $0.text("After.")
    }
    #expect(pages == ["Before.\n\n│ One.\n│\n│ │ Two.\n\nAfter."])
  }

  @Test func boxes() {
    let pages = text(20, 20) { $0.text("An aside.") { $0.isBoxed = true } }
    #expect(pages == ["┌──────────────────┐\n│ An aside.        │\n└──────────────────┘"])
  }

  @Test func verseHangs() {
    let pages = text(24, 20) { $0.text("A line of verse that is too long\nand one that fits", role: .verse) }
    #expect(pages == ["A line of verse that is\n    too long\nand one that fits"])
  }

  @Test func preformatted() {
    let pages = text(20, 20) {
      $0.text("def f():\n    return 1\n\tx = 2\n\nxxxxxxxxxxxxxxxxxxxxxxxxx\n", role: .code, preformatted: true)
    }
    #expect(pages == ["def f():\n    return 1\n    x = 2\n\nxxxxxxxxxxxxxxxxxxxx\n↪ xxxxx"])
  }

  @Test func pictures() {
    #expect(
      text(20, 9) { $0.image(ImageReference(source: "a/whale.png", alt: "A whale")) } == [
        "    ┌──────────┐\n    │ A whale  │\n    └──────────┘"
      ])
    let layout = layout(80, 24, settings: { $0.images = .box }) {
      $0.image(ImageReference(source: "a.png", alt: "A", width: 400, height: 200))
    }
    let slices = layout.page(at: 0).lines.compactMap(\.image)
    #expect(slices.count == 10)
    #expect(slices.first?.columns == 40)
    #expect(slices.first?.column == 20)
    #expect(slices.map(\.row) == Array(0..<10))
  }

  // MARK: - Tables

  @Test func tableColumns() {
    let pages = text(40, 20) { $0.table([["Year", "Name"], ["1974", "Ahab"], ["5", "Starbuck"]]) }
    #expect(pages == ["Year  Name\n────  ────────\n1974  Ahab\n   5  Starbuck"])
  }

  @Test func tableCards() {
    let pages = text(24, 20, settings: { $0.hyphenation = false }) {
      $0.table([
        ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota"],
        Array("abcdefghi").map(String.init),
      ])
    }
    #expect(pages.joined().contains("Beta: b"), "\(pages)")
    #expect(pages.joined(separator: "\n").split(separator: "\n").allSatisfy { $0.count <= 24 })
  }

  /// What stands in from both sides stands free, too; lines that stand in from one may be verse.
  @Test func insetsStandFree() {
    func page(right: Double) -> String {
      text(40, 20) {
        $0.text("Before.") { $0.marginTop = 0 }
        $0.text("A warning.") { ($0.marginLeft, $0.marginRight, $0.textIndent) = (3, right, 1) }
        $0.text("After.") { ($0.marginTop, $0.textIndent) = (0, 1) }
      }[0]
    }
    #expect(page(right: 3) == "Before.\n\n        A warning.\n\n  After.")
    #expect(!page(right: 0).contains("\n\n  After."))
  }

  /// Whatever the book says of margins, the columns do not touch the text beside them.
  @Test func tablesStandFree() {
    let pages = text(40, 20) {
      $0.text("Before.") { $0.marginBottom = 0 }
      $0.table([["a", "b"], ["1", "2"]])
      $0.text("After.") { $0.marginTop = 0 }
    }
    let lines = pages[0].split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "Before." && lines[1].isEmpty && lines[lines.count - 2].isEmpty)
  }

  @Test func longTableRepeatsItsHeader() {
    let layout = layout(40, 10) { maker in
      maker.table([["Number", "Name"]] + (1...30).map { ["\($0)", "row \($0)"] })
    }
    #expect(layout.pageCount > 3)
    for page in 0..<layout.pageCount {
      #expect(layout.plainText(ofPage: page).hasPrefix("Number  Name\n──────  "), "page \(page)")
    }
    // Shown again, but read once.
    #expect(layout.page(at: 1).lines[0].runs.allSatisfy { $0.range.isEmpty })
  }

  // MARK: - Ruby

  @Test func ruby() {
    #expect(
      text(20, 9, language: "ja") { $0.runs([("漢", [], "かん"), ("字", [], "じ"), ("を", [], nil)]) } == [
        " かんじ\n  漢字を"
      ])
    #expect(
      text(30, 9, language: "ja") { $0.runs([("漢", [], "かん"), ("字", [], "かんじ"), ("を", [], nil)]) } == [
        "  漢字（かんかんじ）を"
      ])
    #expect(
      text(30, 9, language: "ja") { $0.runs([("山", [], "やま"), ("の", [], nil), ("路", [], "みち")]) } == [
        "  山（やま）の路（みち）"
      ])
    #expect(
      text(20, 9, language: "ja") { $0.runs([("山", [], "やま"), ("までの", [], nil), ("路", [], "みち")]) } == [
        " やま    みち\n  山までの路"
      ])
    #expect(
      text(30, 9, settings: { $0.ruby = .brackets }) { $0.runs([("WHO", [], "World"), (" said", [], nil)]) } == [
        "WHO (World) said"
      ])
    #expect(text(30, 9, settings: { $0.ruby = .hidden }) { $0.runs([("字", [], "じ")]) } == ["字"])
  }

  /// Readings stand over their letters, which move apart where two would touch; all of a paragraph or none of it.
  @Test func readingsAbove() {
    func page(_ columns: Int, _ parts: [(text: String, style: TextStyle, ruby: String?)]) -> [String] {
      let layout = layout(columns, 9, language: "ja", settings: { $0.ruby = .above }) {
        $0.runs(parts) { $0.textIndent = 0 }
      }
      return layout.page(at: 0).lines.map(\.text)
    }
    // One may lean over the text beside it.
    #expect(page(40, [("余は", [], nil), ("懐", [], "ふところ"), ("から写生", [], nil)]) == [" ふところ", "余は懐から写生"])
    // Two near each other may not.
    #expect(
      page(40, [("た", [], nil), ("前山", [], "ぜんざん"), ("の", [], nil), ("一角", [], "いっかく"), ("は", [], nil)]) == [
        "  ぜんざん  いっかく", "た 前  山 の 一  角 は",
      ])
    // An explanation is no reading, and a narrow window has no room: brackets for all of the paragraph.
    #expect(
      page(60, [("字", [], "じ"), ("と", [], nil), ("某", [], "ながいながいせつめいのことば"), ("。", [], nil)]) == [
        "字（じ）と某（ながいながいせつめいのことば）。"
      ])
    #expect(page(20, [("前山", [], "ぜんざん"), ("の", [], nil), ("字", [], "じ")]) == ["前山（ぜんざん）の", "字（じ）"])
  }

  // MARK: - Pages

  /// A list of nothing but terms, such as a table of contents, fills its pages.
  @Test func termsAreNoChain() {
    let pages = text(40, 10) { maker in
      maker.text("Contents", role: .heading(level: 2))
      for number in 1...30 { maker.text("Entry \(number)", role: .definitionTerm) }
    }
    #expect(pages.count == 4)
    #expect(pages[0].contains("Entry 5"))
  }

  /// A note's sign stays with its word, even behind a place to break that the book has put there.
  @Test func signsOfNotesDoNotBeginLines() {
    for width in 8...30 {
      var maker = BlockMaker()
      maker.text("One two three four saint.\u{200B}")
      guard case .text(var text) = maker.blocks[0].content else { continue }
      text.runs.append(
        .init(text: "83", link: Link(target: "#n", kind: .noteReference), offsets: .from(maker.offset)))
      var document = maker.document()
      document.blocks[0].content = .text(text)
      let layout = ChapterLayout(document, geometry: Geometry(columns: width, rows: 9), settings: .plainText)
      #expect(layout.plainText(ofPage: 0).contains("saint.⁸³"), "\(width)")
    }
  }

  @Test func noWidowsNoOrphans() {
    let words = "the quick brown fox jumps over the lazy dog and runs into the wood where it sleeps all day long "
    let layout = layout(40, 11) { maker in
      for count in 1...14 { maker.text(String(repeating: words, count: 1 + count % 4)) }
    }
    for page in 0..<(layout.pageCount - 1) {
      let last = layout.flow.lines[layout.entries[page].end - 1]
      let next = layout.flow.lines[layout.entries[page].end]
      #expect(!last.flags.contains(.first) || last.flags.contains(.last), "an orphan on page \(page)")
      #expect(!next.flags.contains(.last) || next.flags.contains(.first), "a widow on page \(page + 1)")
    }
  }

  @Test func headingsStayWithTheirText() {
    for filler in 1...24 {
      let pages = text(40, 12) { maker in
        for _ in 0..<filler { maker.text("A line.") }
        maker.text("Heading", role: .heading(level: 3))
        maker.text(String(repeating: "many words follow ", count: 12))
      }
      #expect(!pages.contains { $0.hasSuffix("Heading") }, "\(filler)")
    }
  }

  @Test func sceneBreaksAreNeverLast() {
    for filler in 1...24 {
      let pages = text(40, 12) { maker in
        for _ in 0..<filler { maker.text("A line.") }
        maker.text("* * *", role: .sceneBreak)
        maker.text("More.")
      }
      #expect(!pages.contains { $0.hasSuffix("* * *") }, "\(filler)")
    }
  }

  @Test func pageBreaks() {
    let pages = text(40, 12) {
      $0.text("One.") { $0.breakAfter = .page }
      $0.text("Two.")
      $0.text("Three.") { $0.breakBefore = .page }
    }
    #expect(pages == ["One.", "Two.", "Three."])
  }

  /// A gap is nothing at the top of a page, and pages of plain text are full.
  @Test func pagesAreFull() {
    let layout = layout(40, 10, settings: { $0.paragraphStyle = .spacing }) { maker in
      for _ in 0..<40 { maker.text("the quick brown fox jumps over the lazy dog and runs into the wood again") }
    }
    for page in 0..<layout.pageCount {
      let lines = layout.page(at: page).lines
      #expect(!lines[0].runs.isEmpty)
      if page + 1 < layout.pageCount { #expect(lines.count >= 8) }
    }
  }

  @Test func spread() {
    let frame = PageFrame(geometry: Geometry(columns: 132, rows: 50), settings: TypesettingSettings())
    #expect(frame.pagesPerScreen == 2)
    #expect(frame.left + frame.measure < frame.secondLeft)
    #expect(frame.secondLeft + frame.measure <= 132)
    #expect(PageFrame(geometry: Geometry(columns: 80, rows: 24), settings: TypesettingSettings()).pagesPerScreen == 1)
  }

  @Test func highlights() {
    let layout = layout(40, 9) { $0.text("alpha beta gamma") }
    let runs = layout.page(at: 0, look: PageLook(highlights: [6..<10])).lines[0].runs
    #expect(runs.map(\.text) == ["alpha ", "beta", " gamma"])
    #expect(runs.map(\.highlight) == [nil, 0, nil])
    #expect(runs.map(\.range) == [0..<6, 6..<10, 10..<16])
  }

  @Test func looseLines() {
    var maker = BlockMaker()
    maker.text("A note that is longer than its popup is wide.", role: .note)
    let lines = ChapterLayout.lines(of: maker.blocks, columns: 20, language: "en")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.width <= 20 })
  }
}
