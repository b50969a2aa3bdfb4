/// Writes small EPUB books for tests: stored entries, EPUB 3 with a navigation document.
public struct EPUBWriter {
  public struct Chapter {
    public var name: String
    /// What stands inside `body`.
    public var body: String
    /// Its line in the contents; nil: none.
    public var title: String?
    public var isLinear: Bool

    public init(name: String, title: String?, body: String, isLinear: Bool = true) {
      self.name = name
      self.title = title
      self.body = body
      self.isLinear = isLinear
    }
  }

  public var title = "A Book"
  public var authors = ["An Author"]
  public var language = "en"
  public var direction: String?
  public var chapters: [Chapter] = []
  /// Documents that the manifest lists and the spine does not.
  public var appendix: [Chapter] = []
  /// Lines of the contents beyond those of the chapters: title and href.
  public var moreContents: [(title: String, href: String)] = []

  public init() {}

  /// A book of `count` chapters with so many numbered paragraphs each.
  public static func numbered(chapters count: Int, paragraphs: Int) -> EPUBWriter {
    var book = EPUBWriter()
    for chapter in 1...max(1, count) {
      let text = (1...max(1, paragraphs)).map { number in
        "<p>Chapter \(chapter) paragraph \(number): the quick brown fox jumps over the lazy dog by the river.</p>"
      }
      book.chapters.append(
        Chapter(
          name: "c\(chapter)", title: "Chapter \(chapter)",
          body: "<h1>Chapter \(chapter)</h1>" + text.joined()))
    }
    return book
  }

  public func bytes() -> [UInt8] {
    var files: [(name: String, text: String)] = [
      ("mimetype", "application/epub+zip"),
      (
        "META-INF/container.xml",
        """
        <?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
        <rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
        </container>
        """
      ),
      ("OEBPS/package.opf", package),
      ("OEBPS/nav.xhtml", navigation),
    ]
    for chapter in chapters + appendix {
      files.append(("OEBPS/\(chapter.name).xhtml", page(chapter.title ?? chapter.name, chapter.body)))
    }
    return Self.archive(files.map { ($0.name, Array($0.text.utf8)) })
  }

  private func page(_ title: String, _ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
    <head><title>\(Self.escaped(title))</title></head><body>\(body)</body></html>
    """
  }

  private var package: String {
    let creators = authors.map { "<dc:creator>\(Self.escaped($0))</dc:creator>" }.joined()
    let items = (chapters + appendix).map {
      "<item id=\"\($0.name)\" href=\"\($0.name).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }.joined()
    let references = chapters.map {
      "<itemref idref=\"\($0.name)\"\($0.isLinear ? "" : " linear=\"no\"")/>"
    }.joined()
    let progression = direction.map { " page-progression-direction=\"\($0)\"" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:1</dc:identifier>
      <dc:title>\(Self.escaped(title))</dc:title>\(creators)<dc:language>\(language)</dc:language></metadata>
      <manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\(items)</manifest>
      <spine\(progression)>\(references)</spine></package>
      """
  }

  private var navigation: String {
    let lines = chapters.compactMap { chapter in chapter.title.map { ($0, "\(chapter.name).xhtml") } } + moreContents
    let items = lines.map { "<li><a href=\"\($0.1)\">\(Self.escaped($0.0))</a></li>" }.joined()
    return page("Contents", "<nav epub:type=\"toc\"><ol>\(items)</ol></nav>")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      default: result.append(character)
      }
    }
    return result
  }

  // MARK: ZIP

  /// An archive of stored entries.
  public static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var output: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let name = Array(file.name.utf8)
      let checksum = crc32(file.bytes)
      let offset = output.count
      var common: [UInt8] = []
      common.append16(20)
      common.append16(0x0800)
      common.append16(0)
      common.append16(0)
      common.append16(0x21)
      common.append32(checksum)
      common.append32(UInt32(file.bytes.count))
      common.append32(UInt32(file.bytes.count))
      common.append16(UInt16(name.count))
      common.append16(0)
      output.append32(0x0403_4B50)
      output += common + name + file.bytes
      directory.append32(0x0201_4B50)
      directory.append16(20)
      directory += common
      directory.append16(0)
      directory.append16(0)
      directory.append16(0)
      directory.append32(0)
      directory.append32(UInt32(offset))
      directory += name
    }
    let start = output.count
    output += directory
    output.append32(0x0605_4B50)
    output.append16(0)
    output.append16(0)
    output.append16(UInt16(files.count))
    output.append16(UInt16(files.count))
    output.append32(UInt32(directory.count))
    output.append32(UInt32(start))
    output.append16(0)
    return output
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }
}

extension [UInt8] {
  fileprivate mutating func append16(_ value: UInt16) {
    append(UInt8(value & 0xFF))
    append(UInt8(value >> 8))
  }

  fileprivate mutating func append32(_ value: UInt32) {
    append16(UInt16(value & 0xFFFF))
    append16(UInt16(value >> 16))
  }
}
