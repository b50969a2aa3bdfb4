import Document
import Testing
import TestSupport

@testable import Publication

/// Where the table of contents comes from: nav, else NCX, else guide, headings, spine.
@Suite struct ContentsTests {
  private static let chapters: [(path: String, content: String)] = [
    ("a.xhtml", EpubWriter.page("<h1>First</h1><p>x</p><h2 id=\"s\">Inner</h2><p>y</p>")),
    ("b.xhtml", EpubWriter.page("<h1>Second</h1><p>z</p>")), ("c.xhtml", EpubWriter.page("<p>bare</p>", head: "")),
  ]

  private func book(nav: String? = nil, ncx: String? = nil, after: String = "") throws -> Book {
    var epub = EpubWriter(Self.chapters)
    epub.after = after
    var attribute = ""
    if let nav {
      epub.manifest += "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>"
      epub.files.append(("OEBPS/nav.xhtml", Array(EpubWriter.page(nav).utf8)))
    }
    if let ncx {
      epub.manifest += "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>"
      epub.files.append(("OEBPS/toc.ncx", Array(ncx.utf8)))
      attribute = "toc=\"ncx\""
    }
    epub.spine = "<spine \(attribute)><itemref idref=\"c0\"/><itemref idref=\"c1\"/><itemref idref=\"c2\"/></spine>"
    let file = epub.file()
    return try Book(path: file.path)
  }

  private func lines(_ book: Book) -> [String] {
    book.toc.map { "\($0.level) \($0.title) \($0.href) \($0.spineIndex ?? -1)" }
  }

  private static let ncx = """
    <!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
    <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
    <navPoint id="1" playOrder="1"><navLabel><text>NCX one</text></navLabel><content src="a.xhtml"/>
      <navPoint id="2" playOrder="2"><navLabel><text>NCX in</text></navLabel><content src="a.xhtml#s"/></navPoint></navPoint>
    <navPoint id="3" playOrder="3"><navLabel><text>NCX two</text></navLabel><content src="b.xhtml"/></navPoint>
    </navMap><pageList><pageTarget value="7"><navLabel><text>vii</text></navLabel><content src="b.xhtml#p7"/></pageTarget>
    </pageList></ncx>
    """

  private static let nav = """
    <nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="a.xhtml">Start</a></li></ol></nav>
    <nav epub:type="toc"><h1>Contents</h1><ol><li><a href="a.xhtml">One</a><ol><li><a href="a.xhtml#s">In <i>it</i></a></li>
    </ol></li><li><span>Part</span><ol><li><a href="b.xhtml">Two</a></li></ol></li></ol></nav>
    <nav epub:type="page-list"><ol><li><a href="a.xhtml#p1">1</a></li><li><a href="b.xhtml#p2">2</a></li></ol></nav>
    """

  @Test func navWins() throws {
    let book = try book(nav: Self.nav, ncx: Self.ncx)
    #expect(
      lines(book) == [
        "1 One OEBPS/a.xhtml 0", "2 In it OEBPS/a.xhtml#s 0", "1 Part  -1", "2 Two OEBPS/b.xhtml 1",
      ])
    #expect(book.pageList.map(\.label) == ["1", "2"])
    #expect(book.landmarks.map(\.type) == ["bodymatter"])
    #expect(book.spine.map(\.title) == ["One", "Two", nil])
  }

  @Test func ncxAlone() throws {
    let book = try book(ncx: Self.ncx)
    #expect(
      lines(book) == ["1 NCX one OEBPS/a.xhtml 0", "2 NCX in OEBPS/a.xhtml#s 0", "1 NCX two OEBPS/b.xhtml 1"])
    #expect(book.pageList.map(\.label) == ["vii"])
  }

  @Test func navWithoutLinksFallsBack() throws {
    let nav = "<nav epub:type=\"toc\"><ol><li>One</li><li>Two</li></ol></nav>"
    #expect(try lines(book(nav: nav, ncx: Self.ncx)).count == 3)
  }

  @Test func labelsOfImagesAndTitles() throws {
    let nav =
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\"><img src=\"x.png\" alt=\"Pic\"/></a></li>"
      + "<li><a href=\"b.xhtml\" title=\"Tip\"><img src=\"x.png\"/></a></li>"
      + "<li><p><a href=\"c.xhtml\">Wrapped</a></p></li></ol></nav>"
    #expect(try book(nav: nav).toc.map(\.title) == ["Pic", "Tip", "Wrapped"])
  }

  @Test func headingsWhereThereIsNothing() throws {
    let book = try book()
    #expect(
      lines(book) == [
        "1 First OEBPS/a.xhtml 0", "2 Inner OEBPS/a.xhtml#s 0", "1 Second OEBPS/b.xhtml 1", "1 c OEBPS/c.xhtml 2",
      ])
    let document = try book.document(at: 0)
    #expect(book.toc[1].offset == document.anchors["s"])
  }

  @Test func oneEntryForALargeBookIsNone() throws {
    let nav = "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">The Book</a></li></ol></nav>"
    #expect(try book(nav: nav).toc.count == 4)
  }

  @Test func brokenNavIsReadAllTheSame() throws {
    let nav =
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One<br></a></li><li><a href=\"b.xhtml\">Two</a></ol></nav>"
    #expect(try book(nav: nav).toc.map(\.title) == ["One", "Two"])
  }

  @Test func deepAndEndlessContentsAreBounded() throws {
    let depth = 5000
    let nav =
      "<nav epub:type=\"toc\">" + String(repeating: "<ol><li><a href=\"a.xhtml\">x</a>", count: depth)
      + String(repeating: "</li></ol>", count: depth) + "</nav>"
    let book = try book(nav: nav)
    #expect(book.toc.count == depth)
    #expect(book.toc.allSatisfy { $0.level <= 32 })
  }
}

@Suite struct LinkTests {
  /// Reference, the document it stands in, where it leads.
  @Test(
    arguments: [
      ("b.xhtml#x", "OEBPS/a.xhtml", "OEBPS/b.xhtml", "x"), ("#x", "OEBPS/a.xhtml", "OEBPS/a.xhtml", "x"),
      ("../t/b.xhtml", "OEBPS/a.xhtml", "t/b.xhtml", nil), ("../../../b.xhtml", "OEBPS/a.xhtml", "b.xhtml", nil),
      ("/t/b.xhtml", "OEBPS/x/a.xhtml", "t/b.xhtml", nil), ("./b%20c.xhtml#%C3%AE", "a.xhtml", "b c.xhtml", "î"),
      ("b.xhtml?q=1#f", "OEBPS/a.xhtml", "OEBPS/b.xhtml", "f"), ("", "OEBPS/a.xhtml", "OEBPS/a.xhtml", nil),
      (" b.xhtml\n", "OEBPS/a.xhtml", "OEBPS/b.xhtml", nil), ("b%2", "d%20e/a.xhtml", "d%20e/b%2", nil),
      ("%2e%2e/b", "OEBPS/a.xhtml", "b", nil),
    ] as [(String, String, String, String?)])
  func resolves(_ reference: String, _ base: String, _ path: String, _ fragment: String?) {
    #expect(ContainerPath.resolve(reference, from: base) == .inside(path: path, fragment: fragment))
  }

  @Test(arguments: [
    "https://example.org/a#b", "mailto:a@b", "//example.org/x", "file:///etc/passwd", "data:text/html,x",
  ])
  func outside(_ reference: String) {
    #expect(ContainerPath.resolve(reference, from: "OEBPS/a.xhtml") == .outside(reference))
  }

  @Test func destinations() throws {
    var epub = EpubWriter(body: "<p>x</p>")
    epub.manifest = "<item id=\"e\" href=\"extra.xhtml\" media-type=\"application/xhtml+xml\"/>"
    epub.files = [("OEBPS/extra.xhtml", Array(EpubWriter.page("<p id=\"n\">More</p>").utf8)), ("OEBPS/a.png", [1])]
    let file = epub.file()
    let book = try Book(path: file.path)
    #expect(book.destination(of: "extra.xhtml#n", from: 0) == .file(path: "OEBPS/extra.xhtml", fragment: "n"))
    #expect(book.isDocument(path: "OEBPS/extra.xhtml") && !book.isDocument(path: "OEBPS/a.png"))
    #expect(book.destination(of: "a.png", from: 0) == .file(path: "OEBPS/a.png", fragment: nil))
    #expect(book.destination(of: "gone.xhtml", from: 0) == .missing(path: "OEBPS/gone.xhtml"))
    #expect(book.destination(of: "https://x.y", from: 0) == .outside("https://x.y"))
    #expect(plain(try book.document(path: "OEBPS/extra.xhtml")) == "More")
  }
}

@Suite struct ProtectionTests {
  private static func encryption(_ algorithm: String, _ uri: String, extra: String = "") -> [UInt8] {
    Array(
      ("<encryption xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" xmlns:e=\"http://www.w3.org/2001/04/xmlenc#\">"
        + "<e:EncryptedData><e:EncryptionMethod Algorithm=\"\(algorithm)\"/>\(extra)<e:CipherData><e:CipherReference "
        + "URI=\"\(uri)\"/></e:CipherData></e:EncryptedData></encryption>").utf8)
  }

  private static let aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"

  /// A further file in META-INF, and the scheme that it tells of.
  @Test(arguments: [
    ("META-INF/license.lcpl", "{}", "Readium LCP"), ("META-INF/sinf.xml", "<sinf/>", "Apple FairPlay"),
    (
      "META-INF/rights.xml",
      "<rights xmlns=\"http://ns.adobe.com/adept\"><encryptedKey>\(String(repeating: "A", count: 172))</encryptedKey></rights>",
      "Adobe ADEPT"
    ),
    (
      "META-INF/rights.xml",
      "<rights xmlns=\"http://ns.adobe.com/adept\"><encryptedKey>\(String(repeating: "A", count: 64))</encryptedKey></rights>",
      "Barnes & Noble"
    ),
    ("META-INF/rights.xml", "<kdrm xmlns=\"http://kobobooks.com/\"/>", "Kobo"), ("META-INF/x", "", "an unknown scheme"),
  ])
  func schemes(_ name: String, _ content: String, _ scheme: String) {
    var epub = EpubWriter(body: "<p>Secret</p>")
    epub.files = [("META-INF/encryption.xml", Self.encryption(Self.aes, "OEBPS/c.xhtml")), (name, Array(content.utf8))]
    let file = epub.file()
    #expect(throws: PublicationError.protected(path: file.path, scheme: scheme)) { try Book(path: file.path) }
  }

  @Test(arguments: ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"])
  func obfuscatedFontsAreNoProtection(_ algorithm: String) throws {
    var epub = EpubWriter(body: "<p>Open</p>")
    epub.files = [("META-INF/encryption.xml", Self.encryption(algorithm, "OEBPS/font.otf"))]
    let file = epub.file()
    #expect(plain(try Book(path: file.path).document(at: 0)) == "Open")
  }

  @Test func anEncryptedImageIsNamedAlone() throws {
    var epub = EpubWriter(body: "<p>Open</p>")
    epub.files = [("META-INF/encryption.xml", Self.encryption(Self.aes, "OEBPS/a.png")), ("OEBPS/a.png", [1, 2])]
    let file = epub.file()
    let book = try Book(path: file.path)
    #expect(plain(try book.document(at: 0)) == "Open")
    #expect(throws: PublicationError.protected(path: "OEBPS/a.png", scheme: "an unknown scheme")) {
      try book.resource("OEBPS/a.png")
    }
  }
}
