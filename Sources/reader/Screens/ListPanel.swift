internal import Terminal

/// A list over the page, one line of which is selected: contents, marks, search results, settings.
struct ListPanel {
  struct Item: Equatable {
    var text: String
    /// At the right edge: a page number, a value.
    var detail = ""
    /// From 0.
    var level = 0
    /// Where the reader is now.
    var isCurrent = false
  }

  enum Outcome: Equatable {
    case none
    case close
    case choose(Int)
    /// A value is to be changed, by its left (false) or right neighbour.
    case change(Int, forward: Bool)
  }

  var title: String
  var items: [Item]
  var selection: Int
  /// Shown when there are no items.
  var emptyText = ""
  private var top = 0
  private var box = Box(row: 0, column: 0, rows: 0, columns: 0)

  init(title: String, items: [Item], selection: Int = 0, emptyText: String = "") {
    self.title = title
    self.items = items
    self.emptyText = emptyText
    self.selection = items.isEmpty ? 0 : min(max(0, selection), items.count - 1)
  }

  /// For a panel that takes the place of another with fewer items.
  mutating func keepScroll(of other: ListPanel) {
    top = other.top
    box = other.box
  }

  private var visibleRows: Int { max(1, box.rows - 2) }

  mutating func move(by count: Int) {
    guard !items.isEmpty else { return }
    selection = min(max(0, selection + count), items.count - 1)
  }

  mutating func turn(forward: Bool) { move(by: forward ? visibleRows : -visibleRows) }

  mutating func handle(_ key: TerminalEvent.Key, _ modifiers: TerminalEvent.Modifiers) -> Outcome {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp, .character("b"): turn(forward: false)
    case .pageDown, .character(" "): turn(forward: true)
    case .home, .character("g"): move(by: -items.count)
    case .end, .character("G"): move(by: items.count)
    case .left: return items.isEmpty ? .none : .change(selection, forward: false)
    case .right: return items.isEmpty ? .none : .change(selection, forward: true)
    case .enter: return items.isEmpty ? .close : .choose(selection)
    case .escape, .character("q"): return .close
    default: break
    }
    return .none
  }

  mutating func handle(_ mouse: TerminalEvent.MouseEvent) -> Outcome {
    switch mouse.action {
    case .wheelUp: move(by: -3)
    case .wheelDown: move(by: 3)
    case .press(0):
      guard box.contains(row: mouse.row, column: mouse.column) else { return .close }
      let index = top + mouse.row - box.row - 1
      if items.indices.contains(index), mouse.row > box.row, mouse.row < box.row + box.rows - 1 {
        selection = index
        return .choose(index)
      }
    case .press, .release, .move, .wheelLeft, .wheelRight:
      break
    }
    return .none
  }

  mutating func draw(on screen: inout Screen, palette: Palette) {
    let count = max(1, items.count)
    box = Box.centered(
      rows: min(count + 2, max(3, screen.rows - 2)), columns: min(72, screen.columns),
      in: (screen.rows, screen.columns))
    screen.frame(box, title: title, palette: palette)
    if selection < top { top = selection }
    if selection >= top + visibleRows { top = selection - visibleRows + 1 }
    top = max(0, min(top, max(0, items.count - visibleRows)))
    let inside = box.columns - 4
    guard box.rows > 2, inside > 0 else { return }
    if items.isEmpty {
      screen.write(emptyText, row: box.row + 1, column: box.column + 2, width: inside, style: palette.barQuiet)
    }
    for row in 0..<min(visibleRows, items.count - top) {
      draw(items[top + row], isSelected: top + row == selection, row: box.row + 1 + row, on: &screen, palette)
    }
    if items.count > visibleRows, box.columns > 16 {
      let position = " \(selection + 1) / \(items.count) "
      screen.write(
        position, row: box.row + box.rows - 1, column: box.column + 2, width: inside, style: palette.barQuiet,
        edge: .right)
    }
  }

  private func draw(_ item: Item, isSelected: Bool, row: Int, on screen: inout Screen, _ palette: Palette) {
    let (left, width) = (box.column + 1, box.columns - 2)
    let style = isSelected ? palette.selected : item.isCurrent ? palette.barAccent.adding(.bold) : palette.bar
    screen.fill(row: row, column: left, rows: 1, columns: width, style: isSelected ? palette.selected : palette.bar)
    let indent = min(2 * item.level, width / 3)
    let detail = Screen.fitted(item.detail, width: width / 2)
    let room = width - 2 - indent - (detail.width > 0 ? detail.width + 2 : 0)
    screen.write(item.text, row: row, column: left + 1 + indent, width: max(0, room), style: style)
    screen.write(
      detail.text, row: row, column: left + width - 1 - detail.width, width: detail.width,
      style: isSelected ? palette.selected : palette.barQuiet)
  }
}
