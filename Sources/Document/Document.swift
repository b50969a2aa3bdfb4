/// One document of a book's spine, or one article, as a sequence of blocks.
///
/// Offsets count Unicode scalars of the source's text: every text node under body in document order, hidden
/// ones too (script, style and template excepted), before text-transform, each run of white space as one scalar,
/// each image, rule or embedded object as one scalar. Generated content is not counted.
public struct Document: Sendable, Equatable {
  /// What is shown, in reading order.
  public var blocks: [Block]
  /// Where each `id` (and `a name`) of the source stands: id -> offset.
  public var anchors: [String: Int]
  /// The length of the source's text in scalars: a valid offset is `0...length`.
  public var length: Int
  /// The notes taken out of the flow (hidden asides, footnotes shown as popups): id -> their blocks.
  public var notes: [String: [Block]]
  /// The heading that names this document, if it has one: `title` element or first heading.
  public var title: String?
  /// BCP 47 tag of the root, if declared.
  public var language: String?
  public var direction: TextDirection
  /// What was wrong with the source and was survived, one sentence each.
  public var warnings: [String]

  public init(
    blocks: [Block] = [], anchors: [String: Int] = [:], length: Int = 0, notes: [String: [Block]] = [:],
    title: String? = nil, language: String? = nil, direction: TextDirection = .leftToRight, warnings: [String] = []
  ) {
    self.blocks = blocks
    self.anchors = anchors
    self.length = length
    self.notes = notes
    self.title = title
    self.language = language
    self.direction = direction
    self.warnings = warnings
  }

  /// Where an id stands: exactly, else the only one that differs from it in case alone; nil where there is none.
  public func offset(ofID id: String) -> Int? {
    if let offset = anchors[id] { return offset }
    let folded = id.lowercased()
    let alike = anchors.filter { $0.key.lowercased() == folded }
    return alike.count == 1 ? alike.first?.value : nil
  }
}

public enum TextDirection: Sendable, Hashable {
  case leftToRight
  case rightToLeft
  /// By the first strong character of the paragraph.
  case auto
}
