internal import Document

/// The style of one element after the cascade.
struct ComputedStyle {
  // Inherited.
  var whiteSpace = Declaration.WhiteSpace.normal
  var textAlign: Declaration.TextAlign?
  var textIndent: Float?
  /// Bold, italic, small capitals, code; underline and strikethrough as they propagate; super- and subscript.
  var text: TextStyle = []
  var transform = Declaration.TextTransform.none
  var isVisible = true
  /// Index into `StyleTables.listStyles`.
  var listStyle: Int32 = 0
  var isRightToLeft = false
  /// Whether `dir` or `direction` was said on this element or around it.
  var hasDirection = false
  var isAutoDirection = false
  var isVertical = false
  /// Whether there is a list around.
  var isListInside = false
  /// Index into `StyleTables.quotes`; -1 stands for the language's own.
  var quotes: Int32 = -1
  /// Index into the composer's table of languages; -1 if none is known.
  var language: Int32 = -1

  // Of this element alone.
  var display = Declaration.Display.inline
  /// nil: nobody said anything; auto counts as 0.
  var marginTop: Float?
  var marginRight: Float?
  var marginBottom: Float?
  var marginLeft: Float?
  var paddingLeft: Float = 0
  var paddingRight: Float = 0
  /// One bit an edge.
  var borders: UInt8 = 0
  var breakBefore = Declaration.PageBreak.auto
  var breakAfter = Declaration.PageBreak.auto
  var breakInside = Declaration.PageBreak.auto
  var verticalAlign = Declaration.VerticalAlign.baseline
  var isUnderlined = false
  var isStruck = false
  var floatsRight = false
  /// What few elements have; nil for the others.
  var rare: RareStyle?

  /// What a child of this element begins with.
  func inherited() -> ComputedStyle {
    var child = ComputedStyle()
    child.whiteSpace = whiteSpace
    child.textAlign = textAlign
    child.textIndent = textIndent
    child.text = text
    child.transform = transform
    child.isVisible = isVisible
    child.listStyle = listStyle
    child.isRightToLeft = isRightToLeft
    child.hasDirection = hasDirection
    child.isAutoDirection = isAutoDirection
    child.isVertical = isVertical
    child.quotes = quotes
    child.isListInside = isListInside
    child.language = language
    return child
  }

  var isBlockLevel: Bool {
    switch display {
    case .none, .contents, .inline, .inlineBlock: false
    case .block, .listItem, .table, .rowGroup, .headerGroup, .footerGroup, .row, .cell, .caption, .column: true
    }
  }

  /// Lines above and below, or all around: a frame.
  var isBoxed: Bool { borders & 0b0101 == 0b0101 }

  mutating func apply(_ declarations: [Declaration], parent: ComputedStyle, tables: inout StyleTables) {
    for declaration in declarations { apply(declaration, parent: parent, tables: &tables) }
  }

  private mutating func apply(_ declaration: Declaration, parent: ComputedStyle, tables: inout StyleTables) {
    switch declaration {
    case .display(let value): display = value
    case .visible(let value): isVisible = value
    case .whiteSpace(let value): whiteSpace = value
    case .textAlign(let value): textAlign = value
    case .textIndent(let value): textIndent = value
    case .margin(let edge, let value):
      switch edge {
      case .top: marginTop = value ?? 0
      case .right: marginRight = value ?? 0
      case .bottom: marginBottom = value ?? 0
      case .left: marginLeft = value ?? 0
      }
    case .padding(let edge, let value):
      switch edge {
      case .left: paddingLeft = value
      case .right: paddingRight = value
      case .top, .bottom: break
      }
    case .border(let edge, let isDrawn):
      let bit = UInt8(1) << edge.rawValue
      borders = isDrawn ? borders | bit : borders & ~bit
    case .italic(let value): set(.italic, value)
    case .bold(let value): set(.bold, value)
    case .smallCaps(let value): set(.smallCaps, value)
    case .monospace(let value): set(.code, value)
    case .transform(let value): transform = value
    case .verticalAlign(let value): verticalAlign = value
    case .decoration(let underline, let strikethrough):
      isUnderlined = underline
      isStruck = strikethrough
    case .breakBefore(let value): breakBefore = value
    case .breakAfter(let value): breakAfter = value
    case .breakInside(let value): breakInside = value
    case .listStyle(let value): listStyle = tables.index(of: value)
    case .content(let value): change { $0.content = value }
    case .quotes(let value): quotes = tables.index(ofQuotes: value)
    case .counterReset(let value): change { $0.reset = value }
    case .counterIncrement(let value): change { $0.increment = value }
    case .counterSet(let value): change { $0.set = value }
    case .rightToLeft(let value):
      isRightToLeft = value
      hasDirection = true
      isAutoDirection = false
    case .vertical(let value): isVertical = value
    case .floatsRight(let value): floatsRight = value
    case .inherit(let property): copy(property, from: parent)
    case .initial(let property): copy(property, from: ComputedStyle())
    }
  }

  private mutating func change(_ body: (RareStyle) -> Void) {
    let copy = RareStyle(rare)
    body(copy)
    rare = copy
  }

  private mutating func set(_ style: TextStyle, _ value: Bool) {
    if value {
      text.insert(style)
    } else {
      text.remove(style)
    }
  }

  private mutating func copy(_ property: Declaration.Property, from other: ComputedStyle) {
    switch property {
    case .display: display = other.display
    case .visibility: isVisible = other.isVisible
    case .whiteSpace: whiteSpace = other.whiteSpace
    case .textAlign: textAlign = other.textAlign
    case .textIndent: textIndent = other.textIndent
    case .margins:
      (marginTop, marginRight) = (other.marginTop, other.marginRight)
      (marginBottom, marginLeft) = (other.marginBottom, other.marginLeft)
    case .padding: (paddingLeft, paddingRight) = (other.paddingLeft, other.paddingRight)
    case .fontStyle: set(.italic, other.text.contains(.italic))
    case .fontWeight: set(.bold, other.text.contains(.bold))
    case .fontVariant: set(.smallCaps, other.text.contains(.smallCaps))
    case .fontFamily: set(.code, other.text.contains(.code))
    case .textTransform: transform = other.transform
    case .verticalAlign: verticalAlign = other.verticalAlign
    case .textDecoration: (isUnderlined, isStruck) = (other.isUnderlined, other.isStruck)
    case .listStyleType: listStyle = other.listStyle
    case .content: change { $0.content = other.rare?.content }
    case .quotes: quotes = other.quotes
    case .direction: (isRightToLeft, hasDirection) = (other.isRightToLeft, other.hasDirection)
    case .breaks: (breakBefore, breakAfter) = (other.breakBefore, other.breakAfter)
    case .counters:
      change {
        $0.reset = other.rare?.reset ?? []
        $0.increment = other.rare?.increment ?? []
      }
    }
  }
}

/// The style of a `::before` or `::after`. Few elements have one: it does not make the others' frames larger.
final class GeneratedStyle {
  let style: ComputedStyle

  init(_ style: ComputedStyle) { self.style = style }
}

/// Generated content and counters: set while a style is computed, never changed afterwards.
final class RareStyle {
  var content: [Declaration.ContentItem]?
  var reset: [Declaration.Counter] = []
  var increment: [Declaration.Counter] = []
  var set: [Declaration.Counter] = []

  init(_ other: RareStyle?) {
    guard let other else { return }
    content = other.content
    reset = other.reset
    increment = other.increment
    set = other.set
  }
}

/// Values that a computed style holds by number, so that it stays a plain value.
struct StyleTables {
  private(set) var listStyles: [ListStyle] = [.disc, .circle, .square, .decimal, .none]
  private(set) var quotes: [[String]] = []
  static let limit = 10_000

  mutating func index(of style: ListStyle) -> Int32 {
    if let place = listStyles.firstIndex(of: style) { return Int32(place) }
    guard listStyles.count < Self.limit else { return 0 }
    listStyles.append(style)
    return Int32(listStyles.count - 1)
  }

  mutating func index(ofQuotes marks: [String]) -> Int32 {
    if let place = quotes.firstIndex(of: marks) { return Int32(place) }
    guard quotes.count < Self.limit else { return -1 }
    quotes.append(marks)
    return Int32(quotes.count - 1)
  }
}
