internal import Terminal
internal import Typesetting

/// Text on the screen: cut at its end with an ellipsis, never a control character.
extension Screen {
  enum Edge { case left, right, center }

  static let metrics = CellMetrics()

  /// Writes one line of text into `width` cells.
  ///
  /// - Returns: the column behind the text.
  @discardableResult
  mutating func write(
    _ text: String, row: Int, column: Int, width: Int, style: CellStyle, edge: Edge = .left
  ) -> Int {
    let fitting = Self.fitted(text, width: width)
    var place = column
    switch edge {
    case .left: break
    case .right: place += width - fitting.width
    case .center: place += (width - fitting.width) / 2
    }
    for character in ordered(fitting.text) {
      place = put(character, width: Self.metrics.width(of: character), row: row, column: place, style: style)
    }
    return place
  }

  /// A line as the terminal wants it.
  private func ordered(_ text: String) -> String {
    switch textOrder {
    case .visual: ScreenOrder.text(text, bidi: .reorder)
    case .visualWords: ScreenOrder.text(text, bidi: .words)
    case .logical: text
    }
  }

  /// As much of a text as fits, with an ellipsis in place of what does not.
  static func fitted(_ text: String, width: Int) -> (text: String, width: Int) {
    var taken = ""
    var used = 0
    var lastFit = (text: "", width: 0)
    for character in text {
      // A title may be a whole book: no more of it is looked at than can be shown.
      let one = character.isDrawable ? character : " "
      let cells = metrics.width(of: one)
      if used + cells > width {
        guard width > 0 else { return ("", 0) }
        return (lastFit.text + "…", lastFit.width + 1)
      }
      if used <= width - 1 { lastFit = (taken, used) }
      taken.append(one)
      used += cells
      if used <= width - 1 { lastFit = (taken, used) }
    }
    return (taken, used)
  }

  /// Writes a line of a page.
  mutating func write(_ line: PageLine, row: Int, column: Int, width: Int, palette: Palette) {
    var place = column
    for run in line.runs {
      let style = RunStyle.style(of: run, palette: palette)
      guard let next = write(run.text, row: row, column: place, limit: column + width, style: style) else { return }
      place = next
    }
  }

  /// Writes a run as it is; nil when it does not fit.
  private mutating func write(
    _ text: String, row: Int, column: Int, limit: Int, style: CellStyle
  ) -> Int? {
    var place = column
    let bytes = text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let following = bytes.index(after: index)
      // An ASCII character that no other scalar follows is a cluster by itself: most of most books.
      if bytes[index] < 0x7F, bytes[index] >= 0x20, following == bytes.endIndex || bytes[following] < 0x80 {
        guard place < limit else { return nil }
        place = put(ascii: bytes[index], row: row, column: place, style: style)
        index = following
      } else {
        let cells = Self.metrics.width(of: text[index])
        guard place + cells <= limit else { return nil }
        place = put(text[index], width: cells, row: row, column: place, style: style)
        index = text.index(after: index)
      }
    }
    return place
  }

  /// A frame with a title in its upper edge; its inside is blank.
  mutating func frame(_ box: Box, title: String, palette: Palette) {
    guard box.rows >= 2, box.columns >= 2 else { return }
    fill(row: box.row, column: box.column, rows: box.rows, columns: box.columns, style: palette.bar)
    let last = box.column + box.columns - 1
    for column in (box.column + 1)..<last {
      put("─", width: 1, row: box.row, column: column, style: palette.barQuiet)
      put("─", width: 1, row: box.row + box.rows - 1, column: column, style: palette.barQuiet)
    }
    for row in (box.row + 1)..<(box.row + box.rows - 1) where box.rows > 2 {
      put("│", width: 1, row: row, column: box.column, style: palette.barQuiet)
      put("│", width: 1, row: row, column: last, style: palette.barQuiet)
    }
    put("╭", width: 1, row: box.row, column: box.column, style: palette.barQuiet)
    put("╮", width: 1, row: box.row, column: last, style: palette.barQuiet)
    put("╰", width: 1, row: box.row + box.rows - 1, column: box.column, style: palette.barQuiet)
    put("╯", width: 1, row: box.row + box.rows - 1, column: last, style: palette.barQuiet)
    if box.columns > 8, !title.isEmpty {
      write(
        " \(title) ", row: box.row, column: box.column + 2, width: box.columns - 4, style: palette.bar.adding(.bold))
    }
  }
}

/// A rectangle of cells.
struct Box: Equatable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < self.row + rows && column >= self.column && column < self.column + columns
  }

  /// In the middle of a window, no larger than it.
  static func centered(rows: Int, columns: Int, in window: (rows: Int, columns: Int)) -> Box {
    let height = max(1, min(rows, window.rows))
    let width = max(1, min(columns, window.columns))
    return Box(
      row: (window.rows - height) / 2, column: (window.columns - width) / 2, rows: height, columns: width)
  }
}
