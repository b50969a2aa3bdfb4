/// A paragraph-like piece of a document. Nesting (quotes, lists, definition bodies) is flattened into `style`.
public struct Block: Sendable, Equatable {
  public var content: Content
  public var role: Role
  public var style: BlockStyle
  /// A list item's number or bullet as shown, without trailing blank: "•", "3.", "iv.". Hangs left of the text.
  public var marker: String?
  /// The offsets of the source that this block covers; empty for generated blocks.
  public var range: Range<Int>

  public init(
    content: Content, role: Role = .body, style: BlockStyle = BlockStyle(), marker: String? = nil, range: Range<Int>
  ) {
    self.content = content
    self.role = role
    self.style = style
    self.marker = marker
    self.range = range
  }

  public enum Content: Sendable, Equatable {
    /// Flowing text: white space already collapsed; "\n" in it is a forced line break (`br`).
    case text(InlineText)
    /// White space as written, lines end with "\n".
    case preformatted(InlineText)
    case image(ImageReference)
    /// A thematic break. A decorative one ("* * *") is a centred text block of role `.sceneBreak`.
    case rule
    case table(Table)
  }

  public enum Role: Sendable, Hashable {
    case body
    /// 1...6
    case heading(level: Int)
    case caption
    case sceneBreak
    case listItem
    case quote
    case verse
    case code
    case definitionTerm
    /// A foot- or endnote that stands in the flow.
    case note
    /// A summary line that opens its details, a label for audio or video, and the like.
    case label
  }
}

/// What decides how a block's lines look. Lengths are in em of body text: one em is two cells across, one line down.
public struct BlockStyle: Sendable, Equatable {
  public enum Alignment: Sendable, Hashable { case start, end, left, right, center, justify }
  public enum Break: Sendable, Hashable { case auto, avoid, page }

  /// nil: the book does not say; the user's setting decides.
  public var alignment: Alignment?
  /// First-line indent; negative hangs. nil: the book does not say.
  public var textIndent: Double?
  public var marginLeft: Double = 0
  public var marginRight: Double = 0
  /// nil: the book does not say.
  public var marginTop: Double?
  public var marginBottom: Double?
  /// How many quotation bars stand left of the text.
  public var quoteDepth: Int = 0
  /// List depth, 0 outside lists; each level indents by what its marker needs.
  public var listDepth: Int = 0
  public var breakBefore: Break = .auto
  public var breakAfter: Break = .auto
  public var breakInside: Break = .auto
  /// A frame was drawn around this block (an aside, a boxed note).
  public var isBoxed: Bool = false
  public var noWrap: Bool = false
  /// BCP 47; nil: the document's.
  public var language: String?
  /// nil: the document's.
  public var direction: TextDirection?

  public init() {}
}

/// A table: rows of cells, each cell its own blocks.
public struct Table: Sendable, Equatable {
  public var caption: InlineText?
  public var rows: [Row]

  public init(caption: InlineText? = nil, rows: [Row]) {
    self.caption = caption
    self.rows = rows
  }

  public struct Row: Sendable, Equatable {
    public var cells: [Cell]
    public var isHeader: Bool

    public init(cells: [Cell], isHeader: Bool = false) {
      self.cells = cells
      self.isHeader = isHeader
    }
  }

  public struct Cell: Sendable, Equatable {
    public var blocks: [Block]
    public var columnSpan: Int
    public var rowSpan: Int
    public var isHeader: Bool

    public init(blocks: [Block], columnSpan: Int = 1, rowSpan: Int = 1, isHeader: Bool = false) {
      self.blocks = blocks
      self.columnSpan = columnSpan
      self.rowSpan = rowSpan
      self.isHeader = isHeader
    }
  }
}

/// An image of the book, by its resolved path inside the container (or `data:` URI, or absolute URL of an article).
public struct ImageReference: Sendable, Equatable {
  public var source: String
  /// The alternative text; nil when the source has none, "" when it says that the image is decoration.
  public var alt: String?
  public var title: String?
  /// As the source declares it, in CSS pixels; nil where it does not.
  public var width: Int?
  public var height: Int?
  public var link: Link?
  public var isInline: Bool

  public init(
    source: String, alt: String? = nil, title: String? = nil, width: Int? = nil, height: Int? = nil,
    link: Link? = nil, isInline: Bool = false
  ) {
    self.source = source
    self.alt = alt
    self.title = title
    self.width = width
    self.height = height
    self.link = link
    self.isInline = isInline
  }
}
