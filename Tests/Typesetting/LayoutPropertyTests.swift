import Document
import Testing

@testable import Typesetting

/// What holds for every document in every window.
@Suite struct LayoutPropertyTests {
  static let sizes = [
    (1, 1), (2, 2), (1, 10), (5, 3), (20, 10), (33, 7), (80, 24), (132, 50), (500, 60), (80, 10_000), (10_000, 3),
  ]

  @Test(arguments: 0..<6)
  func everyWindow(seed: Int) {
    var generator = DocumentGenerator(seed: UInt64(seed))
    let document = generator.make(blocks: 14)
    let visible = document.visibleOffsets
    for (columns, rows) in Self.sizes {
      let settings = [TypesettingSettings(), .plainText, Self.wide, Self.words][(seed + columns) % 4]
      let layout = ChapterLayout(
        document, geometry: Geometry(columns: columns, rows: rows), settings: settings)
      check(layout, visible: visible, note: "seed \(seed), \(columns)x\(rows)")
    }
  }

  static var wide: TypesettingSettings {
    var settings = TypesettingSettings()
    settings.lineSpacing = 2
    settings.alignment = .start
    settings.paragraphStyle = .spacing
    settings.bidi = .terminal
    settings.images = .box
    settings.ruby = .above
    settings.spreadThreshold = 60
    return settings
  }

  /// As a screen that turns words by itself has it.
  static var words: TypesettingSettings {
    var settings = TypesettingSettings()
    settings.bidi = .words
    settings.ruby = .above
    settings.images = .box
    return settings
  }

  private func check(_ layout: ChapterLayout, visible: [Int], note: String) {
    let metrics = CellMetrics()
    var seen: [Int: Int] = [:]
    var last = -1
    for page in 0..<layout.pageCount {
      #expect(layout.page(of: layout.offset(ofPage: page)) == page, "\(note), page \(page)")
      #expect(layout.offset(ofPage: page) > last || page == 0, "\(note), page \(page)")
      last = layout.offset(ofPage: page)
      let shown = layout.page(at: page)
      #expect(shown.lines.count <= layout.frame.rows, "\(note), page \(page)")
      for line in shown.lines {
        let width = metrics.width(of: line.text)
        #expect(width == line.width, "\(note): “\(line.text)” is \(width), not \(line.width)")
        #expect(width <= layout.frame.measure, "\(note): “\(line.text)”")
        #expect(!line.text.unicodeScalars.contains { CellTable.shared[$0.value] == CellTable.Class.control }, "\(note)")
        #expect(!line.text.hasSuffix(" "), "\(note): “\(line.text)”")
      }
      for line in layout.page(at: page, look: PageLook(isLogical: true)).lines {
        for run in line.runs where run.kind == .text || run.kind == .ruby {
          for offset in run.range { seen[offset, default: 0] += 1 }
        }
      }
    }
    let missing = visible.filter { seen[$0] == nil }
    let doubled = visible.filter { seen[$0, default: 0] > 1 }
    #expect(missing.isEmpty, "\(note): missing \(missing.prefix(5))")
    #expect(doubled.isEmpty, "\(note): twice \(doubled.prefix(5))")
  }

  /// Quotation marks, labels and readings have no place of their own. In windows where a page may hold nothing else,
  /// places and pages agree all the same, and no page is before what was read.
  @Test(arguments: [(1, 1), (2, 1), (1, 3), (5, 1), (10, 3), (12, 2), (20, 2), (60, 1), (80, 24)])
  func generatedTextHasNoPlace(_ columns: Int, _ rows: Int) {
    func generated(_ text: String, at offset: Int) -> InlineText.Run {
      .init(text: text, style: .generated, offsets: .all(offset))
    }
    for label in ["“", "[Audio: a long name of a file that nobody would think of.mp3]"] {
      for isFirst in [false, true] {
        var runs: [InlineText.Run] = [.init(text: "Jj", offsets: .from(0)), generated(label, at: 2)]
        runs += [.init(text: "K", offsets: .from(2)), generated(label, at: 3), .init(text: "L.", offsets: .from(3))]
        if isFirst { runs.insert(generated(label, at: 0), at: 0) }
        let document = Document(blocks: [Block(content: .text(InlineText(runs: runs)), range: 0..<5)], length: 5)
        let layout = ChapterLayout(document, geometry: Geometry(columns: columns, rows: rows), settings: .plainText)
        var last = -1
        for page in 0..<layout.pageCount {
          let found = layout.page(of: layout.offset(ofPage: page))
          #expect(found <= page && found >= last, "page \(page)")
          if !isFirst, columns * rows < 40 { #expect(found == page) }
          last = found
        }
        for offset in 0..<5 {
          let shown = layout.page(at: layout.page(of: offset))
          #expect(shown.range.contains(offset) || isFirst && shown.range == 0..<0, "\(offset): \(shown.range)")
        }
      }
    }
  }

  /// A chapter of nothing but a message shows all of it, however small the window.
  @Test func messagesAreNotCut() {
    let run = InlineText.Run(text: "No.", style: .generated, offsets: .all(0))
    let document = Document(blocks: [Block(content: .text(InlineText(runs: [run])), range: 0..<0)])
    let layout = ChapterLayout(document, geometry: Geometry(columns: 1, rows: 1), settings: .plainText)
    #expect((0..<layout.pageCount).map(layout.plainText) == ["N", "o", "."])
    #expect((0..<3).allSatisfy { layout.page(of: layout.offset(ofPage: $0)) == 0 })
  }

  /// Step by step comes out as all at once, and pages once there do not change.
  @Test(arguments: 0..<6)
  func stepwise(seed: Int) {
    var generator = DocumentGenerator(seed: UInt64(seed) + 100)
    let document = generator.make(blocks: 40)
    let geometry = Geometry(columns: 60, rows: 12)
    let whole = ChapterLayout(document, geometry: geometry)
    var typesetter = ChapterTypesetter(document, geometry: geometry)
    let hasFirst = typesetter.layOut(page: 0)
    #expect(hasFirst)
    let first = typesetter.layout.page(at: 0)
    #expect(!typesetter.isFinished)
    while !typesetter.layOut(blocks: 3) {}
    #expect(typesetter.layout.page(at: 0) == first)
    #expect(typesetter.layout.pageCount == whole.pageCount)
    for page in 0..<whole.pageCount { #expect(typesetter.layout.page(at: page) == whole.page(at: page)) }
  }

  /// A place survives any way through other windows: back in the first, the same page begins with the same word.
  @Test(arguments: 0..<6)
  func resizing(seed: Int) {
    var generator = DocumentGenerator(seed: UInt64(seed) + 200)
    let document = generator.make(blocks: 60)
    let first = ChapterLayout(document, geometry: Geometry(columns: 72, rows: 20))
    for page in 0..<first.pageCount {
      let place = first.offset(ofPage: page)
      for size in [(30, 9), (200, 60), (11, 4)] {
        let other = ChapterLayout(document, geometry: Geometry(columns: size.0, rows: size.1))
        let shown = other.page(at: other.page(of: place))
        #expect(shown.range.contains(place), "seed \(seed), page \(page), \(size)")
      }
      #expect(first.page(of: place) == page)
    }
  }

  /// A place in text that is not shown belongs to the page of what follows.
  @Test func hiddenPlaces() {
    var maker = BlockMaker()
    for _ in 0..<40 { maker.text("One line of text.") }
    var document = maker.document()
    // The text between two blocks is hidden.
    for index in 20..<40 {
      guard case .text(var text) = document.blocks[index].content else { continue }
      text.runs[0].offsets = .from(document.blocks[index].range.lowerBound + 500)
      document.blocks[index].content = .text(text)
    }
    let layout = ChapterLayout(document, geometry: Geometry(columns: 40, rows: 20), settings: .plainText)
    #expect(layout.pageCount == 2)
    #expect(layout.page(of: 20 * 18 + 100) == 1)
    #expect(layout.page(of: 19 * 18) == 0)
    #expect(layout.page(of: 100_000) == 1)
    #expect(layout.page(of: -5) == 0)
  }

  /// A book in one block is laid out in parts, and nothing is lost between them.
  @Test(arguments: [true, false])
  func longBlock(isPreformatted: Bool) {
    var maker = BlockMaker()
    let line = "the quick brown fox jumps over the lazy dog"
    let text = String(repeating: line + (isPreformatted ? "\n" : " "), count: 5000)
    maker.text(text, role: isPreformatted ? .code : .body, preformatted: isPreformatted)
    let layout = ChapterLayout(maker.document(), geometry: Geometry(columns: 60, rows: 24), settings: .plainText)
    #expect(layout.flow.blocks.count > 5)
    var words = 0
    for page in 0..<layout.pageCount {
      #expect(layout.page(of: layout.offset(ofPage: page)) == page)
      if isPreformatted, page + 1 < layout.pageCount { #expect(layout.page(at: page).lines.count == 24) }
      words += layout.plainText(ofPage: page).split { $0 == " " || $0 == "\n" }.count
    }
    #expect(words == 9 * 5000)
  }

  /// A word that no line break divides, longer than a part of a block.
  @Test func endlessWord() {
    var maker = BlockMaker()
    maker.text(String(repeating: "a", count: 200_000))
    let layout = ChapterLayout(maker.document(), geometry: Geometry(columns: 50, rows: 100), settings: .plainText)
    #expect(layout.pageCount == 40 || layout.pageCount == 41)
  }

  /// Tables in tables, deeper than a stack would like.
  @Test func nestedTables() {
    var block = Block(
      content: .text(InlineText(runs: [.init(text: "core", offsets: .from(0))])), range: 0..<4)
    for _ in 0..<500 {
      block = Block(
        content: .table(Table(rows: [Table.Row(cells: [Table.Cell(blocks: [block])])])), range: 0..<4)
    }
    let layout = ChapterLayout(
      Document(blocks: [block], length: 4), geometry: Geometry(columns: 80, rows: 24), settings: .plainText)
    #expect(layout.plainText(ofPage: 0) == "core")
  }

  @Test func emptyChapter() {
    let layout = ChapterLayout(Document(), geometry: Geometry(columns: 80, rows: 24))
    #expect(layout.pageCount == 1)
    #expect(layout.page(at: 0).lines.isEmpty)
    #expect(layout.plainText(ofPage: 0) == "")
    #expect(layout.page(of: 10) == 0)
    #expect(layout.offset(ofPage: 3) == 0)
  }

  @Test func pointer() {
    var maker = BlockMaker()
    maker.text("alpha beta gamma")
    let layout = ChapterLayout(maker.document(), geometry: Geometry(columns: 80, rows: 24), settings: .plainText)
    #expect(layout.offset(onPage: 0, row: 0, column: 6) == 6)
    #expect(layout.offset(onPage: 0, row: 1, column: 6) == nil)
    #expect(layout.offset(onPage: 0, row: 0, column: 70) == 15)
  }
}
