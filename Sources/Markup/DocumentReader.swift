public import Document

/// Makes a `Document` of a file of XHTML, HTML or SVG.
public enum DocumentReader {
  /// What a document refers to, answered by whoever holds its files.
  public struct Resources: Sendable {
    /// The bytes of a style sheet by its address as the source has it, and the base that addresses in it start from;
    /// nil if there is none. `base` is nil for the document itself.
    public var styleSheet: @Sendable (_ address: String, _ base: String?) -> (source: [UInt8], base: String)?
    /// The address under which an image can be asked for later, from its address as the source has it.
    public var resolve: @Sendable (_ address: String) -> String
    /// The document's own address, for a document that is an image itself.
    public var address: String?
    /// The reader's own style sheet; it wins where it speaks.
    public var userStyle: String?
    /// Shared by the chapters of one book.
    public var cache: StyleCache?

    public init(
      styleSheet: @escaping @Sendable (_ address: String, _ base: String?) -> (source: [UInt8], base: String)?,
      resolve: @escaping @Sendable (_ address: String) -> String, address: String? = nil, userStyle: String? = nil,
      cache: StyleCache? = nil
    ) {
      self.styleSheet = styleSheet
      self.resolve = resolve
      self.address = address
      self.userStyle = userStyle
      self.cache = cache
    }

    /// Nothing can be loaded; addresses stay as they are.
    public static let none = Resources(styleSheet: { _, _ in nil }, resolve: { $0 })
  }

  /// - Parameter source: the file's bytes, in any encoding.
  public static func read(
    _ source: [UInt8], mode: MarkupParser.Mode = .xmlElseHTML, resources: Resources = .none
  ) -> Document {
    read(MarkupParser.parse(source, as: mode), resources: resources)
  }

  /// - Parameter tree: a parsed document; nothing in it is changed.
  public static func read(_ tree: MarkupTree, resources: Resources = .none) -> Document {
    var composer = Composer(tree: tree, resources: resources)
    return composer.compose()
  }

  /// The blocks of one element, for a note's popup: the note's whole text, whatever the style sheet hides.
  ///
  /// - Parameter id: the link's fragment. Where it names a mere number or an empty anchor, the block around it is
  ///   taken.
  /// - Returns: nil if there is no such element.
  public static func note(id: String, in source: [UInt8], resources: Resources = .none) -> [Block]? {
    let tree = MarkupParser.parse(source, as: .xmlElseHTML)
    guard let node = NoteFinder(tree: tree).container(of: id) else { return nil }
    var composer = Composer(tree: tree, resources: resources)
    return composer.compose(only: node)
  }
}
