internal import Document
internal import Terminal
internal import Typesetting

/// Text over the page that can be scrolled: help, a note, what a book says about itself.
struct TextPanel {
  enum Outcome: Equatable {
    case none
    case close
    /// Enter: go to where the text stands in the book, if it does.
    case follow
  }

  var title: String
  /// Shown in the lower edge.
  var hint: String
  var lines: [PageLine]
  private var top = 0
  private var box = Box(row: 0, column: 0, rows: 0, columns: 0)
  /// At the lower edge of the window, as notes stand below a page.
  private var isAtBottom: Bool
  private var width: Int

  /// - Parameter width: cells that it covers at least.
  init(title: String, hint: String = "", lines: [PageLine], isAtBottom: Bool = false, width: Int = 0) {
    self.width = width
    self.title = title
    self.hint = hint
    self.lines = lines
    self.isAtBottom = isAtBottom
  }

  init(title: String, hint: String = "", text: [String]) {
    self.init(
      title: title, hint: hint,
      lines: text.map { line in
        PageLine(
          runs: [CellRun(text: line, width: Screen.metrics.width(of: line), kind: .text)], range: 0..<0)
      })
  }

  private var visibleRows: Int { max(1, box.rows - 2) }

  mutating func scroll(by count: Int) {
    top = max(0, min(top + count, max(0, lines.count - visibleRows)))
  }

  mutating func turn(forward: Bool) { scroll(by: forward ? visibleRows : -visibleRows) }

  mutating func handle(_ key: TerminalEvent.Key) -> Outcome {
    switch key {
    case .up, .character("k"): scroll(by: -1)
    case .down, .character("j"): scroll(by: 1)
    case .pageUp, .character("b"), .left: turn(forward: false)
    case .pageDown, .character(" "), .right: turn(forward: true)
    case .home: scroll(by: -lines.count)
    case .end: scroll(by: lines.count)
    case .enter: return .follow
    case .escape, .character("q"), .character("?"), .backspace: return .close
    default: break
    }
    return .none
  }

  mutating func handle(_ mouse: TerminalEvent.MouseEvent) -> Outcome {
    switch mouse.action {
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    case .press: return box.contains(row: mouse.row, column: mouse.column) ? .none : .close
    case .release, .move, .wheelLeft, .wheelRight: break
    }
    return .none
  }

  mutating func draw(on screen: inout Screen, palette: Palette) {
    let widest = lines.map(\.width).max() ?? 0
    let edges = max(Screen.metrics.width(of: title), Screen.metrics.width(of: hint) + 8)
    let columns = min(max(widest + 4, edges + 6, width), screen.columns)
    let rows = min(lines.count + 2, max(3, isAtBottom ? screen.rows * 2 / 3 : screen.rows - 2))
    box = Box.centered(rows: rows, columns: columns, in: (screen.rows, screen.columns))
    if isAtBottom { box.row = max(0, screen.rows - box.rows - 1) }
    screen.frame(box, title: title, palette: palette)
    scroll(by: 0)
    guard box.columns > 4, box.rows > 2 else { return }
    var inside = palette
    inside.text = palette.bar
    inside.quiet = palette.barQuiet
    inside.faint = palette.barQuiet
    inside.accent = palette.barAccent
    for row in 0..<min(visibleRows, lines.count - top) {
      screen.write(
        lines[top + row], row: box.row + 1 + row, column: box.column + 2, width: box.columns - 4, palette: inside)
    }
    let more = top + visibleRows < lines.count ? "↓ more" : ""
    let foot = [hint, more].filter { !$0.isEmpty }.joined(separator: "  ")
    if !foot.isEmpty, box.columns > 12 {
      screen.write(
        " \(foot) ", row: box.row + box.rows - 1, column: box.column + 2, width: box.columns - 4,
        style: palette.barQuiet, edge: .right)
    }
  }
}
