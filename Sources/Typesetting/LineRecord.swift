/// One row of a chapter in few bytes: what a page needs to draw it again from its block.
struct LineRecord {
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// The first line of its block.
    static let first = Flags(rawValue: 1 << 0)
    /// The last line of its block.
    static let last = Flags(rawValue: 1 << 1)
    /// Ends in the middle of a word.
    static let hyphen = Flags(rawValue: 1 << 2)
    static let stretched = Flags(rawValue: 1 << 3)
    /// A page may not end behind this line.
    static let glued = Flags(rawValue: 1 << 4)
    /// A page begins with this line.
    static let newPage = Flags(rawValue: 1 << 5)
    /// Continues a line of preformatted text.
    static let wrapped = Flags(rawValue: 1 << 6)
    /// A page ends behind this line only if it must.
    static let reluctant = Flags(rawValue: 1 << 7)
    /// Annotations stand in a row above.
    static let ruby = Flags(rawValue: 1 << 8)
    /// Ends a paragraph or at a forced break.
    static let ending = Flags(rawValue: 1 << 9)
  }

  enum Kind: UInt8 {
    case text
    /// Scalars are none: an empty line of the source, or a block without text.
    case rule
    /// `start` is the row in the table `index` of the flow.
    case table
    /// `start` is the row of the picture's box or frame.
    case image
    case boxTop
    case boxBottom
  }

  var kind: Kind
  var flags: Flags
  /// Blank rows above, which vanish at the top of a page.
  var gap: UInt8
  /// Rows, the annotations' included.
  var height: UInt8
  var block: Int32
  /// Scalars of the block's text.
  var start: Int32
  var end: Int32
  /// What of the source stands here.
  var offset: Int32
  var offsetEnd: Int32
  /// Cells from the block's left edge.
  var indent: Int16
  /// Which table or frame of the flow.
  var index: Int16 = 0
}
