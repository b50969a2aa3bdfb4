import Document
import Glibc
import Markup
import TestSupport
import Testing

@testable import Typesetting

/// Whole pages of the project's own chapters as they are drawn, at three widths. They were read by eye before they
/// were kept; `UPDATE_PAGES=1` writes them anew.
@Suite struct GoldenPageTests {
  static let names = ["prose", "verse", "tables", "chinese", "japanese", "hebrew"]

  @Test(arguments: names, [(80, 24), (40, 20), (132, 50)])
  func pages(name: String, size: (columns: Int, rows: Int)) throws {
    let folder = TestPaths.root + "/Tests/Fixtures/pages/"
    let source = try #require(TextFiles.bytes(folder + name + ".xhtml"))
    let document = DocumentReader.read(source)
    let layout = ChapterLayout(document, geometry: Geometry(columns: size.columns, rows: size.rows))
    var shown = ""
    for page in 0..<layout.pageCount {
      if page > 0 { shown += String(repeating: "=", count: layout.frame.measure) + "\n" }
      for line in layout.page(at: page).lines { shown += line.text + "\n" }
    }
    let path = folder + "\(name).\(size.columns)x\(size.rows).txt"
    if getenv("UPDATE_PAGES") != nil { Self.write(shown, to: path) }
    let kept = try #require(TextFiles.bytes(path), "no golden page at \(path)")
    #expect(shown == String(decoding: kept, as: UTF8.self), "\(name) at \(size.columns)x\(size.rows)")
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "we") else { return }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
  }
}
