extension Screen {
  /// Appends the bytes that turn what is shown into what was drawn; afterwards the two are equal.
  ///
  /// Appends nothing when nothing changed. Neither allocates per cell nor blocks.
  ///
  /// - Parameter isSynchronized: whether the terminal has mode 2026: the change appears at once, without tearing.
  public mutating func render(into output: inout [UInt8], synchronized isSynchronized: Bool = false) {
    let start = output.count
    output.append(contentsOf: isSynchronized ? "\u{1B}[?2026h\u{1B}[?25l".utf8 : "\u{1B}[?25l".utf8)
    let empty = output.count
    removeOldPictures(into: &output)
    var pen = Pen()
    for row in 0..<rows {
      renderRow(row, pen: &pen, into: &output)
    }
    drawNewPictures(into: &output)
    let isCursorChanged = cursor?.row != shownCursor?.row || cursor?.column != shownCursor?.column
    if output.count == empty, !isCursorChanged {
      output.removeSubrange(start...)
      return
    }
    if pen.style != nil, pen.style != CellStyle() {
      output.append(contentsOf: "\u{1B}[m".utf8)
    }
    if let cursor {
      Self.move(row: min(cursor.row, rows - 1), column: min(cursor.column, columns - 1), into: &output)
      output.append(contentsOf: "\u{1B}[?25h".utf8)
    }
    if isSynchronized {
      output.append(contentsOf: "\u{1B}[?2026l".utf8)
    }
    shownCursor = cursor
  }

  /// What the terminal's cursor is known to be; nil: not known.
  private struct Pen {
    var row: Int?
    var column = 0
    var style: CellStyle?
  }

  private mutating func renderRow(_ row: Int, pen: inout Pen, into output: inout [UInt8]) {
    let base = row * columns
    // The blank tail of a row, erased with one sequence when that is shorter. Only with the terminal's own
    // background: not every terminal erases with a colour.
    var tail = columns
    while tail > 0, isPlainBlank(next[base + tail - 1]) { tail -= 1 }
    var column = 0
    while column < columns {
      let index = base + column
      if next[index] == shown[index] {
        column += 1
        continue
      }
      if column >= tail, columns - column > 3 {
        place(&pen, row: row, column: column, into: &output)
        restyle(&pen, CellStyle(), into: &output)
        output.append(contentsOf: "\u{1B}[K".utf8)
        for rest in column..<columns { shown[base + rest] = next[base + rest] }
        return
      }
      column = renderCell(row: row, column: column, pen: &pen, into: &output)
    }
  }

  private func isPlainBlank(_ cell: Cell) -> Bool {
    cell.glyph == .blank && cell.style.background == .standard
      && cell.style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
  }

  /// Writes the glyph that covers a column, whole; returns the column after it.
  private mutating func renderCell(row: Int, column: Int, pen: inout Pen, into output: inout [UInt8]) -> Int {
    let base = row * columns
    var first = column
    while first > 0, next[base + first].glyph == .rightHalf { first -= 1 }
    let cell = next[base + first]
    var end = first + 1
    while end < columns, next[base + end].glyph == .rightHalf { end += 1 }
    place(&pen, row: row, column: first, into: &output)
    restyle(&pen, cell.style, into: &output)
    glyphs.append(cell.glyph, to: &output)
    for index in first..<end { shown[base + index] = next[base + index] }
    pen.column = end
    // Terminals disagree about the width of clusters, and about where the cursor is after the last column.
    if cell.glyph.isCluster || end >= columns {
      pen.row = nil
    }
    return end
  }

  private func place(_ pen: inout Pen, row: Int, column: Int, into output: inout [UInt8]) {
    if pen.row == row, pen.column == column { return }
    if pen.row == row, pen.column < column, column - pen.column <= 4, isUnchanged(row, pen.column..<column, pen) {
      // Writing a few cells again is shorter than moving over them.
      for skipped in pen.column..<column { glyphs.append(next[row * columns + skipped].glyph, to: &output) }
    } else {
      Self.move(row: row, column: column, into: &output)
    }
    pen.row = row
    pen.column = column
  }

  /// Whether these cells can be written again as they are with the pen's style: simple, narrow, of one style.
  private func isUnchanged(_ row: Int, _ range: Range<Int>, _ pen: Pen) -> Bool {
    range.allSatisfy { column in
      let cell = next[row * columns + column]
      return cell == shown[row * columns + column] && cell.glyph.isSimple && cell.style == pen.style
    }
  }

  private func restyle(_ pen: inout Pen, _ style: CellStyle, into output: inout [UInt8]) {
    if pen.style == style { return }
    style.appendSequence(to: &output, depth: depth)
    pen.style = style
  }

  static func move(row: Int, column: Int, into output: inout [UInt8]) {
    output.append(contentsOf: "\u{1B}[".utf8)
    output.append(decimal: row + 1)
    if column > 0 {
      output.append(UInt8(ascii: ";"))
      output.append(decimal: column + 1)
    }
    output.append(UInt8(ascii: "H"))
  }
}

extension Glyph {
  /// One printable ASCII character.
  var isSimple: Bool { (0x20..<0x7F).contains(raw) }
}
