internal import Document

/// Computes the style of elements: defaults, attributes, style sheets, `style` attribute.
struct StyleResolver: ~Copyable {
  private let tree: MarkupTree
  private let index: StyleIndex
  private var matcher: Matcher
  private var matches = Matcher.Matches()
  private var inlineCache: [UInt64: DeclarationParser.Declarations] = [:]
  private(set) var tables = StyleTables()
  /// BCP 47 tags in the order in which they were met.
  private(set) var languages: [String] = []

  init(tree: MarkupTree, index: StyleIndex) {
    self.tree = tree
    self.index = index
    matcher = Matcher(tree: tree, index: index)
  }

  var isExhausted: Bool { matcher.isExhausted }

  /// An element's style, and those of its `::before` and `::after` where they have content.
  struct Resolved {
    var element: ComputedStyle
    var before: GeneratedStyle?
    var after: GeneratedStyle?
    /// The element's own bits for the ancestor filter.
    var bits: UInt64
  }

  mutating func resolve(_ node: Int32, _ tag: Tag, parent: ComputedStyle, ancestors: UInt64) -> Resolved {
    var style = parent.inherited()
    style.applyDefaults(tag)
    applyAttributes(node, tag, &style, parent)
    matcher.match(node, ancestors: ancestors, into: &matches)
    apply(matches.element, to: &style, parent: parent, inline: inlineDeclarations(node))
    style.settle(tag)
    var resolved = Resolved(element: style, bits: matcher.bits(node))
    if !matches.before.isEmpty { resolved.before = pseudo(matches.before, style) }
    if !matches.after.isEmpty { resolved.after = pseudo(matches.after, style) }
    return resolved
  }

  private mutating func pseudo(
    _ found: [(weight: UInt64, declarations: Int32)], _ parent: ComputedStyle
  ) -> GeneratedStyle? {
    var style = parent.inherited()
    apply(found, to: &style, parent: parent, inline: nil)
    style.settle(.other)
    guard let content = style.rare?.content, !content.isEmpty, style.display != .none else { return nil }
    return GeneratedStyle(style)
  }

  private mutating func apply(
    _ found: [(weight: UInt64, declarations: Int32)], to style: inout ComputedStyle, parent: ComputedStyle,
    inline: DeclarationParser.Declarations?
  ) {
    guard !found.isEmpty || inline != nil else { return }
    // The reader's own sheet lies above everything that the author says, `!important` or in an attribute.
    let user = found.firstIndex { $0.weight >> 56 != 0 } ?? found.count
    for match in found[..<user] {
      style.apply(index.declarations[Int(match.declarations)].normal, parent: parent, tables: &tables)
    }
    if let inline { style.apply(inline.normal, parent: parent, tables: &tables) }
    for match in found[..<user] {
      style.apply(index.declarations[Int(match.declarations)].important, parent: parent, tables: &tables)
    }
    if let inline { style.apply(inline.important, parent: parent, tables: &tables) }
    for match in found[user...] {
      style.apply(index.declarations[Int(match.declarations)].normal, parent: parent, tables: &tables)
    }
    for match in found[user...] {
      style.apply(index.declarations[Int(match.declarations)].important, parent: parent, tables: &tables)
    }
  }

  private mutating func inlineDeclarations(_ node: Int32) -> DeclarationParser.Declarations? {
    guard let range = tree.range(node, .style), !range.isEmpty else { return nil }
    let key = tree.bytes.withUnsafeBufferPointer { nameHash($0, range) }
    if let known = inlineCache[key] { return known }
    let parsed = DeclarationParser.parse(CSSTokenizer.tokens(Array(tree.bytes[range].prefix(65_536)))[...])
    if inlineCache.count < 4096 { inlineCache[key] = parsed }
    return parsed
  }

  // MARK: Attributes that are style

  private mutating func applyAttributes(
    _ node: Int32, _ tag: Tag, _ style: inout ComputedStyle, _ parent: ComputedStyle
  ) {
    let item = tree.nodes[Int(node)]
    for place in Int(item.start)..<Int(item.end) {
      guard let name = AttributeName(rawValue: tree.attributes[place].name) else { continue }
      switch name {
      case .hidden: if value(place) != "until-found" { style.display = .none }
      case .dir: direction(value(place).lowercased(), &style)
      case .lang, .xmlLang: style.language = language(value(place))
      case .align: align(value(place).lowercased(), tag, &style)
      case .nowrap: style.whiteSpace = .noWrap
      case .type: listType(value(place), tag, &style)
      default: break
      }
    }
  }

  private func value(_ attribute: Int) -> String {
    let range = Int(tree.attributes[attribute].start)..<Int(tree.attributes[attribute].end)
    return String(decoding: tree.bytes[range], as: UTF8.self)
  }

  private func direction(_ value: String, _ style: inout ComputedStyle) {
    switch value {
    case "rtl", "ltr":
      style.isRightToLeft = value == "rtl"
      style.hasDirection = true
      style.isAutoDirection = false
    case "auto":
      style.isAutoDirection = true
      style.hasDirection = true
    default: break
    }
  }

  private func align(_ value: String, _ tag: Tag, _ style: inout ComputedStyle) {
    switch tag {
    case .p, .div, .h1, .h2, .h3, .h4, .h5, .h6, .td, .th, .tr, .thead, .tbody, .tfoot:
      switch value {
      case "left": style.textAlign = .left
      case "right": style.textAlign = .right
      case "center", "middle": style.textAlign = .center
      case "justify": style.textAlign = .justify
      default: break
      }
    default: break
    }
  }

  private mutating func listType(_ value: String, _ tag: Tag, _ style: inout ComputedStyle) {
    guard tag == .ol || tag == .ul || tag == .li else { return }
    let kind: ListStyle?
    switch value {
    case "1": kind = .decimal
    case "a": kind = .lowerAlpha
    case "A": kind = .upperAlpha
    case "i": kind = .lowerRoman
    case "I": kind = .upperRoman
    default: kind = ListStyle(cssName: value.lowercased())
    }
    if let kind { style.listStyle = tables.index(of: kind) }
  }

  private mutating func language(_ tag: String) -> Int32 {
    guard !tag.isEmpty else { return -1 }
    if let known = languages.firstIndex(of: tag) { return Int32(known) }
    guard languages.count < 1000, tag.utf8.count <= 64 else { return -1 }
    languages.append(tag)
    return Int32(languages.count - 1)
  }
}
