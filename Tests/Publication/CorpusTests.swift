import Document
import Glibc
import Publication
import Testing
import TestSupport

/// Every book of the shared corpus opens, or says precisely why not.
@Suite struct CorpusTests {
  private static let books = SharedFiles.list("corpus/epub", ending: ".epub")

  @Test func theCorpusIsThere() {
    #expect(!Self.books.isEmpty, "shared test material is missing: \(TestPaths.shared)/corpus/epub")
  }

  @Test(arguments: books)
  func opens(_ path: String) throws {
    let book = try Book(path: path)
    #expect(!book.spine.isEmpty && !book.metadata.title.isEmpty)
    var shown = 0
    // The largest books are read in part here, in full by the benches.
    for index in book.spine.indices.prefix(60) {
      let document = try book.document(at: index)
      var end = 0
      for block in document.blocks {
        #expect(block.range.lowerBound >= end, "\(path) \(index)")
        end = block.range.upperBound
      }
      #expect(end <= document.length)
      shown += document.blocks.count
      for entry in book.toc where entry.spineIndex == index {
        guard let fragment = entry.fragment, entry.offset == nil else { continue }
        #expect(document.anchors[fragment] != nil || path.contains("/w3c/"), "\(path): no anchor \(fragment)")
      }
    }
    #expect(shown > 0, "\(path) shows nothing")
    if let cover = book.coverHref { #expect(try !book.resource(cover).isEmpty) }
  }

  /// A conformance test of the W3C suite and what its text must say.
  @Test(arguments: [
    ("ocf-package_arbitrary", "pass"), ("ocf-package_multiple", "pass"), ("ocf-url_link-leaking-relative", ""),
    ("ocf-url_link-path-absolute", ""), ("ocf-url_manifest", "pass"), ("ocf-url_parse-path-absolute", ""),
    ("pkg-manifest-unknown", "pass"),
    ("pkg-version-backward", "pass"), ("pub-xml-names", "pass"), ("pub-foreign_xml-suffix-spine", "pass"),
  ])
  func conformance(_ name: String, _ word: String) throws {
    let book = try Book(path: TestPaths.shared + "/corpus/epub/w3c/\(name).epub")
    let text = try book.spine.indices.map { plain(try book.document(at: $0)) }.joined(separator: "\n")
    #expect(text.lowercased().contains(word), "\(name): \(text.prefix(300))")
  }
}

/// Books with bytes changed, cut or repeated: an error or a book, in bounded time and memory.
@Suite struct MutationTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      "70-data-descriptors", "76-zip64", "01-no-toc-at-all", "03-ncx-outside-opf-dir", "71-crc-error-in-image",
      "60-font-obfuscation-only",
    ], 0..<4)
  func mutatedArchives(_ name: String, _ seed: Int) throws {
    let path = TestPaths.shared + "/cases/epub/\(name).epub"
    let original = try #require(TextFiles.bytes(path), "shared test material is missing: \(path)")
    var random = Random(state: UInt64(seed) &* 131 &+ 7)
    for _ in 0..<40 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = [0, 0xff, 0x7f, 0x80].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...50, using: &random)))
        case 3: bytes = Array(bytes[..<place])
        default: bytes.insert(contentsOf: bytes[place...].prefix(60), at: place)
        }
      }
      let file = TemporaryFile(bytes)
      do throws(PublicationError) {
        let book = try Book(path: file.path)
        for index in book.spine.indices.prefix(10) { _ = try? book.document(at: index) }
        _ = book.damagedEntries()
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  /// The structural documents, mutated inside of a sound archive.
  @Test(.timeLimit(.minutes(2)), arguments: 0..<12)
  func mutatedPackages(_ seed: Int) {
    let ncx =
      "<ncx><navMap><navPoint><navLabel><text>A</text></navLabel><content src=\"c.xhtml#x\"/><navPoint><content src=\"c.xhtml\"/></navPoint></navPoint></navMap></ncx>"
    let opf =
      "<package version=\"3.0\" unique-identifier=\"u\"><metadata><dc:title id=\"t\">T</dc:title><meta refines=\"#t\" property=\"title-type\">main</meta><dc:creator>A</dc:creator></metadata><manifest>"
      + "<item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\" fallback=\"n\"/><item id=\"n\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/></manifest><spine toc=\"n\"><itemref idref=\"c\" linear=\"no\"/></spine></package>"
    var random = Random(state: UInt64(seed) &+ 99)
    for _ in 0..<40 {
      var epub = EpubWriter(body: "<h1 id='x'>A</h1><p>b</p>")
      epub.package = mutate(opf, &random)
      epub.files = [("OEBPS/toc.ncx", Array(mutate(ncx, &random).utf8))]
      let file = epub.file()
      guard let book = try? Book(path: file.path) else { continue }
      for entry in book.toc { #expect(entry.spineIndex.map { book.spine.indices.contains($0) } ?? true) }
      for index in book.spine.indices { _ = try? book.document(at: index) }
    }
  }

  private func mutate(_ text: String, _ random: inout Random) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = Array("<>\"&/#. x%".utf8).randomElement(using: &random) ?? 0
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 12))
      default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
      }
      if bytes.isEmpty { bytes = [0x20] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
