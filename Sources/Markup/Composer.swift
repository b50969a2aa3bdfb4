internal import Document

/// Walks a tree once, in document order, and makes blocks of it. Never recurses: depth costs memory, not stack.
///
/// Not copyable: the compiler would copy all of it to call a method that only reads.
struct Composer: ~Copyable {
  let tree: MarkupTree
  let resources: DocumentReader.Resources
  var document = Document()
  var resolver: StyleResolver
  var builder = InlineBuilder()
  var links: [Link] = []

  /// Offset of the next scalar of the source's text.
  var offset = 0
  /// Whether the last scalar counted was white space: more of it counts nothing.
  var isInSpace = false
  /// Where the block that comes next begins.
  var rangeStart = 0

  var frames: [Frame] = []
  /// Blocks being collected: the document's, a cell's, a note's.
  var sinks: [Sink] = [Sink()]
  var tables: [TableState] = []
  /// What the page's sheets say to its drawings; nil before the first one.
  var drawingSheets: [UInt8]?
  var ruby: RubyState?
  var counters = Counters()
  var quoteLevel = 0
  var pendingMarker: String?
  var pendingTop: Float?
  var pendingBreak = false
  /// The next block goes on with the text of the last.
  var isContinuation = false
  /// How deep the frame was that emitted the last block.
  var lastBlockDepth = 0
  /// Bytes of generated content that may still be shown.
  var generatedBudget = 1 << 20
  var documentLanguage: Int32 = -1
  /// Fragments that links of this document lead to.
  var linkedFragments: Set<UInt64> = []
  var wantedNode: Int32 = -1
  var wantedBlocks: [Block]?
  var headingTitle: String?
  /// Whether `div` stands for `p` in this document; otherwise it is a line or a box without space around it.
  var divIsParagraph = false
  /// Cases of a switch that are not shown.
  var skipped: Set<Int32> = []

  static let maximumTableDepth = 3
  /// Bytes of a block, beyond which it goes on in another one: who lays out paragraphs does so as a whole.
  static let maximumBlock = 65_536

  struct Frame {
    var node: Int32
    var tag: Tag
    var style: ComputedStyle
    /// Index of the nearest frame that is a block.
    var block: Int
    /// Bits of all elements from the root to here.
    var bits: UInt64
    var marginLeft: Float
    var marginRight: Float
    var quoteDepth: Int32
    var listDepth: Int32
    var role: Block.Role
    var isBoxed: Bool
    var avoidsBreak: Bool
    var link: Int32
    var isInNote: Bool
    /// Blocks in the sink when the element was opened.
    var blocksAtOpen: Int
    var after: GeneratedStyle?
    var closing = Closing.nothing
    /// Where the element's text begins.
    var offset: Int
  }

  /// What else is to be done when an element ends.
  enum Closing { case nothing, table, flatTable, row, cell, caption, note, wanted, ruby, base, annotation, quote }

  struct Sink {
    var blocks: [Block] = []
    /// What to go back to when the sink is closed.
    var savedTop: Float?
    var savedMarker: String?
    var savedBreak = false
    var noteID: String?
  }

  init(tree: MarkupTree, resources: DocumentReader.Resources) {
    self.tree = tree
    self.resources = resources
    var loader = StyleLoader(tree: tree, resources: resources)
    let index = loader.load()
    resolver = StyleResolver(tree: tree, index: index)
    document.warnings = tree.warnings + loader.warnings + index.warnings
  }

  mutating func compose() -> Document {
    guard !tree.isEmpty else { return document }
    collectFragments()
    divIsParagraph = usesDivAsParagraph()
    walk()
    finish()
    return document
  }

  /// The blocks of that element alone.
  mutating func compose(only node: Int32) -> [Block]? {
    guard !tree.isEmpty else { return nil }
    wantedNode = node
    walk()
    return wantedBlocks
  }

  // MARK: Walking

  private mutating func walk() {
    let body = findBody()
    openAncestors(of: body)
    var current = body
    while current >= 0 {
      if tree.nodes[Int(current)].name == MarkupTree.textName {
        text(tree.nodes[Int(current)])
      } else if open(current) {
        let child = tree.nodes[Int(current)].firstChild
        if child >= 0 {
          current = child
          continue
        }
        close()
      }
      // Up to the next sibling, closing what ends on the way.
      while current != body {
        let sibling = tree.nodes[Int(current)].nextSibling
        if sibling >= 0 {
          current = sibling
          break
        }
        current = tree.nodes[Int(current)].parent
        close()
      }
      if current == body { break }
    }
    flush()
  }

  private func findBody() -> Int32 {
    for node in tree.nodes.indices {
      let tag = tree.tag(Int32(node))
      if tag == .body || tag == .frameset { return Int32(node) }
    }
    return 0
  }

  /// The frames that stand around the body: their styles are inherited, their margins are the reader's affair.
  private mutating func openAncestors(of body: Int32) {
    var chain: [Int32] = []
    var node = tree.nodes[Int(body)].parent
    while node >= 0 {
      chain.append(node)
      node = tree.nodes[Int(node)].parent
    }
    for node in chain.reversed() {
      let parent = frames.last?.style ?? ComputedStyle()
      var resolved = resolver.resolve(node, tree.tag(node), parent: parent, ancestors: frames.last?.bits ?? 0)
      resolved.element.display = .block
      push(node, tree.tag(node), resolved)
      anchor(node)
    }
    let root = chain.last ?? body
    let tag =
      tree.attribute(root, .xmlLang) ?? tree.attribute(root, .lang)
      ?? tree.attribute(body, .xmlLang) ?? tree.attribute(body, .lang)
    document.language = tag.flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func collectFragments() {
    tree.bytes.withUnsafeBufferPointer { bytes in
      for attribute in tree.attributes where attribute.name == AttributeName.href.rawValue {
        let range = Int(attribute.start)..<Int(attribute.end)
        if let hash = range.first(where: { bytes[$0] == 0x23 }), hash + 1 < range.upperBound {
          linkedFragments.insert(nameHash(bytes, (hash + 1)..<range.upperBound))
        }
      }
    }
  }

  /// Whether text stands in `div` elements as long as paragraphs are.
  private func usesDivAsParagraph() -> Bool {
    var count = 0
    var bytes = 0
    for node in tree.nodes where node.name == MarkupTree.textName && node.parent >= 0 && node.end - node.start > 3 {
      guard tree.tag(node.parent) == .div else { continue }
      count += 1
      bytes += Int(node.end - node.start)
    }
    return count > 0 && bytes / count > 90
  }

  /// A margin around all that a document holds is a page's margin, which is the reader's affair.
  private mutating func removeCommonMargins() {
    guard document.blocks.count >= 8 else { return }
    let left = document.blocks.map(\.style.marginLeft).min() ?? 0
    let right = document.blocks.map(\.style.marginRight).min() ?? 0
    guard left > 0 || right > 0 else { return }
    for index in document.blocks.indices {
      document.blocks[index].style.marginLeft -= left
      document.blocks[index].style.marginRight -= right
    }
  }

  private mutating func finish() {
    document.blocks = sinks[0].blocks
    removeCommonMargins()
    document.length = offset
    var title: String?
    for node in tree.nodes.indices where tree.nodes[node].name == Tag.title.rawValue {
      let parent = tree.nodes[node].parent
      if parent >= 0, tree.tag(parent) == .head || tree.tag(parent) == .svg { title = tree.text(Int32(node)) }
      break
    }
    document.title = title.flatMap { $0.isEmpty ? nil : $0 } ?? headingTitle
    if resolver.isExhausted { document.warnings.append("the style sheets are too costly; they are applied in part") }
  }

  // MARK: Frames

  mutating func push(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) {
    let style = resolved.element
    let parent = frames.last
    let isBlock = style.isBlockLevel
    var frame = Frame(
      node: node, tag: tag, style: style, block: isBlock ? frames.count : parent?.block ?? 0,
      bits: (parent?.bits ?? 0) | resolved.bits, marginLeft: parent?.marginLeft ?? 0,
      marginRight: parent?.marginRight ?? 0, quoteDepth: parent?.quoteDepth ?? 0, listDepth: parent?.listDepth ?? 0,
      role: parent?.role ?? .body, isBoxed: parent?.isBoxed ?? false, avoidsBreak: parent?.avoidsBreak ?? false,
      link: parent?.link ?? -1, isInNote: parent?.isInNote ?? false, blocksAtOpen: sinks[sinks.count - 1].blocks.count,
      after: resolved.after, offset: offset)
    if isBlock {
      addMargins(&frame)
      frame.role = role(of: frame, inherited: frame.role)
      if style.isBoxed, !isFramedOtherwise(node, tag) { frame.isBoxed = true }
      if style.breakInside == .avoid { frame.avoidsBreak = true }
    }
    frames.append(frame)
    counters.open(style.rare)
  }

  /// Whether an element is the page itself, by name or as all that it holds, where a frame says nothing of a part; or a
  /// table, which is drawn with lines of its own.
  private func isFramedOtherwise(_ node: Int32, _ tag: Tag) -> Bool {
    var (node, tag) = (node, tag)
    for _ in 0..<8 {
      switch tag {
      case .html, .body, .table: return true
      case .div, .section, .article, .main: break
      default: return false
      }
      node = tree.parent(node)
      guard node >= 0, hasOneChild(node) else { return false }
      tag = tree.tag(node)
    }
    return false
  }

  private func hasOneChild(_ node: Int32) -> Bool {
    var count = 0
    var child = tree.firstChild(node)
    while child >= 0, count < 2 {
      if tree.isElement(child) { count += 1 }
      child = tree.nodes[Int(child)].nextSibling
    }
    return count == 1
  }

  private func addMargins(_ frame: inout Frame) {
    switch frame.tag {
    case .html, .body, .ul, .ol, .li, .menu, .dir, .dl, .tr, .td, .th, .table, .thead, .tbody, .tfoot, .figure: break
    case .blockquote: frame.quoteDepth += 1
    default:
      frame.marginLeft += (frame.style.marginLeft ?? 0) + frame.style.paddingLeft
      frame.marginRight += (frame.style.marginRight ?? 0) + frame.style.paddingRight
    }
    switch frame.tag {
    case .ul, .ol, .menu, .dir: frame.listDepth += 1
    default: break
    }
  }

  private func role(of frame: Frame, inherited: Block.Role) -> Block.Role {
    switch frame.tag {
    case .h1: return .heading(level: 1)
    case .h2: return .heading(level: 2)
    case .h3: return .heading(level: 3)
    case .h4: return .heading(level: 4)
    case .h5: return .heading(level: 5)
    case .h6: return .heading(level: 6)
    case .figcaption, .caption: return .caption
    case .dt: return .definitionTerm
    case .summary: return .label
    case .pre, .listing, .xmp: return inherited == .verse ? .verse : .code
    default: break
    }
    if tree.has(frame.node, .role), tree.attribute(frame.node, .role, holdsAnyOf: "heading") {
      let level = tree.attribute(frame.node, "aria-level").flatMap { Int($0) } ?? 2
      return .heading(level: max(1, min(6, level)))
    }
    switch inherited {
    case .heading, .caption, .code, .note, .verse, .definitionTerm, .label, .sceneBreak: return inherited
    case .body, .listItem, .quote: break
    }
    if NoteFinder.isNote(tree, frame.node) { return .note }
    if tree.attribute(
      frame.node, .epubType, holdsAnyOf: "z3998:verse", "z3998:poem", "z3998:song", "z3998:hymn", "poem", "verse")
      || tree.attribute(frame.node, .class, holdsAnyOf: "poem", "poetry", "verse", "stanza", "lg")
    {
      return .verse
    }
    switch frame.tag {
    case .li: return .listItem
    case .blockquote: return inherited == .listItem ? .listItem : .quote
    default: return inherited
    }
  }
}
