/// A terminal as small as can be: cells with styles, a cursor, CUP, EL, ED, SGR and private modes. No wrapping.
///
/// Control characters and sequences that it does not know are faults of whoever sent them, and are noted.
public struct EmulatorModel: Sendable {
  public private(set) var columns: Int
  public private(set) var rows: Int
  public private(set) var cells: [[Cell]]
  public private(set) var cursor = (row: 0, column: 0)
  /// The private modes that are set, e.g. 25 (cursor), 1049 (alternate screen).
  public private(set) var modes: Set<Int> = [7, 25]
  public private(set) var faults: [String] = []
  /// The bodies of APC, OSC and DCS strings, with their introducer.
  public private(set) var strings: [String] = []
  private var pen = ""
  private var undecoded: [UInt8] = []
  private let width: @Sendable (Character) -> Int

  public struct Cell: Equatable, Sendable {
    public var text = " "
    public var style = ""
    /// Covered by the glyph left of it.
    public var isRightHalf = false

    public init() {}
  }

  /// - Parameter width: of a cluster, in cells.
  public init(
    columns: Int, rows: Int, width: @escaping @Sendable (Character) -> Int = EmulatorModel.usualWidth
  ) {
    self.columns = columns
    self.rows = rows
    self.width = width
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// Two cells for what East Asian scripts and emoji need.
  public static func usualWidth(_ character: Character) -> Int {
    guard let value = character.unicodeScalars.first?.value else { return 0 }
    let isWide =
      (0x1100...0x115F).contains(value) || (0x2E80...0xA4CF).contains(value)
      || (0xAC00...0xD7A3).contains(value) || (0xFF00...0xFF60).contains(value) || (0x1F300...0x3FFFF).contains(value)
    return isWide ? 2 : 1
  }

  public mutating func resize(columns: Int, rows: Int) {
    self = EmulatorModel(columns: columns, rows: rows, width: width, modes: modes, faults: faults)
  }

  private init(
    columns: Int, rows: Int, width: @escaping @Sendable (Character) -> Int, modes: Set<Int>, faults: [String]
  ) {
    self.init(columns: columns, rows: rows, width: width)
    self.modes = modes
    self.faults = faults
  }

  /// Takes bytes as they come; what is cut off in the middle waits for the rest.
  public mutating func take(_ bytes: [UInt8]) {
    undecoded += bytes
    var index = 0
    var printable: [UInt8] = []
    func flush(_ model: inout EmulatorModel) {
      for character in String(decoding: printable, as: UTF8.self) { model.write(character) }
      printable.removeAll()
    }
    while index < undecoded.count {
      let byte = undecoded[index]
      if byte == 0x1B {
        flush(&self)
        guard let length = sequenceLength(from: index) else { break }
        take(sequence: Array(undecoded[index..<(index + length)]))
        index += length
      } else if byte < 0x20 || byte == 0x7F {
        flush(&self)
        if byte != 0x0D, byte != 0x0A { faults.append("control character \(byte)") }
        index += 1
      } else {
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard index + length <= undecoded.count else { break }
        if byte == 0xC2, (0x80..<0xA0).contains(undecoded[index + 1]) { faults.append("C1 control") }
        printable += undecoded[index..<(index + length)]
        index += length
      }
    }
    flush(&self)
    undecoded.removeFirst(index)
  }

  /// The length of the escape sequence that begins here; nil when its end has not come yet.
  private func sequenceLength(from start: Int) -> Int? {
    guard start + 1 < undecoded.count else { return nil }
    switch undecoded[start + 1] {
    case UInt8(ascii: "["):
      return undecoded[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }.map { $0 - start + 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      var index = start + 2
      while index < undecoded.count {
        if undecoded[index] == 0x07 { return index - start + 1 }
        if undecoded[index] == 0x1B { return index + 1 < undecoded.count ? index - start + 2 : nil }
        index += 1
      }
      return nil
    default:
      return 2
    }
  }

  private mutating func take(sequence: [UInt8]) {
    let body = String(decoding: sequence.dropFirst(2), as: UTF8.self)
    switch sequence[1] {
    case UInt8(ascii: "["): control(String(body.dropLast()), final: body.last ?? " ")
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      strings.append(String(Unicode.Scalar(sequence[1])) + body)
    case UInt8(ascii: "\\"): break
    default: faults.append("ESC \(sequence[1])")
    }
  }

  private mutating func control(_ parameters: String, final: Character) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (final, parameters) {
    case ("H", _):
      cursor.row = max(1, numbers.first ?? 1) - 1
      cursor.column = max(1, numbers.count > 1 ? numbers[1] : 1) - 1
    case ("K", ""):
      for column in cursor.column..<columns { put(Cell(), column) }
    case ("J", "2"):
      cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    case ("m", _):
      pen = parameters == "" || parameters == "0" ? "" : parameters
    case ("h", _) where parameters.hasPrefix("?"):
      if let mode = Int(parameters.dropFirst()) { modes.insert(mode) }
    case ("l", _) where parameters.hasPrefix("?"):
      if let mode = Int(parameters.dropFirst()) { modes.remove(mode) }
    case ("p", "?2026$"), ("t", "16"), ("c", ""):
      break
    default:
      faults.append("unknown: CSI \(parameters) \(final)")
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
      cells[cursor.row][column + 1].isRightHalf = false
      cells[cursor.row][column + 1].text = " "
    }
    cells[cursor.row][column] = cell
  }

  private mutating func write(_ character: Character) {
    let cells = width(character)
    var cell = Cell()
    cell.text = String(character)
    cell.style = pen
    put(cell, cursor.column)
    if cells == 2 {
      var half = Cell()
      half.text = ""
      half.style = pen
      half.isRightHalf = true
      put(half, cursor.column + 1)
    }
    cursor.column = min(columns - 1, cursor.column + cells)
  }

  /// A row as a person reads it, trailing blanks cut.
  public func text(_ row: Int) -> String {
    guard cells.indices.contains(row) else { return "" }
    var text = cells[row].map(\.text).joined()
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// All rows, a line each.
  public var screen: String { (0..<rows).map(text).joined(separator: "\n") }
}
