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

    public init(
      styleSheet: @escaping @Sendable (_ address: String, _ base: String?) -> (source: [UInt8], base: String)?,
      resolve: @escaping @Sendable (_ address: String) -> String
    ) {
      self.styleSheet = styleSheet
      self.resolve = resolve
    }

    /// Nothing can be loaded; addresses stay as they are.
    public static let none = Resources(styleSheet: { _, _ in nil }, resolve: { $0 })
  }

  /// - Parameter source: the file's bytes, in any encoding.
  public static func read(_ source: [UInt8], mode: MarkupParser.Mode = .xmlElseHTML, resources: Resources = .none)
    -> Document
  {
    let tree = MarkupParser.parse(source, as: mode)
    var composer = Composer(tree: tree)
    return composer.compose()
  }
}

/// First form: paragraphs of plain text.
struct Composer {
  let tree: MarkupTree
  private var document = Document()
  private var text = ""
  private var start = 0
  private var offset = 0
  private var role = Block.Role.body

  init(tree: MarkupTree) { self.tree = tree }

  mutating func compose() -> Document {
    document.warnings = tree.warnings
    guard let body = tree.elements(named: "body").first ?? (tree.isEmpty ? nil : tree.root) else { return document }
    document.title = tree.elements(named: "title").first.map { tree.text($0) }
    var current = body
    while current >= 0 {
      if tree.isElement(current) {
        if let id = tree.attribute(current, "id") { document.anchors[id] = offset }
        switch tree.name(current) {
        case "script", "style", "template":
          current = tree.nextOutside(current, within: body)
          continue
        case "p", "div", "section", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "td", "br", "aside":
          flush()
          if tree.name(current).hasPrefix("h"), let level = Int(tree.name(current).dropFirst()) {
            role = .heading(level: level)
          }
        default: break
        }
      } else {
        for scalar in tree.rawText(current).unicodeScalars {
          let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
          if isSpace {
            if text.isEmpty || text.hasSuffix(" ") { continue }
            text.append(" ")
          } else {
            text.unicodeScalars.append(scalar)
          }
          offset += 1
        }
      }
      current = tree.next(after: current, within: body)
    }
    flush()
    document.length = offset
    return document
  }

  private mutating func flush() {
    if text.hasSuffix(" ") { text.removeLast() }
    if !text.isEmpty {
      let run = InlineText.Run(text: text, offsets: .from(start))
      document.blocks.append(Block(content: .text(InlineText(runs: [run])), role: role, range: start..<offset))
    }
    text = ""
    role = .body
    start = offset
  }
}
