import Document

@testable import Typesetting

/// A small random source that gives the same numbers everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Makes blocks whose offsets follow each other as a parser's would.
struct BlockMaker {
  private(set) var offset = 0
  private(set) var blocks: [Block] = []

  mutating func text(
    _ text: String, role: Block.Role = .body, marker: String? = nil, ruby: String? = nil,
    preformatted: Bool = false, style change: (inout BlockStyle) -> Void = { _ in }
  ) {
    var style = BlockStyle()
    change(&style)
    let start = offset
    let run = InlineText.Run(text: text, offsets: .from(start), ruby: ruby)
    offset += text.unicodeScalars.count
    let inline = InlineText(runs: [run])
    blocks.append(
      Block(
        content: preformatted ? .preformatted(inline) : .text(inline), role: role, style: style, marker: marker,
        range: start..<offset))
    offset += 1
  }

  mutating func runs(
    _ parts: [(text: String, style: TextStyle, ruby: String?)], role: Block.Role = .body,
    style change: (inout BlockStyle) -> Void = { _ in }
  ) {
    var style = BlockStyle()
    change(&style)
    let start = offset
    var runs: [InlineText.Run] = []
    for part in parts {
      runs.append(.init(text: part.text, style: part.style, offsets: .from(offset), ruby: part.ruby))
      offset += part.text.unicodeScalars.count
    }
    blocks.append(Block(content: .text(InlineText(runs: runs)), role: role, style: style, range: start..<offset))
    offset += 1
  }

  mutating func image(_ image: ImageReference) {
    blocks.append(Block(content: .image(image), range: offset..<(offset + 1)))
    offset += 2
  }

  mutating func rule() {
    blocks.append(Block(content: .rule, role: .sceneBreak, range: offset..<(offset + 1)))
    offset += 2
  }

  mutating func table(_ rows: [[String]], header: Bool = true) {
    let start = offset
    var result: [Table.Row] = []
    for (index, row) in rows.enumerated() {
      var cells: [Table.Cell] = []
      for text in row {
        let run = InlineText.Run(text: text, offsets: .from(offset))
        let range = offset..<(offset + text.unicodeScalars.count)
        offset = range.upperBound + 1
        cells.append(Table.Cell(blocks: [Block(content: .text(InlineText(runs: [run])), range: range)]))
      }
      result.append(Table.Row(cells: cells, isHeader: header && index == 0))
    }
    blocks.append(Block(content: .table(Table(rows: result)), range: start..<offset))
    offset += 1
  }

  func document(language: String? = "en", direction: TextDirection = .leftToRight) -> Document {
    Document(blocks: blocks, length: offset, language: language, direction: direction)
  }
}

/// Random documents of everything that a book may hold.
struct DocumentGenerator {
  var generator: SeededGenerator
  private var maker = BlockMaker()

  static let words = [
    "the", "whale", "and", "extraordinary", "sea", "I", "a", "representation", "of", "it’s", "“Ahab", "said.”", "—",
    "non-commissioned", "co\u{AD}op\u{AD}er\u{AD}a\u{AD}tion", "1,000", "3.14",
    "https://example.org/a/very/long/path?x=1&y=2",
    "w\u{A0}domu", "naïve", "Œuvre", "東京", "は、春眠くなる。", "「猫」", "中文排版", "한국어", "שלום", "עולם", "مرحبا", "العالم", "123",
    "e\u{301}te\u{301}", "क्षत्रिय", "हिन्दी", "ไทยภาษา", "👩‍🚀", "🇩🇪", "❤️", "👍🏽", "x\u{200B}y", "fi\u{200D}x", "\u{1B}[31m",
    "\u{9B}2J",
    "a\u{7}b", "word…", "(brackets)", "well-known", "Donaudampfschifffahrtsgesellschaft",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ]

  init(seed: UInt64) { generator = SeededGenerator(seed) }

  private mutating func phrase(_ count: Int) -> String {
    (0..<count).map { _ in Self.words.randomElement(using: &generator)! }.joined(separator: " ")
  }

  mutating func make(blocks count: Int) -> Document {
    for _ in 0..<count {
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: maker.text(phrase(4), role: .heading(level: Int.random(in: 1...6, using: &generator)))
      case 1:
        let depth = Int.random(in: 1...6, using: &generator)
        maker.text(phrase(12), role: .listItem, marker: "\(depth)8.") { $0.listDepth = depth }
      case 2:
        let depth = Int.random(in: 1...4, using: &generator)
        maker.text(phrase(20), role: .quote) { $0.quoteDepth = depth }
      case 3: maker.text(phrase(5) + "\n" + phrase(20) + "\n\n" + phrase(2), role: .verse)
      case 4: maker.text("def f():\n\treturn 1\n" + phrase(20), role: .code, preformatted: true)
      case 5: maker.rule()
      case 6: maker.image(ImageReference(source: "a/b.png", alt: phrase(6), width: 300, height: 200))
      case 7:
        let columns = Int.random(in: 1...6, using: &generator)
        let rows = Int.random(in: 1...9, using: &generator)
        var cells: [[String]] = []
        for _ in 0..<rows { cells.append((0..<columns).map { _ in phrase(3) }) }
        maker.table(cells)
      case 8: maker.text("* * *", role: .sceneBreak)
      case 9: maker.text(phrase(30)) { $0.isBoxed = true }
      case 10:
        maker.text(phrase(10)) {
          $0.alignment = .center
          $0.marginLeft = 3
          $0.textIndent = -2
          $0.marginTop = 1.5
        }
      case 11:
        maker.runs([
          ("H", [], nil), ("2", .subscript, nil), ("O and ", .bold, nil), ("字", [], "じ"), ("前山", [], "ぜんざん"),
          ("の", [], nil), ("一角", [], "いっかく"), (phrase(8), .italic, nil),
        ])
      default: maker.text(phrase(Int.random(in: 1...90, using: &generator)))
      }
    }
    return maker.document(language: ["en", "de", "zh", "ja", "he"].randomElement(using: &generator)!)
  }
}

extension Document {
  /// The offsets of all scalars that a reader sees, blanks aside, each once.
  var visibleOffsets: [Int] {
    blocks.flatMap(Self.visibleOffsets)
  }

  private static func visibleOffsets(_ block: Block) -> [Int] {
    switch block.content {
    case .text(let text), .preformatted(let text):
      return text.runs.flatMap { run in
        run.text.unicodeScalars.enumerated().compactMap { index, scalar in
          let isBlank = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\u{A0}"
          let isHidden = CellTable.shared[scalar.value] == CellTable.Class.invisible
          return isBlank || isHidden ? nil : run.offsets.offset(ofScalar: index)
        }
      }
    case .table(let table): return table.rows.flatMap { $0.cells.flatMap { $0.blocks.flatMap(visibleOffsets) } }
    case .image, .rule: return []
    }
  }
}

/// A suite that sets chapters of its own making as plain text.
protocol PageSetting {}

extension PageSetting {
  func text(
    _ columns: Int, _ rows: Int, language: String? = "en", direction: TextDirection = .leftToRight,
    settings change: (inout TypesettingSettings) -> Void = { _ in }, _ build: (inout BlockMaker) -> Void
  ) -> [String] {
    let layout = layout(columns, rows, language: language, direction: direction, settings: change, build)
    return (0..<layout.pageCount).map(layout.plainText)
  }

  func layout(
    _ columns: Int, _ rows: Int, language: String? = "en", direction: TextDirection = .leftToRight,
    settings change: (inout TypesettingSettings) -> Void = { _ in }, _ build: (inout BlockMaker) -> Void
  ) -> ChapterLayout {
    var maker = BlockMaker()
    build(&maker)
    var settings = TypesettingSettings.plainText
    change(&settings)
    return ChapterLayout(
      maker.document(language: language, direction: direction), geometry: Geometry(columns: columns, rows: rows),
      settings: settings)
  }
}
