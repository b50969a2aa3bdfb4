import Document
import Publication
import Testing
import TestSupport

/// The W3C's tests of reading systems, by dc:identifier: what holds is checked on the level of documents, what needs a
/// screen, a font or a script is not applicable to a terminal. `docs/epub-tests.json` is the report of it.
@Suite struct EpubSuiteTests {
  enum Verdict: Sendable, Equatable {
    case passes
    /// Why the test says nothing about a reader in a terminal.
    case notApplicable(String)
    /// Known not to pass, and why.
    case fails(String)
  }

  static let verdicts: [String: Verdict] = [
    "nav-access": .passes, "nav-non-text_img": .passes, "nav-non-text_img_title": .passes,
    "nav-spine_in-spine-hidden-toc-css": .passes,
    "nav-spine_in-spine-hidden-toc-html": .passes, "nav-spine_in-spine-no-list-style": .passes,
    "ocf-font_obfuscation": .notApplicable("fonts"), "ocf-font_obfuscation-bis": .notApplicable("fonts"),
    "ocf-metainf-manifest": .passes, "ocf-package_arbitrary": .passes,
    "ocf-package_multiple": .passes, "ocf-url_link-leaking-relative": .passes, "ocf-url_link-path-absolute": .passes,
    "ocf-url_manifest": .passes,
    "ocf-url_parse-path-absolute": .notApplicable("scripts"), "pkg-creator-order": .passes,
    "pkg-dir-auto_root-rtl": .passes, "pkg-dir-auto_root-unset": .passes,
    "pkg-dir_but_not_content": .passes, "pkg-dir_rtl-root-ltr": .passes, "pkg-dir_rtl-root-unset": .passes,
    "pkg-dir_unset-root-rtl": .passes, "pkg-dir_unset-root-unset": .passes,
    "pkg-manifest-unknown": .passes, "pkg-manifest-unlisted-resource": .passes, "pkg-meta-unknown": .passes,
    "pkg-spine-duplicate-item-hyperlink": .passes,
    "pkg-spine-duplicate-item-rendering": .passes, "pkg-spine-duplicate-item-ui": .passes,
    "pkg-spine-nonlinear-activation": .passes, "pkg-spine-order-svg": .passes, "pkg-spine-order": .passes,
    "pkg-spine-progression-default": .passes, "pkg-spine-progression_rtl": .passes, "pkg-title-order": .passes,
    "pkg-unique-id": .passes, "pkg-version-backward": .passes,
    "pub-cmt-avif": .passes, "pub-cmt-jpeg": .passes, "pub-cmt-svg": .passes, "pub-cmt-mp3": .notApplicable("sound"),
    "pub-cmt-mp4": .notApplicable("sound"), "pub-cmt-opus": .notApplicable("sound"),
    "pub-data-urls_browsing-context": .passes, "pub-external-links": .passes, "pub-external-links_consent": .passes,
    "pub-foreign_image": .passes, "pub-foreign_xml-suffix-spine": .passes,
    "pub-xml-external-id": .passes, "pub-xml-names": .passes, "pub-xml-non-validating_comment": .passes,
    "cnt-svg-embedded": .passes, "cnt-svg-support": .passes,
    "cnt-css-fonts_ot": .notApplicable("fonts"), "cnt-css-fonts_tt": .notApplicable("fonts"),
    "cnt-css-fonts_woff2": .notApplicable("fonts"),
    "cnt-svg-css-inclusion": .fails("the drawing has its page's sheet, but librsvg does not draw this pattern"),
    "cnt-svg-css-reference": .passes,
    "css-epub-text-transform": .passes, "css-epub-line-break": .notApplicable("cells"),
    "css-epub-text-emphasis": .notApplicable("cells"), "css-epub-text-orientation": .notApplicable("cells"),
    "css-epub-word-break": .notApplicable("cells"),
  ]

  private static let folder = TestPaths.shared + "/corpus/epub/w3c/"
  private static let paths = SharedFiles.list("corpus/epub/w3c", ending: ".epub")

  /// Layout in fixed pages, spreads and scrolling is a screen's; scripts never run.
  static func verdict(_ identifier: String) -> Verdict? {
    if let verdict = verdicts[identifier] { return verdict }
    if identifier.hasPrefix("lay-") { return .notApplicable("fixed pages, spreads, scrolling") }
    return identifier.hasPrefix("scr-") ? .notApplicable("scripts") : nil
  }

  @Test(arguments: paths)
  func everyTestHasAVerdictAndOpens(_ path: String) throws {
    let book = try Book(path: path)
    let identifier = try #require(Self.identifier(book))
    #expect(Self.verdict(identifier) != nil, "no verdict for \(identifier)")
    for index in book.spine.indices { _ = try book.document(at: index) }
  }

  private static func identifier(_ book: Book) -> String? {
    book.metadata.identifiers.map(\.value).first { verdict($0) != nil } ?? book.metadata.identifier
  }

  private func book(_ name: String) throws -> Book { try Book(path: Self.folder + name + ".epub") }

  private func text(_ name: String) throws -> String {
    let book = try book(name)
    return try book.spine.indices.map { plain(try book.document(at: $0)) }.joined(separator: "\n")
  }

  @Test func navigation() throws {
    #expect(try book("nav-access").toc.count == 1)
    for name in ["nav-non-text_img", "nav-non-text_img_title"] {
      let toc = try book(name).toc
      #expect(toc.count == 2 && toc.allSatisfy { !$0.title.isEmpty && $0.spineIndex != nil })
    }
    for name in ["nav-spine_in-spine-hidden-toc-css", "nav-spine_in-spine-hidden-toc-html"] {
      let book = try book(name)
      #expect(book.toc.count == 2)
      let shown = plain(try book.document(at: 0))
      #expect(shown.contains(book.toc[0].title) && !shown.contains(book.toc[1].title))
    }
    let book = try book("nav-spine_in-spine-no-list-style")
    #expect(book.toc.allSatisfy { !$0.title.contains("α") })
    #expect(plain(try book.document(at: 0)).contains("α. "))
  }

  @Test func container() throws {
    #expect(try book("ocf-metainf-manifest").spine.count == 1)
    for name in ["ocf-package_arbitrary", "ocf-package_multiple", "ocf-url_manifest"] {
      let shown = try text(name).lowercased()
      #expect(shown.contains("pass") && !shown.contains("fail"), "\(name): \(shown)")
    }
    for name in ["ocf-url_link-leaking-relative", "ocf-url_link-path-absolute"] {
      let book = try book(name)
      let image = try #require(Self.images(try book.document(at: 0).blocks).first)
      #expect(try !book.resource(image.source).isEmpty)
    }
  }

  private static func images(_ blocks: [Block]) -> [ImageReference] {
    blocks.compactMap { if case .image(let image) = $0.content { image } else { nil } }
  }

  @Test func metadata() throws {
    #expect(
      try book("pkg-creator-order").metadata.authors == [
        "Dave Cramer", "Wendy Reid", "Dan Lazin", "Ivan Herman", "Brady Duga",
      ])
    let directions: [(String, String?)] = [
      ("pkg-dir-auto_root-rtl", "auto"), ("pkg-dir-auto_root-unset", "auto"), ("pkg-dir_rtl-root-ltr", "rtl"),
      ("pkg-dir_rtl-root-unset", "rtl"), ("pkg-dir_unset-root-rtl", "rtl"), ("pkg-dir_unset-root-unset", nil),
    ]
    for (name, direction) in directions {
      #expect(try book(name).metadata.titles.first?.direction == direction, "\(name)")
    }
    let content = try book("pkg-dir_but_not_content").document(at: 0)
    #expect(content.direction == .leftToRight && content.language == nil)
    for name in ["pkg-manifest-unknown", "pkg-meta-unknown", "pkg-version-backward"] {
      #expect(try book(name).spine.count >= 1)
    }
    #expect(try book("pkg-title-order").metadata.titles.count > 1)
    #expect(try book("pkg-unique-id").identity != book("pkg-unique-id_duplicate").identity)
  }

  @Test func spine() throws {
    let repeated = try book("pkg-spine-duplicate-item-rendering")
    #expect(repeated.spine.count == 4 && repeated.spine.allSatisfy(\.linear))
    let links = try book("pkg-spine-duplicate-item-hyperlink")
    #expect(links.destination(of: "content_002.xhtml", from: 0) == .place(spineIndex: 1, fragment: nil))
    let nonlinear = try book("pkg-spine-nonlinear-activation")
    #expect(nonlinear.spine.map(\.linear) == [true, false])
    #expect(nonlinear.destination(of: "content_002.xhtml", from: 0) == .place(spineIndex: 1, fragment: nil))
    #expect(try text("pkg-spine-order-svg").contains("Page 4"))
    #expect(try book("pkg-spine-order").spine.count == 4)
    #expect(try book("pkg-spine-progression_rtl").direction == .rightToLeft)
    #expect(try book("pkg-spine-progression-default").direction == .default)
  }

  @Test func resources() throws {
    // An image that no manifest item lists is not shown.
    #expect(Self.images(try book("pkg-manifest-unlisted-resource").document(at: 0).blocks).isEmpty)
    let foreign = try book("pub-foreign_image")
    let image = try #require(Self.images(try foreign.document(at: 0).blocks).first)
    #expect(image.source.hasSuffix(".png"))
    for name in [
      "pub-cmt-avif", "pub-cmt-jpeg", "pub-cmt-svg", "pub-data-urls_browsing-context", "cnt-svg-embedded",
      "cnt-svg-support", "cnt-svg-css-reference",
    ] {
      let book = try book(name)
      let image = try #require(Self.images(try book.document(at: 0).blocks).first, "\(name)")
      #expect(try !book.resource(image.source).isEmpty, "\(name)")
    }
    #expect(try text("pub-foreign_xml-suffix-spine").lowercased().contains("pass"))
  }

  @Test func markup() throws {
    #expect(try !text("pub-xml-external-id").lowercased().contains("test fails"))
    #expect(try !book("pub-xml-names").document(at: 0).warnings.isEmpty)
    #expect(try book("pub-xml-non-validating_comment").spine.allSatisfy { !$0.href.hasSuffix("nav.xhtml") })
    #expect(try text("css-epub-text-transform").unicodeScalars.contains { (0xff21...0xff5a).contains($0.value) })
  }

  /// The report in `docs/` says what is said here.
  @Test func theReportIsUpToDate() throws {
    try #require(!Self.paths.isEmpty, "shared test material is missing: \(Self.folder)")
    var entries: [String] = []
    for path in Self.paths {
      let identifier = try #require(Self.identifier(try Book(path: path)))
      let value: String
      switch Self.verdict(identifier) {
      case .passes?: value = "true"
      case .fails?: value = "false"
      case .notApplicable?: value = "\"n/a\""
      case nil: value = "null"
      }
      entries.append("    \"\(identifier)\": \(value)")
    }
    let report =
      "{\n  \"name\": \"pagerd reader\",\n  \"variant\": \"Linux terminal\",\n  \"ref\": \"README.md\",\n  \"tests\": {\n"
      + Set(entries).sorted().joined(separator: ",\n") + "\n  }\n}\n"
    #expect(TextFiles.text(TestPaths.root + "/docs/epub-tests.json") == report, "\(report)")
  }
}
