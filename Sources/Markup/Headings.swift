extension DocumentReader {
  /// A heading as contents are made from.
  public struct Heading: Sendable, Equatable {
    public var text: String
    /// 1...3
    public var level: Int
    public var id: String?
    /// Where it stands; see `Document`.
    public var offset: Int
  }

  /// The headings of levels 1 to 3, in document order.
  public static func headings(_ tree: MarkupTree) -> [Heading] {
    guard !tree.isEmpty else { return [] }
    var counter = OffsetCounter()
    var found: [Heading] = []
    let body = tree.elements(named: "body").first ?? 0
    var current = body
    while current >= 0 {
      let tag = tree.tag(current)
      switch tag {
      case _ where tree.nodes[Int(current)].name == MarkupTree.textName:
        let item = tree.nodes[Int(current)]
        counter.count(tree.bytes[Int(item.start)..<Int(item.end)])
      case .script, .style, .template:
        current = tree.nextOutside(current, within: body)
        continue
      case .h1, .h2, .h3:
        let text = tree.text(current)
        if !text.isEmpty {
          let level = tag == .h1 ? 1 : tag == .h2 ? 2 : 3
          found.append(Heading(text: text, level: level, id: tree.attribute(current, .id), offset: counter.offset))
        }
      default: if tag.isObject { counter.countObject() }
      }
      current = tree.next(after: current, within: body)
    }
    return found
  }
}

/// Counts offsets as `Document` defines them.
struct OffsetCounter {
  private(set) var offset = 0
  private var isInSpace = false

  mutating func count(_ text: ArraySlice<UInt8>) {
    for byte in text {
      if byte.isMarkupSpace {
        if !isInSpace { offset += 1 }
        isInSpace = true
      } else if byte & 0xc0 != 0x80 {
        offset += 1
        isInSpace = false
      }
    }
  }

  mutating func countObject() {
    offset += 1
    isInSpace = false
  }
}
