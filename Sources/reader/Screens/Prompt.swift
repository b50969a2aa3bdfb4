internal import Typesetting
internal import Terminal

/// A line that is typed: what to search for, which page to go to.
struct Prompt {
  enum Purpose: Equatable { case search, page }

  enum Outcome: Equatable {
    case none
    case cancel
    case submit(String)
  }

  static let lengthLimit = 200
  let purpose: Purpose
  private(set) var text: [Character]
  private var cursor: Int

  init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = Array(text.prefix(Self.lengthLimit))
    cursor = self.text.count
  }

  private var label: String {
    switch purpose {
    case .search: "Search: "
    case .page: "Go to page: "
    }
  }

  mutating func insert(_ typed: String) {
    for character in typed where character.isDrawable && text.count < Self.lengthLimit {
      text.insert(character, at: cursor)
      cursor += 1
    }
  }

  mutating func handle(_ key: TerminalEvent.Key, _ modifiers: TerminalEvent.Modifiers) -> Outcome {
    switch key {
    case .enter: return .submit(String(text))
    case .escape: return .cancel
    case .character("c") where modifiers == .control, .character("g") where modifiers == .control: return .cancel
    case .character("u") where modifiers == .control:
      text.removeFirst(cursor)
      cursor = 0
    case .character("w") where modifiers == .control:
      while cursor > 0, text[cursor - 1] == " " { erase() }
      while cursor > 0, text[cursor - 1] != " " { erase() }
    case .character("a") where modifiers == .control, .home: cursor = 0
    case .character("e") where modifiers == .control, .end: cursor = text.count
    case .character(let scalar) where modifiers.isDisjoint(with: [.control, .alt]): insert(String(scalar))
    case .backspace:
      if text.isEmpty { return .cancel }
      if cursor > 0 { erase() }
    case .delete: if cursor < text.count { text.remove(at: cursor) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    default: break
    }
    return .none
  }

  private mutating func erase() {
    cursor -= 1
    text.remove(at: cursor)
  }

  /// In the last row, with the cursor.
  func draw(on screen: inout Screen, palette: Palette) {
    let row = screen.rows - 1
    screen.fill(row: row, column: 0, rows: 1, columns: screen.columns, style: palette.bar)
    let start = screen.write(
      label, row: row, column: min(1, screen.columns - 1), width: max(0, min(screen.columns / 2, 20)),
      style: palette.barAccent.adding(.bold))
    let room = max(1, screen.columns - start - 1)
    // The end that holds the cursor is seen.
    var first = 0
    func width(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 + Screen.metrics.width(of: $1) } }
    while first < cursor, width(first..<cursor) >= room { first += 1 }
    var column = start
    for character in text[first...] {
      let cells = Screen.metrics.width(of: character)
      guard column + cells <= start + room else { break }
      column = screen.put(character, width: cells, row: row, column: column, style: palette.bar)
    }
    screen.cursor = (row, min(screen.columns - 1, start + width(first..<cursor)))
  }
}
