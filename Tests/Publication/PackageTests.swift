import Document
import Testing
import TestSupport

@testable import Publication

/// Package, metadata, spine, cover: versions, prefixes and faults.
@Suite struct PackageTests {
  private static let page = EpubWriter.page("<p>Alphatext</p>")

  /// A book whose package document is the given one; c.xhtml, d.xhtml and e.xhtml exist.
  private func book(_ package: String, files: [(path: String, content: [UInt8])] = []) throws -> Book {
    var epub = EpubWriter([("c.xhtml", Self.page), ("d.xhtml", EpubWriter.page("<p>Betatext</p>"))])
    epub.package = package
    epub.files = files
    let file = epub.file()
    return try Book(path: file.path)
  }

  private static func package(
    metadata: String = "<dc:title>T</dc:title>", manifest: String = "", spine: String = "<itemref idref=\"c\"/>",
    version: String = "version=\"3.0\"", spineAttributes: String = "", after: String = ""
  ) -> String {
    "<package xmlns=\"http://www.idpf.org/2007/opf\" \(version) unique-identifier=\"u\"><metadata "
      + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:opf=\"http://www.idpf.org/2007/opf\">\(metadata)</metadata>"
      + "<manifest><item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/>"
      + "<item id=\"d\" href=\"d.xhtml\" media-type=\"application/xhtml+xml\"/>\(manifest)</manifest>"
      + "<spine \(spineAttributes)>\(spine)</spine>\(after)</package>"
  }

  @Test(arguments: ["opf:", "x:", "ns0:"])
  func prefixes(_ prefix: String) throws {
    let book = try book(
      "<\(prefix)package xmlns:\(prefix.dropLast())=\"http://www.idpf.org/2007/opf\" version=\"2.0\"><\(prefix)metadata>"
        + "<dc:title xmlns:dc=\"http://purl.org/dc/elements/1.1/\">T</dc:title></\(prefix)metadata><\(prefix)manifest>"
        + "<\(prefix)item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/></\(prefix)manifest>"
        + "<\(prefix)spine><\(prefix)itemref idref=\"c\"/></\(prefix)spine></\(prefix)package>")
    #expect(book.metadata.title == "T")
    #expect(plain(try book.document(at: 0)) == "Alphatext")
  }

  @Test(arguments: ["", "version=\"\"", "version=\"1.0\"", "version=\"2.0\"", "version=\"3.3\"", "version=\"banana\""])
  func versions(_ version: String) throws {
    #expect(try book(Self.package(version: version)).spine.count == 1)
  }

  @Test func prefixedContainer() throws {
    var epub = EpubWriter(body: "<p>Alphatext</p>")
    epub.container =
      "<ns0:container xmlns:ns0=\"urn:oasis:names:tc:opendocument:xmlns:container\"><ns0:rootfiles>"
      + "<ns0:rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></ns0:rootfiles></ns0:container>"
    let file = epub.file()
    #expect(try Book(path: file.path).spine.count == 1)
  }

  @Test func missingContainer() throws {
    var epub = EpubWriter(body: "<p>Alphatext</p>")
    epub.container = nil
    let file = epub.file()
    let book = try Book(path: file.path)
    #expect(plain(try book.document(at: 0)) == "Alphatext")
    #expect(book.warnings.contains("META-INF/container.xml is missing"))
  }

  @Test func severalRootfilesTheFirstThatReads() throws {
    var epub = EpubWriter(body: "<p>Alphatext</p>")
    epub.container =
      "<container><rootfiles><rootfile full-path=\"gone.opf\" media-type=\"application/oebps-package+xml\"/>"
      + "<rootfile full-path=\"broken.opf\" media-type=\"application/oebps-package+xml\"/>"
      + "<rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>"
    epub.files = [("broken.opf", Array("<html/>".utf8))]
    let file = epub.file()
    #expect(plain(try Book(path: file.path).document(at: 0)) == "Alphatext")
  }

  @Test func unreadablePackageSaysWhy() {
    #expect(throws: PublicationError.self) { try book("<html/>") }
    #expect(throws: PublicationError.self) { try book("") }
    #expect(throws: PublicationError.self) { try book("<package><manifest/><spine/></package>") }
  }

  // MARK: Metadata

  @Test func metadataOfEPUB3() throws {
    let book = try book(
      Self.package(
        metadata: """
          <dc:identifier>other</dc:identifier><dc:identifier id="u">urn:isbn:1</dc:identifier>
          <dc:title id="s">The Sub</dc:title><meta refines="#s" property="title-type">subtitle</meta>
          <dc:title id="m">The Main</dc:title><meta refines="#m" property="title-type">main</meta>
          <meta refines="#m" property="file-as">Main, The</meta>
          <dc:creator id="b">Bea</dc:creator><meta refines="#b" property="role">trl</meta>
          <dc:creator id="a">Ann</dc:creator><meta refines="#a" property="role">aut</meta>
          <meta refines="#a" property="display-seq">1</meta><meta refines="#b" property="display-seq">2</meta>
          <dc:language>de-AT</dc:language><dc:language>en</dc:language>
          <dc:publisher>House</dc:publisher><dc:date>1999-05</dc:date>
          <meta property="dcterms:modified">2020-01-01T00:00:00Z</meta>
          <dc:description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; text&lt;/p&gt;</dc:description>
          <meta id="x" property="belongs-to-collection">Saga</meta>
          <meta refines="#x" property="collection-type">series</meta><meta refines="#x" property="group-position">2.5</meta>
          <meta property="rendition:layout">pre-paginated</meta>
          """))
    let metadata = book.metadata
    #expect(metadata.title == "The Main" && metadata.subtitle == "The Sub")
    #expect(metadata.titles.first?.fileAs == "Main, The")
    #expect(metadata.authors == ["Ann"])
    #expect(metadata.creators.map(\.name) == ["Ann", "Bea"])
    #expect(metadata.language == "de-AT" && metadata.languages == ["de-AT", "en"])
    #expect(metadata.identifier == "urn:isbn:1")
    #expect(metadata.publisher == "House" && metadata.date == "1999-05")
    #expect(metadata.description == "Some bold text")
    #expect(metadata.series == Metadata.Series(name: "Saga", position: "2.5"))
    #expect(metadata.isPrePaginated)
  }

  @Test func metadataOfEPUB2() throws {
    let book = try book(
      Self.package(
        metadata: """
          <dc-metadata><dc:title> Two
            Lines </dc:title><dc:creator opf:role="aut" opf:file-as="Doe, J">J. Doe</dc:creator>
          <dc:creator opf:role="ill">I. Ill</dc:creator><dc:identifier id="u" opf:scheme="ISBN">123</dc:identifier>
          <dc:date opf:event="modification">2001</dc:date><dc:date opf:event="publication">1900</dc:date></dc-metadata>
          <meta name="calibre:series" content="Saga"/><meta name="calibre:series_index" content="3"/>
          """, version: "version=\"2.0\""))
    #expect(book.metadata.title == "Two Lines")
    #expect(book.metadata.authors == ["J. Doe"])
    #expect(book.metadata.creators.first?.fileAs == "Doe, J")
    #expect(book.metadata.identifiers.first == Metadata.Identifier(value: "123", scheme: "ISBN"))
    #expect(book.metadata.date == "1900" && book.metadata.modified == "2001")
    #expect(book.metadata.series?.position == "3")
  }

  @Test func noMetadataAtAll() throws {
    let book = try book(Self.package(metadata: ""))
    #expect(!book.metadata.title.isEmpty)
    #expect(book.warnings.contains("the package has no title"))
  }

  // MARK: Spine

  @Test func repeatedItemsAreEntriesOfTheirOwn() throws {
    let spine = "<itemref idref=\"c\"/><itemref idref=\"d\"/><itemref idref=\"c\"/>"
    let book = try book(Self.package(spine: spine))
    #expect(book.spine.map(\.idref) == ["c", "d", "c"])
    #expect(book.destination(of: "c.xhtml#x", from: 1) == .place(spineIndex: 0, fragment: "x"))
    #expect(book.destination(of: "#x", from: 2) == .place(spineIndex: 2, fragment: "x"))
  }

  @Test func itemsWithFragmentsArePositions() throws {
    let manifest =
      "<item id=\"c1\" href=\"c.xhtml#s1\" media-type=\"application/xhtml+xml\"/>"
      + "<item id=\"c2\" href=\"c.xhtml#s2\" media-type=\"application/xhtml+xml\"/>"
    let spine = "<itemref idref=\"c\"/><itemref idref=\"c1\"/><itemref idref=\"c2\"/><itemref idref=\"d\"/>"
    let book = try book(Self.package(manifest: manifest, spine: spine))
    #expect(book.spine.map(\.idref) == ["c", "d"])
    #expect(book.spine[0].positions == ["s1", "s2"])
  }

  /// An id that differs in case is the one meant, where there is one only.
  @Test func idsThatDifferInCase() throws {
    var epub = EpubWriter([])
    epub.manifest =
      "<item id=\"Cap1\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/>"
      + "<item id=\"x\" href=\"g.xhtml\" media-type=\"application/xhtml+xml\"/>"
      + "<item id=\"X\" href=\"h.xhtml\" media-type=\"application/xhtml+xml\"/>"
    epub.spine = "<spine><itemref idref=\"cap1\"/><itemref idref=\"X\"/></spine>"
    epub.files = ["c", "g", "h"].map { ("OEBPS/\($0).xhtml", Array(EpubWriter.page("<p>\($0)</p>").utf8)) }
    let file = epub.file()
    let book = try Book(path: file.path)
    #expect(try (0..<2).map { plain(try book.document(at: $0)) } == ["c", "h"])
  }

  @Test func nonLinearItemsStayReachable() throws {
    let book = try book(Self.package(spine: "<itemref idref=\"c\"/><itemref idref=\"d\" linear=\"no\"/>"))
    #expect(book.spine.map(\.linear) == [true, false])
    #expect(book.destination(of: "d.xhtml", from: 0) == .place(spineIndex: 1, fragment: nil))
  }

  @Test func missingItemsAreCountedAndNamed() throws {
    let manifest = "<item id=\"gone\" href=\"gone.xhtml\" media-type=\"application/xhtml+xml\"/>"
    let spine = "<itemref idref=\"gone\"/><itemref idref=\"nope\"/><itemref idref=\"c\"/>"
    let book = try book(Self.package(manifest: manifest, spine: spine))
    #expect(book.spine.map(\.isMissing) == [true, true, false])
    #expect(try book.document(at: 0).blocks.isEmpty)
    #expect(book.warnings.contains { $0.contains("gone.xhtml") } && book.warnings.contains { $0.contains("nope") })
    #expect(throws: PublicationError.noSuchItem(index: 3, count: 3)) { try book.document(at: 3) }
  }

  @Test func noSpine() throws {
    let package = Self.package().replacing("<spine ><itemref idref=\"c\"/></spine>", with: "")
    #expect(try book(package).spine.map(\.idref) == ["c", "d"])
  }

  @Test(arguments: [
    ("page-progression-direction=\"rtl\"", ReadingDirection.rightToLeft),
    ("page-progression-direction=\"ltr\"", .leftToRight), ("page-progression-direction=\"default\"", .default),
    ("", .default), ("page-progression-direction=\"up\"", .default),
  ])
  func progression(_ attribute: String, _ direction: ReadingDirection) throws {
    #expect(try book(Self.package(spineAttributes: attribute)).direction == direction)
  }

  @Test func fallbackChains() throws {
    let manifest =
      "<item id=\"pdf\" href=\"x.pdf\" media-type=\"application/pdf\" fallback=\"p2\"/>"
      + "<item id=\"p2\" href=\"y.xyz\" media-type=\"application/x-y\" fallback=\"c\"/>"
      + "<item id=\"loop\" href=\"z.xyz\" media-type=\"application/x-y\" fallback=\"loop\"/>"
    let book = try book(
      Self.package(manifest: manifest, spine: "<itemref idref=\"pdf\"/><itemref idref=\"loop\"/>"),
      files: [("OEBPS/x.pdf", [1]), ("OEBPS/y.xyz", [2]), ("OEBPS/z.xyz", Array("words".utf8))])
    #expect(plain(try book.document(at: 0)) == "Alphatext")
    #expect(plain(try book.document(at: 1)) == "words")
  }

  @Test func imagesAndDrawingsInTheSpine() throws {
    let manifest =
      "<item id=\"i\" href=\"i.png\" media-type=\"image/png\"/><item id=\"s\" href=\"s.svg\" media-type=\"image/svg+xml\"/>"
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>Map</title><style>.a{}</style><text>Here <tspan>and there</tspan></text></svg>"
    let book = try book(
      Self.package(manifest: manifest, spine: "<itemref idref=\"i\"/><itemref idref=\"s\"/>"),
      files: [("OEBPS/i.png", [1]), ("OEBPS/s.svg", Array(svg.utf8))])
    #expect(plain(try book.document(at: 0)) == "{OEBPS/i.png|}")
    let drawing = try book.document(at: 1)
    #expect(plain(drawing) == "{OEBPS/s.svg|Map}\nHere and there")
    #expect(drawing.title == "Map")
  }

  // MARK: Cover

  private static let png: (path: String, content: [UInt8]) = ("OEBPS/pic.png", [1])

  @Test(arguments: [
    ("<item id=\"k\" href=\"pic.png\" media-type=\"image/png\" properties=\"cover-image\"/>", "", ""),
    ("<item id=\"k\" href=\"pic.png\" media-type=\"image/png\"/>", "<meta name=\"cover\" content=\"k\"/>", ""),
    ("<item id=\"k\" href=\"pic.png\" media-type=\"image/png\"/>", "<meta content=\"pic.png\" name=\"cover\"/>", ""),
    ("<item id=\"cover-image\" href=\"pic.png\" media-type=\"image/png\"/>", "", ""),
    (
      "<item id=\"k\" href=\"pic.png\" media-type=\"image/png\"/><item id=\"w\" href=\"w.xhtml\" media-type=\"application/xhtml+xml\"/>",
      "", "<guide><reference type=\"cover\" href=\"w.xhtml\"/></guide>"
    ),
    (
      "<item id=\"k\" href=\"pic.png\" media-type=\"image/png\"/><item id=\"w\" href=\"w.xhtml\" media-type=\"application/xhtml+xml\"/>",
      "<meta name=\"cover\" content=\"w\"/>", ""
    ),
  ])
  func covers(_ manifest: String, _ metadata: String, _ after: String) throws {
    let page = EpubWriter.page(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><image xlink:href=\"pic.png\"/></svg>"
    )
    let book = try book(
      Self.package(metadata: "<dc:title>T</dc:title>" + metadata, manifest: manifest, after: after),
      files: [Self.png, ("OEBPS/w.xhtml", Array(page.utf8))])
    #expect(book.coverHref == "OEBPS/pic.png")
  }

  @Test func noCover() throws { #expect(try book(Self.package()).coverHref == nil) }

  // MARK: Identity

  @Test func identityIsOfTheSpineAlone() throws {
    let first = try book(Self.package())
    let renamed = try book(
      Self.package(metadata: "<dc:title>Other</dc:title><dc:identifier id=\"u\">x</dc:identifier>"))
    let longer = try book(Self.package(spine: "<itemref idref=\"c\"/><itemref idref=\"d\"/>"))
    #expect(first.identity == renamed.identity)
    #expect(first.identity != longer.identity)
    #expect(first.identity.utf8.count == 64)
  }
}
