import Document
import Glibc
import Publication
import Testing
import TestSupport

/// The shared fault files, on the level of documents; pages are judged by the reader's own tests.
@Suite struct CaseTests {
  private static let folder = TestPaths.shared + "/cases/epub/"

  /// All shown text of a book, notes included; nil with the error if it does not open.
  private static func text(_ name: String) throws(PublicationError) -> String {
    let book = try Book(path: folder + name + ".epub")
    var text = ""
    for index in book.spine.indices where book.spine[index].linear {
      let document = try book.document(at: index)
      text += plain(document) + "\n" + document.notes.values.map { plain($0) }.joined(separator: "\n") + "\n"
    }
    return text
  }

  /// File, what must be there, what must not.
  @Test(arguments: [
    ("01-no-toc-at-all", "Alphatext", "\u{0}"), ("03-ncx-outside-opf-dir", "Alphatext", "\u{0}"),
    ("06-manifest-href-with-fragment", "Betatext", "\u{0}"), ("07-opf-prefix", "Alphatext", "\u{0}"),
    ("08-container-prefix", "Alphatext", "\u{0}"), ("17-nfd-vs-nfc", "Alphatext", "\u{0}"),
    ("19-duplicate-itemref", "Alphatext", "\u{0}"), ("21-nav-without-links", "Alphatext", "\u{0}"),
    ("25-spine-item-missing", "Alphatext", "\u{0}"), ("32-nbsp", "w\u{a0}domu", "€100"),
    ("34-br-poetry", "Word1\nWord2 tail\nWord3", "Word1 Word2"), ("36-table", "1974 | 21.0", "197421.0"),
    ("38-display-none", "Seen.", "Hidden"), ("39-footnotes-in-section", "Text", "\u{0}"),
    ("40-footnote-file", "Second note", "\u{0}"), ("41-ruby", "逗留", "とうりゅう"), ("44-pre-long", "def f():", "\u{0}"),
    ("45-inline-spaces", "bold ital", "onetwo"), ("46-hr-scene-break", "----", "\u{0}"),
    ("47-anchor-mid-paragraph", "Target here", "\u{0}"), ("48-rtl", "שלום", "\u{0}"),
    ("50-script-style", "Alphatext", "Hidden1"),
    ("60-font-obfuscation-only", "Alphatext", "\u{0}"), ("70-data-descriptors", "Alphatext", "\u{0}"),
    ("71-crc-error-in-image", "Alphatext", "\u{0}"), ("72-junk-before-zip", "Alphatext", "\u{0}"),
    ("73-junk-after-zip", "Alphatext", "\u{0}"), ("75-bad-first-signature", "Alphatext", "\u{0}"),
    ("76-zip64", "Alphatext", "\u{0}"), ("79-inflate-bomb", "Alphatext", "\u{0}"),
  ])
  func faultFiles(_ name: String, _ must: String, _ not: String) throws {
    try #require(access(Self.folder + name + ".epub", R_OK) == 0, "shared test material is missing: \(Self.folder)")
    let text = try Self.text(name)
    #expect(text.contains(must))
    #expect(!text.contains(not))
  }

  @Test func protectedBookIsNamed() {
    #expect(throws: PublicationError.protected(path: Self.folder + "61-drm.epub", scheme: "Readium LCP")) {
      try Book(path: Self.folder + "61-drm.epub")
    }
  }

  @Test func truncatedArchiveIsSalvagedOrRefused() {
    do throws(PublicationError) {
      #expect(try Self.text("78-truncated").contains("text"))
    } catch {
      #expect(error.description.contains("78-truncated.epub"))
    }
  }

  @Test func noteLinksLeadToTheirNotes() throws {
    let book = try Book(path: Self.folder + "40-footnote-file.epub")
    guard case .place(let index, let fragment?) = book.destination(of: "notes.xhtml#n2", from: 0) else {
      Issue.record("the link leads nowhere")
      return
    }
    let document = try book.document(at: index)
    let offset = try #require(document.anchors[fragment])
    let block = try #require(document.blocks.first { $0.range.contains(offset) })
    #expect(plain([block]).contains("Second note"))
    let note = try book.note(path: book.spine[index].href, fragment: fragment)
    #expect(note.map { plain($0) }?.contains("Second note") == true)
    #expect(note.map { plain($0) }?.contains("First note") == false)
  }

  @Test func anchorsInMidParagraph() throws {
    let book = try Book(path: Self.folder + "47-anchor-mid-paragraph.epub")
    let entry = try #require(book.toc.first { $0.title == "Two" })
    let index = try #require(entry.spineIndex)
    let fragment = try #require(entry.fragment)
    let document = try book.document(at: index)
    let offset = try #require(document.anchors[fragment])
    let text = document.blocks.flatMap { block -> [(Unicode.Scalar, Int)] in
      guard case .text(let text) = block.content else { return [] }
      return text.runs.flatMap { run in
        run.text.unicodeScalars.enumerated().map { ($0.element, run.offsets.offset(ofScalar: $0.offset)) }
      }
    }
    var after = String.UnicodeScalarView()
    for (scalar, place) in text where place >= offset && after.count < 11 { after.append(scalar) }
    #expect(String(after) == "Target here")
  }
}
