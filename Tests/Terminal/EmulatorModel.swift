@testable import Terminal

/// A terminal as small as can be: cells with styles, a cursor, CUP, EL, SGR and private modes. No wrapping.
///
/// Anything else that the screen sends is an error of the screen, and is noted.
struct EmulatorModel {
  let columns: Int
  let rows: Int
  var cells: [[Cell]]
  var cursor = (row: 0, column: 0)
  var isCursorVisible = true
  var isSynchronized = false
  var faults: [String] = []
  private var pen = ""

  struct Cell: Equatable {
    var text = " "
    var style = ""
    /// Covered by the glyph left of it.
    var isRightHalf = false
  }

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// - Parameter width: of a cluster, as the caller of `put` said it.
  mutating func take(_ bytes: [UInt8], width: (Character) -> Int) {
    let text = String(decoding: bytes, as: UTF8.self)
    var scalars = Array(text.unicodeScalars)[...]
    var printable = ""
    func flush(_ model: inout EmulatorModel) {
      for character in printable { model.write(character, width: width(character)) }
      printable = ""
    }
    while let scalar = scalars.popFirst() {
      if scalar == "\u{1B}" {
        flush(&self)
        guard scalars.popFirst() == "[" else {
          faults.append("ESC without [")
          continue
        }
        var parameters = ""
        while let next = scalars.popFirst() {
          if (0x40...0x7E).contains(next.value) {
            control(parameters, final: Character(next))
            break
          }
          parameters.unicodeScalars.append(next)
        }
      } else if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        faults.append("control character \(scalar.value)")
      } else {
        printable.unicodeScalars.append(scalar)
      }
    }
    flush(&self)
  }

  private mutating func control(_ parameters: String, final: Character) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (final, parameters) {
    case ("H", _):
      cursor.row = max(1, numbers.first ?? 1) - 1
      cursor.column = max(1, numbers.count > 1 ? numbers[1] : 1) - 1
    case ("K", ""):
      for column in cursor.column..<columns { put(Cell(), column) }
    case ("m", _):
      pen = parameters == "" || parameters == "0" ? "" : parameters
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    case ("h", "?2026"): isSynchronized = true
    case ("l", "?2026"): isSynchronized = false
    default: faults.append("unknown: CSI \(parameters) \(final)")
    }
  }

  private mutating func put(_ cell: Cell, _ column: Int) {
    guard cursor.row < rows, column < columns else {
      faults.append("outside: \(cursor.row) \(column)")
      return
    }
    // Writing into half of a wide glyph destroys the whole.
    if cells[cursor.row][column].isRightHalf, !cell.isRightHalf, column > 0 {
      cells[cursor.row][column - 1].text = " "
    }
    if column + 1 < columns, cells[cursor.row][column + 1].isRightHalf {
      cells[cursor.row][column + 1] = Cell(text: " ", style: cells[cursor.row][column + 1].style)
    }
    cells[cursor.row][column] = cell
  }

  private mutating func write(_ character: Character, width: Int) {
    put(Cell(text: String(character), style: pen), cursor.column)
    if width == 2 { put(Cell(text: "", style: pen, isRightHalf: true), cursor.column + 1) }
    cursor.column = min(columns - 1, cursor.column + width)
  }

  func text(_ row: Int) -> String {
    var text = cells[row].map(\.text).joined()
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
