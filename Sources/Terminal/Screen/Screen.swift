/// The cells that a terminal is to show and those it shows now; `render` writes the difference.
///
/// Rows and columns count from 0. Drawing outside the screen is cut off, never an error.
public struct Screen {
  struct Cell: Hashable {
    var glyph: Glyph
    var style: CellStyle

    static let unknown = Cell(glyph: .unknown, style: CellStyle())
  }

  public private(set) var columns: Int
  public private(set) var rows: Int
  public var depth: ColorDepth {
    didSet { if depth != oldValue { invalidate() } }
  }
  /// Where the cursor stands and is seen; nil hides it.
  public var cursor: (row: Int, column: Int)?

  /// How the terminal wants right-to-left text; only who writes text looks at it.
  public enum TextOrder: Sendable {
    /// In the order of the screen.
    case visual
    /// In the order of the screen, but the letters of each word as they are read.
    case visualWords
    /// As it is read.
    case logical
  }
  public var textOrder = TextOrder.visual

  /// The images over the cells; those whose cells do not lie within the screen are not drawn.
  public var pictures: [Picture] = []

  var next: [Cell]
  var shown: [Cell]
  var shownCursor: (row: Int, column: Int)?
  var glyphs = GlyphTable()
  var shownPictures: Set<Picture.Place> = []
  /// Names of pictures that the terminal may still hold, although nobody knows what it shows.
  var stalePictures: Set<UInt32> = []

  /// - Parameter columns: 1...1000, as `rows`; what is outside is brought inside.
  public init(columns: Int, rows: Int, depth: ColorDepth) {
    self.columns = Self.clamp(columns)
    self.rows = Self.clamp(rows)
    self.depth = depth
    next = Array(repeating: Cell(glyph: .blank, style: CellStyle()), count: self.columns * self.rows)
    shown = Array(repeating: .unknown, count: next.count)
  }

  private static func clamp(_ length: Int) -> Int { max(1, min(length, 1000)) }

  /// Another size of the window: everything is blank and drawn anew.
  public mutating func resize(columns: Int, rows: Int) {
    forgetPictures()
    let (wasCursor, wasStale) = (cursor, stalePictures)
    self = Screen(columns: columns, rows: rows, depth: depth)
    cursor = wasCursor
    stalePictures = wasStale
  }

  /// Forgets what the terminal shows, so that all of it is written again.
  public mutating func invalidate() {
    forgetPictures()
    for index in shown.indices { shown[index] = .unknown }
  }

  /// Blanks everything.
  public mutating func clear(_ style: CellStyle = CellStyle()) {
    if glyphs.isFull {
      glyphs.removeAll()
      invalidate()
    }
    for index in next.indices { next[index] = Cell(glyph: .blank, style: style) }
  }

  /// Blanks a rectangle.
  public mutating func fill(row: Int, column: Int, rows: Int, columns: Int, style: CellStyle) {
    guard rows > 0, columns > 0, row < self.rows, column < self.columns else { return }
    for line in max(0, row)..<min(self.rows, row + rows) {
      for place in max(0, column)..<min(self.columns, column + columns) {
        set(Cell(glyph: .blank, style: style), row: line, column: place)
      }
    }
  }

  /// Draws one grapheme cluster.
  ///
  /// - Parameter width: 1 or 2 cells; 0 draws nothing.
  /// - Returns: the column after it.
  @discardableResult
  public mutating func put(_ cluster: Character, width: Int, row: Int, column: Int, style: CellStyle) -> Int {
    guard width > 0, cluster.isDrawable else { return column }
    let end = column + width
    guard (0..<rows).contains(row), column >= 0, end <= columns else { return end }
    set(Cell(glyph: glyphs.glyph(of: cluster), style: style), row: row, column: column)
    if width > 1 {
      for place in (column + 1)..<end { set(Cell(glyph: .rightHalf, style: style), row: row, column: place) }
    }
    return end
  }

  /// Draws one printable ASCII character, without what a cluster takes.
  ///
  /// - Returns: the column after it.
  @discardableResult
  public mutating func put(ascii byte: UInt8, row: Int, column: Int, style: CellStyle) -> Int {
    guard (0x20..<0x7F).contains(byte) else { return column }
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return column + 1 }
    set(Cell(glyph: Glyph(ascii: byte), style: style), row: row, column: column)
    return column + 1
  }

  /// Changes the style of cells and leaves what they show.
  public mutating func restyle(
    row: Int, column: Int, columns: Int, _ change: (inout CellStyle) -> Void
  ) {
    guard (0..<rows).contains(row), columns > 0 else { return }
    for place in max(0, column)..<max(0, min(self.columns, column + columns)) where place >= column {
      change(&next[row * self.columns + place].style)
    }
  }

  private mutating func set(_ cell: Cell, row: Int, column: Int) {
    let index = row * columns + column
    let old = next[index].glyph
    // What is cut in half is blank: the left part of a wide glyph, or the right parts that followed it.
    if old == .rightHalf, cell.glyph != .rightHalf {
      var left = column
      while left > 0, next[row * columns + left].glyph == .rightHalf { left -= 1 }
      for place in left..<column { next[row * columns + place].glyph = .blank }
    }
    next[index] = cell
    var right = column + 1
    while right < columns, next[row * columns + right].glyph == .rightHalf {
      next[row * columns + right].glyph = .blank
      right += 1
    }
  }

  /// The text of a row as a person reads it, trailing blanks cut.
  public func text(ofRow row: Int) -> String {
    guard (0..<rows).contains(row) else { return "" }
    var bytes: [UInt8] = []
    for column in 0..<columns {
      glyphs.append(next[row * columns + column].glyph, to: &bytes)
    }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
