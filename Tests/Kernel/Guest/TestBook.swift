/// A small EPUB whose pages can be told apart: many paragraphs of plain words, several chapters.
enum TestBook {
  /// Writes a book with the chapters and paragraphs to the path.
  static func write(to path: String, chapters: Int, paragraphs: Int) {
    var archive = Archive()
    archive.add("mimetype", "application/epub+zip")
    archive.add(
      "META-INF/container.xml",
      """
      <?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">\
      <rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """)
    let numbers = 1...chapters
    archive.add(
      "book.opf",
      """
      <?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">kernel-test</dc:identifier>\
      <dc:title>The Long Road</dc:title><dc:language>en</dc:language>\
      <meta property="dcterms:modified">2024-01-01T00:00:00Z</meta></metadata><manifest>\
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      \(numbers.map { #"<item id="c\#($0)" href="c\#($0).xhtml" media-type="application/xhtml+xml"/>"# }.joined())\
      </manifest><spine>\(numbers.map { #"<itemref idref="c\#($0)"/>"# }.joined())</spine></package>
      """)
    archive.add(
      "nav.xhtml",
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents\
      </title></head><body><nav epub:type="toc"><ol>\
      \(numbers.map { #"<li><a href="c\#($0).xhtml">Chapter \#($0)</a></li>"# }.joined())</ol></nav></body></html>
      """)
    for chapter in numbers {
      let text = (1...paragraphs).map { paragraph in
        let words = (1...60).map { "w\(paragraph)x\($0)" }.joined(separator: " ")
        return "<p>\(words)</p>"
      }
      archive.add(
        "c\(chapter).xhtml",
        """
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter \(chapter)</title></head><body>\
        <h1>Chapter \(chapter)</h1>\(text.joined())</body></html>
        """)
    }
    Files.write(archive.finished(), to: path)
  }

  /// A ZIP file of stored entries.
  private struct Archive {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    mutating func add(_ name: String, _ text: String) {
      let data = Array(text.utf8)
      let label = Array(name.utf8)
      var common: [UInt8] = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x5821, 2)
      common += little(Int(Self.checksum(data)), 4) + little(data.count, 4) + little(data.count, 4)
      common += little(label.count, 2) + little(0, 2)
      directory += [0x50, 0x4b, 1, 2] + little(20, 2) + common
      directory += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(bytes.count, 4) + label
      bytes += [0x50, 0x4b, 3, 4] + common + label + data
      count += 1
    }

    func finished() -> [UInt8] {
      var end: [UInt8] = [0x50, 0x4b, 5, 6] + little(0, 2) + little(0, 2) + little(count, 2) + little(count, 2)
      end += little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
      return bytes + directory + end
    }

    private func little(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? (value >> 1) ^ 0xedb8_8320 : value >> 1 }
    }

    private static func checksum(_ data: [UInt8]) -> UInt32 {
      ~data.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
  }
}
