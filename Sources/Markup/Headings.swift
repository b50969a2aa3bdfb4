extension DocumentReader {
  /// A heading as contents are made from.
  public struct Heading: Sendable, Equatable {
    public var text: String
    /// 1...6
    public var level: Int
    public var id: String?
    public var offset: Int
  }

  /// The headings of levels 1 to 3, in document order.
  public static func headings(_ tree: MarkupTree) -> [Heading] {
    tree.nodes.indices.compactMap { index in
      let node = Int32(index)
      let level: Int
      switch tree.tag(node) {
      case .h1: level = 1
      case .h2: level = 2
      case .h3: level = 3
      default: return nil
      }
      let text = tree.text(node)
      guard !text.isEmpty else { return nil }
      return Heading(text: text, level: level, id: tree.attribute(node, .id), offset: 0)
    }
  }
}
