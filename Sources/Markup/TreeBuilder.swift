/// Takes a parser's events and grows a tree; stops the parser when a limit is reached.
final class TreeBuilder {
  /// Most nodes of one document: 24 bytes each.
  static let maximumNodes = 2_000_000
  /// Most open namespace declarations: looking up one is linear in them.
  static let maximumOpenNamespaces = 20_000
  /// What an HTML parser may search through: unmatched end tags times depth.
  static let maximumSearch = 200_000_000

  private(set) var tree = MarkupTree()
  private var open: [(node: Int32, lastChild: Int32, namespaces: Int32)] = []
  private var openNamespaces = 0
  private var search = 0
  /// From the parser's interned name to the tree's; the address alone identifies a name.
  private var elementCache: [UnsafeRawPointer: UInt16] = [:]
  private var elementIndex = MarkupNames.elementIndex
  private var attributeIndex = MarkupNames.attributeIndex
  private(set) var mustStop = false

  var depth: Int { open.count }

  func reserve(_ sourceBytes: Int) {
    tree.bytes.reserveCapacity(sourceBytes)
    tree.nodes.reserveCapacity(sourceBytes / 24)
  }

  func finish() -> MarkupTree { tree }

  func warn(_ text: String) {
    if tree.warnings.count < 20 { tree.warnings.append(text) }
  }

  func setWellFormed(_ value: Bool) { tree.isWellFormed = value }

  func addStyleSheetInstruction(_ address: String) {
    if tree.styleSheetInstructions.count < 32 { tree.styleSheetInstructions.append(address) }
  }

  // MARK: Events

  func startElement(_ pointer: UnsafeRawPointer, _ name: () -> String, namespaces: Int = 0) {
    let index: UInt16
    if let known = elementCache[pointer] {
      index = known
    } else {
      index = Self.intern(name(), in: &tree.elementNames, &elementIndex)
      elementCache[pointer] = index
    }
    openNamespaces += namespaces
    let attributes = UInt32(tree.attributes.count)
    let node = append(MarkupTree.Node(name: index, parent: -1, start: attributes, end: attributes))
    open.append((node, -1, Int32(namespaces)))
    if tree.nodes.count > Self.maximumNodes || openNamespaces > Self.maximumOpenNamespaces {
      stop("the document has more elements than can be shown; the rest is left out")
    }
  }

  func attribute(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
    guard let element = open.last?.node else { return }
    let index = Self.intern(name, in: &tree.attributeNames, &attributeIndex)
    let start = UInt32(tree.bytes.count)
    tree.bytes.append(contentsOf: value)
    tree.attributes.append(MarkupTree.Attribute(name: index, start: start, end: UInt32(tree.bytes.count)))
    tree.nodes[Int(element)].end = UInt32(tree.attributes.count)
  }

  func endElement() {
    guard let closed = open.popLast() else { return }
    openNamespaces -= Int(closed.namespaces)
  }

  func text(_ piece: UnsafeBufferPointer<UInt8>) {
    guard let parent = open.last, !piece.isEmpty else { return }
    let last = parent.lastChild
    if last >= 0, tree.nodes[Int(last)].name == MarkupTree.textName,
      tree.nodes[Int(last)].end == UInt32(tree.bytes.count)
    {
      tree.bytes.append(contentsOf: piece)
      tree.nodes[Int(last)].end = UInt32(tree.bytes.count)
    } else {
      let start = UInt32(tree.bytes.count)
      tree.bytes.append(contentsOf: piece)
      _ = append(MarkupTree.Node(name: MarkupTree.textName, parent: -1, start: start, end: UInt32(tree.bytes.count)))
    }
  }

  /// A parser that found an error may have searched its whole stack for it.
  func countError() {
    search += open.count
    if search > Self.maximumSearch { stop("the document is too broken to be read to its end") }
  }

  func stop(_ reason: String) {
    guard !mustStop else { return }
    mustStop = true
    warn(reason)
  }

  // MARK: Growing

  private func append(_ node: MarkupTree.Node) -> Int32 {
    let index = Int32(tree.nodes.count)
    var node = node
    if let last = open.indices.last {
      let parent = open[last].node
      node.parent = parent
      if open[last].lastChild >= 0 {
        tree.nodes[Int(open[last].lastChild)].nextSibling = index
      } else {
        tree.nodes[Int(parent)].firstChild = index
      }
      open[last].lastChild = index
    }
    tree.nodes.append(node)
    return index
  }

  private static func intern(_ name: String, in names: inout [String], _ index: inout [String: UInt16]) -> UInt16 {
    if let known = index[name] { return known }
    // A document with thousands of names of its own means nothing by them.
    guard names.count < 30_000 else { return 0 }
    let new = UInt16(names.count)
    names.append(name)
    index[name] = new
    return new
  }
}
