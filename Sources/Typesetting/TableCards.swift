internal import Document

/// A table that is too wide, as one card a row: each cell under its column's heading.
enum TableCards {
  static func blocks(of table: Table, plan: TablePlan, block: Block, width: Int, context: Flow.Context) -> [Block] {
    var headings = [String](repeating: "", count: plan.columnCount)
    for cell in plan.cells where cell.row < plan.headerRowCount {
      let words = text(of: cell.blocks)
      for column in cell.column..<min(cell.column + cell.columnSpan, headings.count) where !words.isEmpty {
        headings[column] += headings[column].isEmpty ? words : " " + words
      }
    }
    let hasLabels = width >= 20 && context.rows >= 6
    var result: [Block] = []
    var row = -1
    // The headings themselves are part of the flow once, before the cards.
    for cell in plan.cells {
      let isNew = cell.row != row
      row = cell.row
      // A long heading is cut: the card shows which cell it is, and the heading itself stands above in full.
      let isHeading = cell.row < plan.headerRowCount
      let label = isHeading || !hasLabels ? "" : Self.cut(headings[cell.column], width / 2, context.metrics)
      append(cell, label: label, isNew: isNew, isHeading: isHeading, to: &result, at: block.range)
    }
    return result
  }

  /// The blocks of a table and of the tables in it, however deep, one below the other.
  static func flattened(_ table: Table) -> [Block] {
    var result: [Block] = []
    var pending = table.rows.reversed().flatMap { $0.cells.reversed().flatMap { $0.blocks.reversed() } }
    while let block = pending.popLast() {
      if case .table(let inner) = block.content {
        pending += inner.rows.reversed().flatMap { $0.cells.reversed().flatMap { $0.blocks.reversed() } }
      } else {
        result.append(block)
      }
    }
    return result
  }

  private static func cut(_ text: String, _ columns: Int, _ metrics: CellMetrics) -> String {
    guard metrics.width(of: text) > columns else { return text }
    return ImageFrame.cut(text, columns: columns - 1, metrics: metrics) + "…"
  }

  private static func append(
    _ cell: TablePlan.Cell, label: String, isNew: Bool, isHeading: Bool, to result: inout [Block], at range: Range<Int>
  ) {
    for (index, source) in cell.blocks.enumerated() {
      var block = source
      if block.style.alignment == .right || block.style.alignment == .center { block.style.alignment = .start }
      block.style.marginTop = index == 0 && isNew && !result.isEmpty ? 1 : 0
      block.style.marginBottom = 0
      block.style.marginLeft += isNew && index == 0 ? 0 : 1
      if case .text(var text) = block.content {
        block.style.textIndent = 0
        if cell.isHeader || isHeading {
          for run in text.runs.indices { text.runs[run].style.insert(.bold) }
        }
        if index == 0, !label.isEmpty {
          let offset = text.runs.first.map { $0.offsets.offset(ofScalar: 0) } ?? source.range.lowerBound
          text.runs.insert(.init(text: label + ": ", style: [.bold, .generated], offsets: .all(offset)), at: 0)
        }
        block.content = .text(text)
      }
      result.append(block)
    }
  }

  private static func text(of blocks: [Block]) -> String {
    var words = ""
    for block in blocks {
      guard case .text(let text) = block.content else { continue }
      if !words.isEmpty { words += " " }
      for scalar in text.plainText.unicodeScalars where scalar.value != 0xFFFC {
        words.unicodeScalars.append(scalar == "\n" ? " " : scalar)
      }
    }
    return words
  }
}
