internal import Document

/// A table as rows of cells: columns side by side where they fit, else one card a row.
struct TableGrid: Sendable {
  struct Cell: Sendable {
    var flow: Flow
    /// Cells from the edge that the table begins at, and across.
    var left: Int
    var width: Int
    /// The flow's rows: an index into its lines, or -1 for a blank row.
    var rows: [Int32]
    var row: Int
    var rowSpan: Int
  }

  /// A row of the screen.
  struct Row: Sendable {
    enum Kind: UInt8, Sendable { case cells, rule, blank }
    struct Piece: Sendable {
      var cell: Int32
      var line: Int32
    }
    var kind: Kind
    var pieces: [Piece] = []
    var range: Range<Int> = 0..<0
    /// A page may not end below it.
    var isGlued = false
  }

  private(set) var cells: [Cell] = []
  private(set) var rows: [Row] = []
  /// Edges of the columns, for rules.
  private(set) var columns: [(left: Int, width: Int)] = []
  /// How many rows from the top are repeated on a further page.
  private(set) var headerRows = 0
  /// Whether its columns follow each other from the right.
  let isMirrored: Bool

  init(_ table: Table, block: Block, width: Int, context: Flow.Context, depth: Int) {
    isMirrored = (block.style.direction ?? context.direction) == .rightToLeft
    var inner = context
    inner.settings.alignment = .start
    inner.settings.paragraphStyle = .spacing
    inner.settings.lineSpacing = 1
    if inner.settings.ruby != .hidden { inner.settings.ruby = .brackets }
    if let caption = table.caption, !caption.runs.isEmpty {
      var style = BlockStyle()
      style.alignment = .start
      add([Block(content: .text(caption), role: .caption, style: style, range: block.range)], width, inner, depth)
      rows.append(Row(kind: .blank, isGlued: true))
    }
    guard depth < 6 else {
      // Tables in tables in tables: nobody reads that, and the stack has an end.
      add(TableCards.flattened(table), width, inner, depth)
      settleRanges(from: block.range)
      return
    }
    let plan = TablePlan(table, outer: block.style, context: inner)
    if depth < 3, let widths = plan.widths(room: width) {
      setColumns(plan, widths, width: width, context: inner, depth: depth)
    } else {
      add(TableCards.blocks(of: table, plan: plan, block: block, width: width, context: inner), width, inner, depth)
    }
    settleRanges(from: block.range)
  }

  /// Blocks one below the other, as wide as the table.
  private mutating func add(_ blocks: [Block], _ width: Int, _ context: Flow.Context, _ depth: Int) {
    var setter = FlowSetter(flow: Flow(blocks: blocks, measure: width, context: context), depth: depth + 1)
    setter.finish()
    let cell = Cell(
      flow: setter.flow, left: 0, width: width, rows: Self.rows(of: setter.flow), row: 0, rowSpan: 1)
    for (index, line) in cell.rows.enumerated() {
      let isGlued = line >= 0 && setter.flow.lines[Int(line)].flags.contains(.glued)
      rows.append(
        Row(
          kind: line < 0 ? .blank : .cells,
          pieces: line < 0 ? [] : [Row.Piece(cell: Int32(cells.count), line: Int32(index))],
          isGlued: isGlued && index < cell.rows.count - 1))
    }
    cells.append(cell)
  }

  private static func rows(of flow: Flow) -> [Int32] {
    var rows: [Int32] = []
    for (index, line) in flow.lines.enumerated() {
      if index > 0 { rows.append(contentsOf: repeatElement(-1, count: Int(line.gap))) }
      rows.append(Int32(index))
    }
    return rows
  }

  private mutating func setColumns(
    _ plan: TablePlan, _ widths: [Int], width: Int, context: Flow.Context, depth: Int
  ) {
    var edge = 0
    for columnWidth in widths {
      columns.append((edge, columnWidth))
      edge += columnWidth + TablePlan.separator
    }
    let first = cells.count
    var heights = [Int](repeating: 0, count: plan.rowCount)
    for source in plan.cells {
      let last = min(source.column + source.columnSpan, columns.count) - 1
      let left = columns[source.column].left
      let cellWidth = columns[last].left + columns[last].width - left
      var setter = FlowSetter(
        flow: Flow(blocks: plan.blocks(of: source), measure: cellWidth, context: context), depth: depth + 1)
      setter.finish()
      let rows = Self.rows(of: setter.flow)
      cells.append(
        Cell(
          flow: setter.flow, left: left, width: cellWidth, rows: rows, row: source.row, rowSpan: source.rowSpan))
      if source.rowSpan == 1 { heights[source.row] = max(heights[source.row], rows.count) }
    }
    for cell in cells[first...] where cell.rowSpan > 1 {
      let spanned = heights[cell.row..<(cell.row + cell.rowSpan)].reduce(0, +)
      if spanned < cell.rows.count { heights[cell.row + cell.rowSpan - 1] += cell.rows.count - spanned }
    }
    let isTall = heights.contains { $0 > 1 }
    fill(plan, first: first, heights: heights, isTall: isTall, context: context)
  }

  private mutating func fill(
    _ plan: TablePlan, first: Int, heights: [Int], isTall: Bool, context: Flow.Context
  ) {
    // Which cells begin in a row; those that reach into it from above are carried along.
    var starting = [[Int]](repeating: [], count: plan.rowCount)
    for index in first..<cells.count { starting[cells[index].row].append(index) }
    var open: [(cell: Int, line: Int)] = []
    let captionRows = rows.count
    for row in 0..<plan.rowCount {
      if row > 0, row == plan.headerRowCount {
        if context.rows >= 5 { rows.append(Row(kind: .rule, isGlued: true)) }
        headerRows = rows.count - captionRows <= context.rows / 3 ? rows.count - captionRows : 0
      } else if row > 0, isTall, open.isEmpty {
        rows.append(Row(kind: .blank))
      }
      open += starting[row].map { ($0, 0) }
      let isWhole = heights[row] <= max(context.rows / 2, 2) || row < plan.headerRowCount
      for line in 0..<max(heights[row], 1) {
        var pieces: [Row.Piece] = []
        for index in open.indices where open[index].line < cells[open[index].cell].rows.count {
          pieces.append(Row.Piece(cell: Int32(open[index].cell), line: Int32(open[index].line)))
          open[index].line += 1
        }
        pieces.sort { cells[Int($0.cell)].left < cells[Int($1.cell)].left }
        let isLast = line == max(heights[row], 1) - 1
        rows.append(
          Row(
            kind: .cells, pieces: pieces,
            isGlued: (isWhole && !isLast) || row + 1 == plan.headerRowCount || row < plan.headerRowCount))
      }
      open.removeAll { cells[$0.cell].row + cells[$0.cell].rowSpan - 1 <= row }
    }
    // The header is repeated from the top of the table, its caption is not.
    if headerRows > 0 { headerStart = captionRows }
    if let last = rows.indices.last { rows[last].isGlued = false }
  }

  /// Where the rows that are repeated begin.
  private(set) var headerStart = 0

  /// Gives every row its stretch of the source, ascending: from what begins in it first to where the next begins. So
  /// a page that begins inside a tall row has a place of its own.
  private mutating func settleRanges(from range: Range<Int>) {
    var lower = range.lowerBound
    var upper = range.lowerBound
    for index in rows.indices {
      var from = Int.max
      for piece in rows[index].pieces {
        let cell = cells[Int(piece.cell)]
        let line = cell.rows[Int(piece.line)]
        guard line >= 0 else { continue }
        from = min(from, Int(cell.flow.lines[Int(line)].offset))
        upper = max(upper, Int(cell.flow.lines[Int(line)].offsetEnd))
      }
      if from != Int.max { lower = max(lower, from) }
      rows[index].range = lower..<lower
    }
    for index in rows.indices.reversed() {
      if rows[index].pieces.isEmpty {
        rows[index].range = upper..<upper
        continue
      }
      rows[index].range = rows[index].range.lowerBound..<max(upper, rows[index].range.lowerBound)
      upper = rows[index].range.lowerBound
    }
  }
}
