public import Document

/// One row of a page: runs from left to right, beginning at the page's left edge.
public struct PageLine: Sendable, Equatable {
  /// Empty for a blank row. Trailing blanks are not there.
  public var runs: [CellRun]
  /// What of the source stands here, the white space after it included; empty for blanks and decoration.
  public var range: Range<Int>
  /// The picture whose box this row is a part of.
  public var image: ImageSlice?

  public init(runs: [CellRun] = [], range: Range<Int>, image: ImageSlice? = nil) {
    self.runs = runs
    self.range = range
    self.image = image
  }

  /// The text of the runs joined, in the order of the runs.
  public var text: String { runs.map(\.text).joined() }
  /// Cells across, as the terminal counts them.
  public var width: Int { runs.reduce(0) { $0 + $1.width } }
}

/// A stretch of one line that looks alike.
public struct CellRun: Sendable, Equatable {
  public enum Kind: Sendable, Hashable {
    case text
    /// Blanks that place what follows: indents, the way to a column.
    case space
    /// A list item's number or bullet.
    case marker
    /// Frames, bars, rules, the mark of a wrapped line.
    case decoration
    /// An annotation above a line, or in brackets behind its base.
    case ruby
    /// A picture's alternative text.
    case alternative
  }

  /// Ready for the terminal: no control characters, no soft hyphens; blanks are blanks.
  public var text: String
  /// Cells across.
  public var width: Int
  public var kind: Kind
  public var style: TextStyle
  public var role: Block.Role
  public var link: Link?
  public var image: ImageReference?
  /// The source's offsets between the first and behind the last scalar; empty for what is generated.
  public var range: Range<Int>
  /// The number of the highlight (see `PageLook`) that this run lies in.
  public var highlight: Int?

  public init(
    text: String, width: Int, kind: Kind, style: TextStyle = [], role: Block.Role = .body, link: Link? = nil,
    image: ImageReference? = nil, range: Range<Int> = 0..<0, highlight: Int? = nil
  ) {
    self.text = text
    self.width = width
    self.kind = kind
    self.style = style
    self.role = role
    self.link = link
    self.image = image
    self.range = range
    self.highlight = highlight
  }
}

/// One row of the box that is kept for a picture.
public struct ImageSlice: Sendable, Equatable {
  public var image: ImageReference
  /// The box's left edge in cells from the page's left edge.
  public var column: Int
  public var columns: Int
  public var rows: Int
  /// Which row of the box this is, from 0.
  public var row: Int

  public init(image: ImageReference, column: Int, columns: Int, rows: Int, row: Int) {
    self.image = image
    self.column = column
    self.columns = columns
    self.rows = rows
    self.row = row
  }
}
