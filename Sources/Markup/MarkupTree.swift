/// A parsed XML or HTML document: elements, attributes and text in arrays, in document order.
///
/// A node is an index; node 0 is the root element (if there is one). All text stands in one array of UTF-8 bytes.
/// Walking is by `firstChild` and `nextSibling`, never by recursion, so that depth is bounded by memory alone.
public struct MarkupTree: Sendable {
  /// Index of a node; -1 means none.
  public typealias NodeID = Int32
  public static let none: NodeID = -1

  struct Node: Sendable {
    /// Index into the tree's names; `textName` for a text node.
    var name: UInt16
    var parent: Int32
    var firstChild: Int32 = -1
    var nextSibling: Int32 = -1
    /// A text node's bytes; an element's range of attributes.
    var start: UInt32
    var end: UInt32
  }

  struct Attribute: Sendable {
    var name: UInt16
    var start: UInt32
    var end: UInt32
  }

  static let textName = UInt16.max

  var nodes: [Node] = []
  var attributes: [Attribute] = []
  var bytes: [UInt8] = []
  /// The first `Tag.allCases.count` are those of `Tag`.
  var elementNames: [String] = MarkupNames.elements
  var attributeNames: [String] = MarkupNames.attributes
  /// Addresses of style sheets named by `<?xml-stylesheet?>`, in order.
  var styleSheetInstructions: [String] = []
  /// What was wrong with the source and was survived.
  public internal(set) var warnings: [String] = []
  /// Whether the source was well-formed XML.
  public internal(set) var isWellFormed = true

  public var isEmpty: Bool { nodes.isEmpty }
  public var root: NodeID { nodes.isEmpty ? Self.none : 0 }

  // MARK: Walking

  public func isElement(_ node: NodeID) -> Bool {
    nodes[Int(node)].name != Self.textName
  }

  public func parent(_ node: NodeID) -> NodeID { nodes[Int(node)].parent }
  public func firstChild(_ node: NodeID) -> NodeID { nodes[Int(node)].firstChild }
  public func nextSibling(_ node: NodeID) -> NodeID { nodes[Int(node)].nextSibling }

  /// The node after `node` in document order inside of `limit`; `none` at its end.
  public func next(after node: NodeID, within limit: NodeID) -> NodeID {
    let child = nodes[Int(node)].firstChild
    return child >= 0 ? child : nextOutside(node, within: limit)
  }

  /// The node after `node` and all that it holds, inside of `limit`.
  public func nextOutside(_ node: NodeID, within limit: NodeID) -> NodeID {
    var current = node
    while current != limit, current >= 0 {
      let sibling = nodes[Int(current)].nextSibling
      if sibling >= 0 { return sibling }
      current = nodes[Int(current)].parent
    }
    return Self.none
  }

  /// The child elements, those of one local name only if one is given.
  public func children(of node: NodeID, named name: String? = nil) -> [NodeID] {
    var found: [NodeID] = []
    guard node >= 0 else { return found }
    var child = nodes[Int(node)].firstChild
    while child >= 0 {
      if isElement(child), name == nil || self.name(child) == name { found.append(child) }
      child = nodes[Int(child)].nextSibling
    }
    return found
  }

  /// All elements of that local name below `node` (the root if not given), in document order.
  public func elements(named name: String, below node: NodeID? = nil) -> [NodeID] {
    guard !nodes.isEmpty, let wanted = elementNames.firstIndex(of: name) else { return [] }
    let top = node ?? 0
    var found: [NodeID] = []
    var current = node == nil ? top : next(after: top, within: top)
    while current >= 0 {
      if nodes[Int(current)].name == UInt16(wanted) { found.append(current) }
      current = next(after: current, within: top)
    }
    return found
  }

  // MARK: Reading

  /// The local name; "" for a text node.
  public func name(_ node: NodeID) -> String {
    let name = nodes[Int(node)].name
    return name == Self.textName ? "" : elementNames[Int(name)]
  }

  /// The attribute's value. Of names with a prefix, `epub:`, `xml:` and `xlink:` are kept whatever the source calls
  /// those namespaces; every other prefix is dropped.
  public func attribute(_ node: NodeID, _ name: String) -> String? {
    let element = nodes[Int(node)]
    guard element.name != Self.textName else { return nil }
    for index in Int(element.start)..<Int(element.end) where attributeNames[Int(attributes[index].name)] == name {
      return string(attributes[index].start, attributes[index].end)
    }
    return nil
  }

  /// All text below `node`, joined; each run of white space one blank, none at the ends.
  public func text(_ node: NodeID) -> String {
    var collected: [UInt8] = []
    var current = node
    while current >= 0 {
      let item = nodes[Int(current)]
      if item.name == Self.textName {
        for byte in bytes[Int(item.start)..<Int(item.end)] {
          if byte.isMarkupSpace {
            if let last = collected.last, last != 0x20 { collected.append(0x20) }
          } else {
            collected.append(byte)
          }
        }
      }
      current = next(after: current, within: node)
    }
    if collected.last == 0x20 { collected.removeLast() }
    return String(decoding: collected, as: UTF8.self)
  }

  /// A text node's text as the source has it; "" for an element.
  public func rawText(_ node: NodeID) -> String {
    let item = nodes[Int(node)]
    return item.name == Self.textName ? string(item.start, item.end) : ""
  }

  // MARK: Inside of the module

  func tag(_ node: NodeID) -> Tag {
    let name = nodes[Int(node)].name
    return name < MarkupNames.tagCount ? MarkupNames.tags[Int(name)] : .other
  }

  func range(_ node: NodeID, _ name: AttributeName) -> Range<Int>? {
    let element = nodes[Int(node)]
    guard element.name != Self.textName else { return nil }
    for index in Int(element.start)..<Int(element.end) where attributes[index].name == name.rawValue {
      return Int(attributes[index].start)..<Int(attributes[index].end)
    }
    return nil
  }

  func attribute(_ node: NodeID, _ name: AttributeName) -> String? {
    range(node, name).map { string(UInt32($0.lowerBound), UInt32($0.upperBound)) }
  }

  func has(_ node: NodeID, _ name: AttributeName) -> Bool { range(node, name) != nil }

  /// Whether the attribute, a list of words, holds one of `words`.
  func attribute(_ node: NodeID, _ name: AttributeName, holdsAnyOf words: StaticString...) -> Bool {
    guard let range = range(node, name) else { return false }
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, !bytes[end].isMarkupSpace { end += 1 }
      if end > start, words.contains(where: { equals(start..<end, $0) }) { return true }
      start = end + 1
    }
    return false
  }

  private func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in bytes[range].elementsEqual(word) }
  }

  private func string(_ start: UInt32, _ end: UInt32) -> String {
    String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
  }
}

/// The tables that every tree begins with.
enum MarkupNames {
  static let tags = Tag.allCases
  static let tagCount = UInt16(Tag.allCases.count)
  static let elements = Tag.allCases.map(\.name)
  static let attributes = AttributeName.allCases.map(\.name)
  static let elementIndex = Dictionary(
    elements.enumerated().map { ($0.element, UInt16($0.offset)) }, uniquingKeysWith: { first, _ in first })
  static let attributeIndex = Dictionary(
    attributes.enumerated().map { ($0.element, UInt16($0.offset)) }, uniquingKeysWith: { first, _ in first })
}

extension UInt8 {
  /// White space of XML and HTML.
  @inline(__always)
  var isMarkupSpace: Bool { self == 0x20 || self == 0x0a || self == 0x09 || self == 0x0d || self == 0x0c }
}
