/// What a style sheet can say that matters to a reader of text.
enum Declaration: Sendable, Equatable {
  case display(Display)
  case visible(Bool)
  case whiteSpace(WhiteSpace)
  case textAlign(TextAlign)
  /// In em.
  case textIndent(Float)
  /// In em; nil is `auto`.
  case margin(Edge, Float?)
  case padding(Edge, Float)
  case border(Edge, Bool)
  case italic(Bool)
  case bold(Bool)
  case smallCaps(Bool)
  case monospace(Bool)
  case transform(TextTransform)
  case verticalAlign(VerticalAlign)
  /// Underline and strikethrough.
  case decoration(underline: Bool, strikethrough: Bool)
  case breakBefore(PageBreak)
  case breakAfter(PageBreak)
  case breakInside(PageBreak)
  case listStyle(ListStyle)
  case content([ContentItem])
  case quotes([String])
  case counterReset([Counter])
  case counterIncrement([Counter])
  case counterSet([Counter])
  case rightToLeft(Bool)
  /// Whether lines run from top to bottom.
  case vertical(Bool)
  case floatsRight(Bool)
  /// `inherit` and `initial` (`unset` is one of them).
  case inherit(Property)
  case initial(Property)

  /// The properties of which `inherit` and `initial` are told apart.
  enum Property: Sendable {
    case display, visibility, whiteSpace, textAlign, textIndent, margins, padding, fontStyle, fontWeight, fontVariant
    case fontFamily, textTransform, verticalAlign, textDecoration, listStyleType, content, quotes, direction, breaks
    case counters
  }

  enum Edge: UInt8, Sendable, CaseIterable { case top, right, bottom, left }

  enum Display: UInt8, Sendable {
    case none, contents, inline, inlineBlock, block, listItem
    case table, rowGroup, headerGroup, footerGroup, row, cell, caption, column
  }

  enum WhiteSpace: UInt8, Sendable {
    case normal, pre, noWrap, preWrap, preLine
    var keepsSpaces: Bool { self == .pre || self == .preWrap }
    var keepsLines: Bool { self == .pre || self == .preWrap || self == .preLine }
  }

  enum TextAlign: UInt8, Sendable { case start, end, left, right, center, justify }
  enum TextTransform: UInt8, Sendable { case none, uppercase, lowercase, capitalize, fullWidth }
  enum VerticalAlign: UInt8, Sendable { case baseline, superscript, `subscript` }
  enum PageBreak: UInt8, Sendable { case auto, avoid, page }

  struct Counter: Sendable, Equatable {
    var name: String
    var value: Int
  }

  enum ContentItem: Sendable, Equatable {
    case text(String)
    case attribute(String)
    case counter(String, ListStyle)
    case counters(String, separator: String, ListStyle)
    case openQuote, closeQuote, noOpenQuote, noCloseQuote
  }
}
