internal import ImageWorker
internal import Terminal

extension Screen {
  /// Shows a picture in the middle of its box.
  mutating func draw(_ image: RenderedImage, id: UInt32, in box: Box, style: CellStyle) {
    let row = box.row + (box.rows - image.rows) / 2
    let column = box.column + (box.columns - image.columns) / 2
    func picture(_ content: Picture.Content) -> Picture {
      Picture(
        id: id, row: row, column: column, rows: image.rows, columns: image.columns, width: image.width,
        height: image.height, content: content)
    }
    switch image.content {
    case .pixels(let pixels):
      pictures.append(picture(.pixels(pixels)))
    case .sixel(let data):
      pictures.append(picture(.sixel(data)))
    case .symbols(let cells):
      for (index, cell) in cells.enumerated() {
        var look = style
        look.foreground = cell.foreground.map(Color.rgb) ?? style.foreground
        look.background = cell.background.map(Color.rgb) ?? style.background
        put(
          Character(cell.character), width: 1, row: row + index / image.columns, column: column + index % image.columns,
          style: look)
      }
    }
  }

  /// An empty frame with words in its middle.
  mutating func drawPlaceholder(_ words: String, in box: Box, style: CellStyle) {
    let (last, bottom) = (box.column + box.columns - 1, box.row + box.rows - 1)
    if box.rows >= 3, box.columns >= 5 {
      for column in (box.column + 1)..<last {
        put("─", width: 1, row: box.row, column: column, style: style)
        put("─", width: 1, row: bottom, column: column, style: style)
      }
      for row in (box.row + 1)..<bottom {
        put("│", width: 1, row: row, column: box.column, style: style)
        put("│", width: 1, row: row, column: last, style: style)
      }
      put("┌", width: 1, row: box.row, column: box.column, style: style)
      put("┐", width: 1, row: box.row, column: last, style: style)
      put("└", width: 1, row: bottom, column: box.column, style: style)
      put("┘", width: 1, row: bottom, column: last, style: style)
    }
    let inset = box.columns >= 5 ? 2 : 0
    write(
      words, row: box.row + (box.rows - 1) / 2, column: box.column + inset, width: box.columns - 2 * inset,
      style: style, edge: .center)
  }
}
