internal import Document

/// A table's cells in their places, and how wide each wants to be.
struct TablePlan {
  /// Blanks between two columns.
  static let separator = 2

  struct Cell {
    var row: Int
    var column: Int
    var rowSpan: Int
    var columnSpan: Int
    var isHeader: Bool
    var blocks: [Block]
    /// The longest word, and the longest line.
    var narrowest = 1
    var widest = 1
  }

  private(set) var cells: [Cell] = []
  private(set) var rowCount = 0
  private(set) var columnCount = 0
  /// Rows from the top that are headings.
  private(set) var headerRowCount = 0
  /// Columns of numbers, which stand right.
  private var isNumeric: [Bool] = []

  /// - Parameter outer: what holds around the table; its cells' own styles count from there.
  init(_ table: Table, outer: BlockStyle, context: Flow.Context) {
    rowCount = table.rows.count
    place(table, outer: outer)
    while headerRowCount < rowCount {
      let row = table.rows[headerRowCount]
      guard row.isHeader || (!row.cells.isEmpty && row.cells.allSatisfy(\.isHeader)) else { break }
      // One cell across everything below a heading opens a group of rows.
      if headerRowCount > 0, row.cells.count == 1, columnCount > 1 { break }
      headerRowCount += 1
    }
    if headerRowCount == rowCount { headerRowCount = 0 }
    var measurer = TextMeasurer(context: context)
    for index in cells.indices {
      (cells[index].narrowest, cells[index].widest) = measurer.widths(of: cells[index].blocks)
    }
    findNumbers()
  }

  /// Cells go to the first free places of their rows.
  private mutating func place(_ table: Table, outer: BlockStyle) {
    // Until which row each column is taken.
    var taken: [Int] = []
    for (row, source) in table.rows.enumerated() {
      var column = 0
      for cell in source.cells {
        while column < taken.count, taken[column] > row { column += 1 }
        let columnSpan = min(max(cell.columnSpan, 1), 64)
        let rowSpan = min(max(cell.rowSpan, 1), rowCount - row)
        while taken.count < column + columnSpan { taken.append(0) }
        for index in column..<(column + columnSpan) { taken[index] = row + rowSpan }
        cells.append(
          Cell(
            row: row, column: column, rowSpan: rowSpan, columnSpan: columnSpan,
            isHeader: cell.isHeader || source.isHeader, blocks: cell.blocks.map { Self.inner($0, outer) }))
        column += columnSpan
      }
    }
    columnCount = taken.count
  }

  /// Frames are not drawn around cells, nor the bars and margins of what the table stands in.
  private static func inner(_ block: Block, _ outer: BlockStyle) -> Block {
    var block = block
    block.style.isBoxed = false
    block.style.quoteDepth = max(block.style.quoteDepth - outer.quoteDepth, 0)
    block.style.listDepth = max(block.style.listDepth - outer.listDepth, 0)
    block.style.marginLeft = max(block.style.marginLeft - outer.marginLeft, 0)
    block.style.marginRight = max(block.style.marginRight - outer.marginRight, 0)
    return block
  }

  private mutating func findNumbers() {
    isNumeric = [Bool](repeating: false, count: columnCount)
    var counts = [(numbers: Int, others: Int)](repeating: (0, 0), count: columnCount)
    for cell in cells where cell.row >= headerRowCount && cell.columnSpan == 1 && !cell.isHeader {
      switch Self.looksLikeNumber(cell.blocks) {
      case true?: counts[cell.column].numbers += 1
      case false?: counts[cell.column].others += 1
      case nil: break
      }
    }
    for column in 0..<columnCount where counts[column].others == 0 && counts[column].numbers > 0 {
      isNumeric[column] = true
    }
  }

  /// nil: there is nothing in it, or a dash.
  private static func looksLikeNumber(_ blocks: [Block]) -> Bool? {
    guard !blocks.isEmpty else { return nil }
    guard blocks.count == 1, case .text(let text) = blocks[0].content else { return false }
    var digits = 0
    var length = 0
    for run in text.runs {
      for scalar in run.text.unicodeScalars {
        length += 1
        switch scalar {
        case "0"..."9": digits += 1
        case ".", ",", "-", "+", "%", "(", ")", "\u{2014}", " ", "$", "\u{20AC}", "\u{A3}", "\u{2212}", "\u{2013}",
          "\u{A0}":
          continue
        default: return false
        }
      }
    }
    return digits > 0 ? true : nil
  }

  /// A cell's blocks as they are set: headings bold, numbers right.
  func blocks(of cell: Cell) -> [Block] {
    let isRight = cell.columnSpan == 1 && isNumeric[cell.column]
    return cell.blocks.map { block in
      var block = block
      if isRight, block.style.alignment == nil { block.style.alignment = .right }
      if block.style.alignment == .justify { block.style.alignment = .start }
      if cell.isHeader, case .text(var text) = block.content {
        for index in text.runs.indices { text.runs[index].style.insert(.bold) }
        block.content = .text(text)
      }
      return block
    }
  }

  /// The columns' widths in a room; nil: they do not fit side by side.
  func widths(room: Int) -> [Int]? {
    let available = room - Self.separator * (columnCount - 1)
    guard columnCount > 0, columnCount <= 64, available >= columnCount * 3 || columnCount == 1 else { return nil }
    var widest = [Int](repeating: 1, count: columnCount)
    var narrowest = widest
    for cell in cells where cell.columnSpan == 1 {
      widest[cell.column] = max(widest[cell.column], cell.widest)
      narrowest[cell.column] = max(narrowest[cell.column], cell.narrowest)
    }
    for cell in cells where cell.columnSpan > 1 {
      Self.spread(cell.widest, over: cell.column..<(cell.column + cell.columnSpan), in: &widest)
      Self.spread(cell.narrowest, over: cell.column..<(cell.column + cell.columnSpan), in: &narrowest)
    }
    if widest.reduce(0, +) <= available { return widest }
    // Long words may be divided, but not below a width that can be read.
    let share = max(available / columnCount, 8)
    if narrowest.reduce(0, +) > available { narrowest = narrowest.map { min($0, share) } }
    let least = narrowest.reduce(0, +)
    guard least <= available else { return nil }
    // A column of few cells a line is worse than a card.
    if columnCount > 2, available / columnCount < 7, zip(widest, narrowest).contains(where: { $0 > 4 * $1 + 8 }) {
      return nil
    }
    // What is left goes to those who want it, by the root of their wish, so that a long text does not starve others.
    let wishes = zip(widest, narrowest).map { wide, narrow in Double(wide - min(narrow, wide)).squareRoot() }
    var widths = narrowest
    var left = available - least
    while left > 0 {
      let open = widths.indices.filter { widths[$0] < widest[$0] }
      let sum = open.reduce(0.0) { $0 + wishes[$1] }
      guard !open.isEmpty, sum > 0 else { break }
      let round = left
      for index in open where left > 0 {
        let part = min(max(Int(Double(round) * wishes[index] / sum), 1), widest[index] - widths[index], left)
        widths[index] += part
        left -= part
      }
    }
    return widths
  }

  private static func spread(_ wanted: Int, over range: Range<Int>, in widths: inout [Int]) {
    let have = range.reduce(0) { $0 + widths[$1] } + separator * (range.count - 1)
    guard have < wanted else { return }
    let missing = wanted - have
    for (place, index) in range.enumerated() {
      widths[index] += missing / range.count + (place < missing % range.count ? 1 : 0)
    }
  }
}

/// How wide blocks want to be.
struct TextMeasurer {
  let context: Flow.Context
  private var flat = FlatText()
  private var breaks: [Int8] = []
  private var segments: [Segment] = []

  init(context: Flow.Context) {
    self.context = context
  }

  mutating func widths(of blocks: [Block]) -> (narrowest: Int, widest: Int) {
    var result = (narrowest: 1, widest: 1)
    for block in blocks {
      var extra =
        BlockBox.cells(block.style.marginLeft) + min(max(block.style.quoteDepth, 0), 20) * 2
        + (block.style.isBoxed ? 4 : 0)
      extra += block.marker.map { context.metrics.width(of: $0) + 1 } ?? 0
      extra = min(max(extra, 0), 40)
      switch block.content {
      case .text(let text), .preformatted(let text):
        let isText = block.content == .text(text)
        flat.fill(text, isPreformatted: !isText, ruby: .brackets, metrics: context.metrics)
        BreakRules.find(in: flat, language: context.language, softHyphens: false, into: &breaks)
        Segment.cut(flat, breaks: breaks, into: &segments)
        var line = 0
        for segment in segments {
          line += Int(segment.width)
          result.narrowest = max(result.narrowest, Int(segment.width) + extra)
          result.widest = max(result.widest, line + extra)
          line = segment.ending == .forced ? 0 : line + Int(segment.blank)
        }
      case .image(let image):
        result.narrowest = max(result.narrowest, 8)
        result.widest = max(result.widest, min(context.metrics.width(of: image.alt ?? "") + 4, 40))
      case .rule: break
      case .table:
        result.narrowest = max(result.narrowest, 16)
        result.widest = max(result.widest, 60)
      }
    }
    return result
  }
}
