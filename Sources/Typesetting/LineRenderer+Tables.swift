internal import Document

extension LineRenderer {
  mutating func drawTable(_ record: LineRecord, _ box: BlockBox, range: Range<Int>) -> PageLine {
    let index = Int(record.index)
    let grid = flow.tables[index]
    let row = grid.rows[Int(record.start)]
    var canvas = LineCanvas()
    switch row.kind {
    case .blank: break
    case .rule:
      for column in grid.columns {
        canvas.place(
          String(repeating: "─", count: column.width), width: column.width, kind: .decoration, role: .body,
          at: place(column.left, column.width, in: grid, box))
      }
    case .cells:
      for piece in row.pieces {
        let cell = grid.cells[Int(piece.cell)]
        let line = cell.rows[Int(piece.line)]
        guard line >= 0 else { continue }
        let key = index << 32 | Int(piece.cell)
        var child = children[key] ?? LineRenderer(cell.flow, look: look)
        if let drawn = child.rows(of: Int(line)).last {
          canvas.place(drawn.runs, at: place(cell.left, cell.width, in: grid, box))
        }
        children[key] = child
      }
    }
    drawSides(box, isMirrored: false, on: &canvas)
    return PageLine(runs: canvas.finish(measure: flow.measure), range: range)
  }

  /// Where a column or a cell of a table begins: counted from the right edge where the table reads from there.
  private func place(_ left: Int, _ width: Int, in grid: TableGrid, _ box: BlockBox) -> Int {
    guard grid.isMirrored, !look.isLogical else { return box.left + left }
    return max(flow.measure - box.left - left - width, 0)
  }

  mutating func tableOffset(_ record: LineRecord, column: Int) -> Int {
    let grid = flow.tables[Int(record.index)]
    let box = flow.boxes[Int(record.block)]
    let row = grid.rows[Int(record.start)]
    // The cell under the column, or the nearest one to it.
    var nearest: (distance: Int, cell: TableGrid.Cell, line: Int, left: Int)?
    for piece in row.pieces {
      let cell = grid.cells[Int(piece.cell)]
      let line = Int(cell.rows[Int(piece.line)])
      let left = place(cell.left, cell.width, in: grid, box)
      let distance = max(left - column, column - left - cell.width + 1, 0)
      if line >= 0, distance < nearest?.distance ?? .max { nearest = (distance, cell, line, left) }
    }
    if let nearest {
      var child = LineRenderer(nearest.cell.flow, look: look)
      return child.offset(of: nearest.line, column: column - nearest.left)
    }
    return Int(record.offset)
  }
}
