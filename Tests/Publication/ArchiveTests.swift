import Document
import Testing
import TestSupport

@testable import Publication

/// The container: what is wrong with it may cost an entry, never the book.
@Suite struct ArchiveTests {
  private static let body = EpubWriter(body: "<p>Alphatext</p>")

  /// The book's text, as the archive made by `change` gives it.
  private func text(_ change: (inout ZipWriter) -> Void) throws -> String {
    var writer = Self.body.writer()
    change(&writer)
    let file = TemporaryFile(writer.bytes())
    return plain(try Book(path: file.path).document(at: 0))
  }

  @Test func storedEntries() throws { #expect(try text { _ in } == "Alphatext") }

  @Test func deflatedEntries() throws {
    let text = try text { writer in
      for index in writer.entries.indices.dropFirst() { writer.entries[index].isDeflated = true }
    }
    #expect(text == "Alphatext")
  }

  @Test(arguments: [false, true])
  func dataDescriptors(_ isDeflated: Bool) throws {
    let text = try text { writer in
      for index in writer.entries.indices {
        writer.entries[index].usesDescriptor = true
        writer.entries[index].isDeflated = isDeflated
      }
    }
    #expect(text == "Alphatext")
  }

  @Test func zip64() throws {
    let text = try text { writer in
      writer.isWide = true
      for index in writer.entries.indices { writer.entries[index].isWide = true }
    }
    #expect(text == "Alphatext")
  }

  @Test func junkBefore() throws {
    #expect(try text { $0.prefix = Array("HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n".utf8) } == "Alphatext")
  }

  /// The stated place of the directory is not believed, nor what would follow from it for the entries.
  @Test(arguments: [UInt32(0), 7, 100, 0x7fff_ffff])
  func wrongPlaceOfTheDirectory(_ offset: UInt32) throws {
    #expect(try text { $0.statedOffset = offset } == "Alphatext")
  }

  @Test(arguments: [1, 22, 1000, 70_000, 400_000])
  func junkAfter(_ count: Int) throws {
    #expect(try text { $0.suffix = [UInt8](repeating: 0x2e, count: count) } == "Alphatext")
  }

  @Test(arguments: [UInt16(1), 10, 65_535])
  func wrongCommentLength(_ length: UInt16) throws {
    #expect(try text { $0.commentLength = length } == "Alphatext")
  }

  @Test func commentThatLooksLikeAnEndRecord() throws {
    let text = try text { writer in
      writer.suffix = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
      writer.commentLength = 22
    }
    #expect(text == "Alphatext")
  }

  @Test(arguments: [UInt32(0x0203_4b50), 0, 0xffff_ffff])
  func damagedLocalSignature(_ signature: UInt32) throws {
    #expect(
      try text { writer in writer.entries.indices.forEach { writer.entries[$0].localSignature = signature } }
        == "Alphatext")
  }

  @Test(arguments: [UInt16(0), 3, 60_000])
  func damagedLocalNameLength(_ length: UInt16) throws {
    #expect(
      try text { writer in writer.entries.indices.forEach { writer.entries[$0].localNameLength = length } }
        == "Alphatext")
  }

  @Test func directoryIsGone() throws {
    var writer = Self.body.writer()
    writer.hasDirectory = false
    let file = TemporaryFile(writer.bytes())
    let book = try Book(path: file.path)
    #expect(plain(try book.document(at: 0)) == "Alphatext")
    #expect(book.warnings.contains { $0.contains("directory is missing") })
  }

  @Test func directoryIsGoneAndSizesFollowTheData() throws {
    let text = try text { writer in
      writer.hasDirectory = false
      for index in writer.entries.indices {
        writer.entries[index].usesDescriptor = true
        writer.entries[index].isDeflated = true
      }
    }
    #expect(text == "Alphatext")
  }

  @Test func wrongChecksumStaysInItsEntry() throws {
    var epub = Self.body
    epub.files = [("OEBPS/a.png", [1, 2, 3])]
    var writer = epub.writer()
    writer.entries[writer.entries.count - 1].checksum = 1
    let file = TemporaryFile(writer.bytes())
    let book = try Book(path: file.path)
    #expect(plain(try book.document(at: 0)) == "Alphatext")
    #expect(throws: PublicationError.damaged(name: "OEBPS/a.png", reason: "the checksum differs")) {
      try book.resource("OEBPS/a.png")
    }
    #expect(book.damagedEntries() == ["OEBPS/a.png: damaged: the checksum differs"])
  }

  @Test func wrongChecksumOfAChapterIsSaidAndShown() throws {
    var writer = Self.body.writer()
    writer.entries[3].checksum = 1
    let file = TemporaryFile(writer.bytes())
    let document = try Book(path: file.path).document(at: 0)
    #expect(plain(document) == "Alphatext")
    #expect(document.warnings.contains { $0.contains("checksum") })
  }

  @Test(arguments: [UInt16(12), 14, 93, 1])
  func unsupportedMethodIsNamed(_ method: UInt16) throws {
    var writer = Self.body.writer()
    writer.entries[3].method = method
    let file = TemporaryFile(writer.bytes())
    let book = try Book(path: file.path)
    #expect(throws: PublicationError.unsupportedMethod(name: "OEBPS/c.xhtml", method: method)) {
      try book.document(at: 0)
    }
  }

  @Test func zipEncryptionIsNamed() throws {
    var writer = Self.body.writer()
    writer.entries[3].flags = 1
    let file = TemporaryFile(writer.bytes())
    #expect(throws: PublicationError.protected(path: file.path, scheme: "ZIP encryption")) {
      try Book(path: file.path)
    }
  }

  @Test(arguments: ["../evil.xhtml", "a/../../evil.xhtml"])
  func namesNeverLeadOutside(_ name: String) throws {
    var epub = Self.body
    epub.files = [(name, [1])]
    let file = epub.file()
    let book = try Book(path: file.path)
    #expect(book.warnings.contains { $0.contains("leads outside") })
    #expect(throws: PublicationError.self) { try book.resource(name) }
  }

  /// A name in the manifest and how the archive has it.
  @Test(arguments: [
    ("c.xhtml", "OEBPS/C.XHTML"), ("i\u{302}.xhtml", "OEBPS/\u{ee}.xhtml"), ("a%20b.xhtml", "OEBPS/a b.xhtml"),
    ("a%20b.xhtml", "OEBPS/a%20b.xhtml"), ("x/c.xhtml", "OEBPS\\x\\c.xhtml"), ("../c.xhtml", "c.xhtml"),
    ("./c.xhtml", "OEBPS/c.xhtml"), ("%C3%AE.xhtml", "OEBPS/i\u{302}.xhtml"), ("/c.xhtml", "c.xhtml"),
    ("..\\t\\c.xhtml", "t/c.xhtml"), ("..%2Ft%2fc.xhtml", "t/c.xhtml"), ("x%5Cc.xhtml", "OEBPS/x/c.xhtml"),
  ])
  func spellings(_ href: String, _ name: String) throws {
    var epub = EpubWriter([])
    epub.manifest = "<item id=\"x\" href=\"\(href)\" media-type=\"application/xhtml+xml\"/>"
    epub.spine = "<spine><itemref idref=\"x\"/></spine>"
    epub.files = [(name, Array(EpubWriter.page("<p>Alphatext</p>").utf8))]
    let file = epub.file()
    #expect(plain(try Book(path: file.path).document(at: 0)) == "Alphatext")
  }

  @Test func ambiguousSpellingsAreNotGuessed() throws {
    var epub = EpubWriter([])
    epub.manifest = "<item id=\"x\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/>"
    epub.spine = "<spine><itemref idref=\"x\"/></spine>"
    epub.files = [("OEBPS/C.xhtml", Array("<p>1</p>".utf8)), ("OEBPS/c.XHTML", Array("<p>2</p>".utf8))]
    let file = epub.file()
    #expect(throws: PublicationError.noReadableContent(path: file.path)) { try Book(path: file.path) }
  }

  @Test func sizesThatLieCostNoMemory() throws {
    var writer = Self.body.writer()
    writer.entries[3].isDeflated = true
    writer.entries[3].size = 0xffff_fff0
    let file = TemporaryFile(writer.bytes())
    let document = try Book(path: file.path).document(at: 0)
    #expect(plain(document) == "Alphatext")
    #expect(!document.warnings.isEmpty)
  }

  @Test(arguments: [
    [], Array("PK".utf8), Array("PK\u{3}\u{4}".utf8), Array("hello".utf8), [UInt8](repeating: 0x50, count: 100_000),
  ])
  func whatIsNoArchiveSaysSo(_ bytes: [UInt8]) {
    let file = TemporaryFile(bytes)
    #expect(throws: PublicationError.self) { try Book(path: file.path) }
  }

  @Test func missingFilesAndFoldersSaySo() {
    #expect(throws: PublicationError.system(call: "open", path: "/nowhere.epub", errno: 2)) {
      try Book(path: "/nowhere.epub")
    }
    #expect(throws: PublicationError.system(call: "open", path: "/tmp", errno: 21)) { try Book(path: "/tmp") }
  }

  /// Every way of cutting the file: a book or an error, never a crash.
  @Test func everyTruncation() throws {
    let bytes = Self.body.writer().bytes()
    var opened = 0
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let file = TemporaryFile(Array(bytes[..<length]))
      do throws(PublicationError) {
        let book = try Book(path: file.path)
        _ = try book.document(at: 0)
        opened += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(opened > 0)
  }
}

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func standardVectors(_ text: String, _ digest: String) {
    var sum = SHA256()
    sum.update(text.utf8)
    #expect(sum.finish() == digest)
  }
}
