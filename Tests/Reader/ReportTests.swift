import Document
import Glibc
import ReaderIPC
import Terminal
import TestSupport
import Testing
import Typesetting

@testable import reader

/// What users of other readers reported, done with this one: on its screen, with its keys. Reports on containers,
/// packages, markup and the library are tests beside those.
@Suite struct ReportTests {
  private let folder = TestFolder()

  /// A book on a screen.
  private struct Reading {
    let model: ReaderModel
    var screen: Screen

    init(_ path: String, columns: Int = 80, rows: Int = 24) throws {
      try #require(access(path, R_OK) == 0, "test material is missing: \(path)")
      var settings = ReaderSettings()
      settings.alignment = .left
      model = ReaderModel(
        content: try PublicationContent(path: path), settings: settings, depth: .truecolor, window: (rows, columns))
      screen = Screen(columns: columns, rows: rows, depth: .truecolor)
      while model.work() {}
      model.draw(on: &screen)
    }

    /// The screen as it is after these keys.
    @discardableResult
    mutating func press(_ keys: TerminalEvent.Key...) -> String {
      for key in keys {
        model.handle(.key(key, []), now: 0)
        model.draw(on: &screen)
      }
      return shown
    }

    var shown: String { (0..<screen.rows).map { screen.text(ofRow: $0) }.joined(separator: "\n") }

    /// The lines of what lies over the page, the whole of it.
    var popup: [String]? {
      guard case .text(let panel, _) = model.overlay else { return nil }
      return panel.lines.map(\.text)
    }
  }

  private func shared(_ name: String) -> String { TestPaths.shared + "/cases/epub/\(name).epub" }

  private func write(_ body: String, _ more: [EPUBWriter.Chapter] = []) -> String {
    var book = EPUBWriter()
    book.chapters = [.init(name: "c", title: "C", body: body)] + more
    return folder.write(book.bytes(), to: "book.epub")
  }

  // MARK: Contents

  /// File, the titles of its contents, as the panel shows them.
  @Test(arguments: [
    ("01-no-toc-at-all", ["t"]), ("03-ncx-outside-opf-dir", ["One"]),
    ("06-manifest-href-with-fragment", ["Chapter 0"]),
    ("07-opf-prefix", ["Chapter 0"]), ("08-container-prefix", ["Chapter 0"]), ("21-nav-without-links", ["From NCX"]),
    ("47-anchor-mid-paragraph", ["One", "Two"]),
  ])
  func contentsAppear(_ name: String, _ titles: [String]) throws {
    var reading = try Reading(shared(name))
    #expect(reading.model.pager.outline.contents.map(\.title) == titles)
    let panel = reading.press(.character("c"))
    for title in titles { #expect(panel.contains(title)) }
    #expect(!reading.press(.enter).contains("nothing to go to"))
  }

  /// A document that the spine names by its parts is one document, one that it repeats is as many.
  @Test(arguments: [("06-manifest-href-with-fragment", 1), ("19-duplicate-itemref", 3)])
  func repeatedDocuments(_ name: String, _ count: Int) throws {
    var reading = try Reading(shared(name))
    #expect(reading.model.pager.outline.spine.count == count)
    var seen = 0
    var places: Set<[Int]> = []
    for _ in 0..<(count + 1) {
      seen += reading.shown.split(separator: "\n").count { $0.contains("Alphatext") }
      places.insert([reading.model.pager.anchor.spineIndex, reading.model.pager.anchor.offset])
      let before = reading.model.pager.anchor
      reading.press(.right)
      if reading.model.pager.anchor == before { break }
    }
    #expect(seen == count && places.count == count)
    #expect(
      reading.model.content.destination(of: "c.xhtml", from: count - 1) == .place(spineIndex: count - 1, fragment: nil))
  }

  /// Chapters that share a file begin at their anchors: the entry leads there, and is current from there on.
  @Test func chaptersInOneFile() throws {
    var reading = try Reading(shared("47-anchor-mid-paragraph"))
    #expect(reading.model.pager.chapterTitle == "One")
    reading.press(.character("c"), .down, .enter)
    #expect(reading.shown.contains("Target here") && reading.model.pager.chapterTitle == "Two")
    let page = reading.model.pager.page
    #expect(page > 0)
    reading.press(.home, .character("]"))
    #expect(reading.model.pager.page == page)
    reading.press(.character("["))
    #expect(reading.model.pager.page == 0 && reading.model.pager.chapterTitle == "One")
  }

  // MARK: Notes

  @Test func idsAreLookedUpInTheLinkedFile() throws {
    var reading = try Reading(
      write(
        "<p id=\"c7s1\">Here.</p><p><a href=\"notes.xhtml#c7s1\">there</a> <a href=\"#c7s1\">here</a></p>",
        [.init(name: "notes", title: "N", body: "<p>First.</p><p id=\"c7s1\">There.</p>")]))
    reading.press(.tab, .enter)
    #expect(reading.model.pager.anchor.spineIndex == 1)
    #expect(reading.model.pager.position.after.hasPrefix("There."))
    reading.press(.character("o"), .tab, .tab, .enter)
    #expect(reading.model.pager.anchor == Place(spineIndex: 0, offset: 0))
  }

  @Test func aPopupHoldsTheOneNote() throws {
    var reading = try Reading(shared("39-footnotes-in-section"))
    #expect(!reading.shown.contains("Note A") && !reading.shown.contains("Note B"))
    reading.press(.tab, .enter)
    #expect(reading.popup == ["Note A"])
    reading.press(.escape, .tab, .tab, .enter)
    #expect(reading.popup == ["Note B"])
  }

  @Test func notesInAFileOfTheirOwn() throws {
    var reading = try Reading(shared("40-footnote-file"))
    let start = reading.model.pager.position
    reading.press(.tab, .tab, .enter)
    #expect(reading.popup == ["2 Second note."])
    // Enter goes to the note, not to the top of its file.
    reading.press(.enter)
    #expect(reading.model.pager.anchor.spineIndex == 1)
    #expect(reading.model.pager.position.after.hasPrefix("2 Second note."))
    // The link back leads to the reference, and `o` to where the reader was.
    reading.press(.tab, .enter)
    #expect(reading.model.pager.anchor.spineIndex == 0 && reading.model.pager.position.after.hasPrefix("1 and 2"))
    reading.press(.character("o"), .character("o"))
    #expect(reading.model.pager.position == start)
  }

  /// Hidden by the sheet, shown in the popup.
  @Test func aNoteThatTheSheetHides() throws {
    let style = "<style>aside.footnote {display: none}</style>"
    var reading = try Reading(
      write(
        "\(style)<p>Text<a epub:type=\"noteref\" href=\"#n\">1</a></p>"
          + "<aside class=\"footnote\" epub:type=\"footnote\" id=\"n\"><p>Hidden note.</p></aside>"))
    #expect(!reading.shown.contains("Hidden note."))
    reading.press(.tab, .enter)
    #expect(reading.popup == ["Hidden note."])
  }

  @Test func aNoteLongerThanAPageOpensAtItsStart() throws {
    let words = (1...900).map { "word\($0)" }.joined(separator: " ")
    var reading = try Reading(
      write(
        "<p>Text<a epub:type=\"noteref\" href=\"notes.xhtml#n\">1</a></p>",
        [
          .init(
            name: "notes", title: "N", body: "<p>Other.</p><div epub:type=\"endnote\" id=\"n\"><p>\(words)</p></div>")
        ]))
    let first = reading.press(.tab, .enter)
    #expect(first.contains("word1 word2") && first.contains("↓ more"))
    #expect(reading.press(.end).contains("word900"))
    // The page itself opens at the note's start as well.
    #expect(reading.press(.home, .enter).contains("word1 word2"))
  }

  /// How books mark up notes, by the tools that made them: body, and what the popup of the first link shows.
  @Test(arguments: [
    // Pandoc
    (
      "<p>x<a href='#fn1' class='footnote-ref' id='fnref1' role='doc-noteref'><sup>1</sup></a></p><section class='footnotes' role='doc-endnotes'><hr/><ol><li id='fn1' role='doc-endnote'><p>A note.<a href='#fnref1' class='footnote-back' role='doc-backlink'>↩︎</a></p></li><li id='fn2'><p>Other.</p></li></ol></section>",
      ["A note."]
    ),
    // A word processor
    (
      "<p>x<a name='_ftnref1' href='#_ftn1'><span>[1]</span></a></p><div><div id='ftn1'><p><a name='_ftn1' href='#_ftnref1'>[1]</a> A note.</p></div><div id='ftn2'><p><a name='_ftn2' href='#_ftnref2'>[2]</a> Other.</p></div></div>",
      ["[1] A note."]
    ),
    // The number stands in a paragraph of its own
    (
      "<p>x<sup><a href='#n1'>1</a></sup></p><div><div><p id='n1'>1</p><p>A note.</p></div><div><p id='n2'>2</p><p>Other.</p></div></div>",
      ["1", "", "A note."]
    ),
    // An anchor before the paragraph
    (
      "<p>x<sup><a href='#n1'>1</a></sup></p><a id='n1'></a><p>1. A note.</p><a id='n2'></a><p>2. Other.</p>",
      ["1. A note."]
    ),
    // An encyclopedia
    (
      "<p>x<sup id='cite_ref-1' class='reference'><a href='#cite_note-1'>[1]</a></sup></p><ol><li id='cite_note-1'><span><b><a href='#cite_ref-1'>^</a></b></span> <span class='reference-text'>A note.</span></li><li id='cite_note-2'>Other.</li></ol>",
      ["^ A note."]
    ),
    // A definition list
    (
      "<p>x<sup><a href='#n1'>*</a></sup></p><dl><dt id='n1'>*</dt><dd>A note.</dd><dt id='n2'>†</dt><dd>Other.</dd></dl>",
      ["A note."]
    ),
    // A page maker
    (
      "<style>.sup {vertical-align: super}</style><p>x<span class='sup'><a id='r1' href='#x1'>1</a></span></p><hr/><p class='footnote'><span id='x1'><a href='#r1'>1</a></span> A note.</p><p class='footnote'><span id='x2'>2</span> Other.</p>",
      ["1 A note."]
    ),
    // A table
    (
      "<p>x<sup><a href='#n1'>a</a></sup></p><table><tr><td id='n1'>a</td><td>A note.</td></tr><tr><td id='n2'>b</td><td>Other.</td></tr></table>",
      ["a", "", "A note."]
    ),
    // Chinese
    (
      "<p>x<a epub:type='noteref' href='#n1'><img src='note.png' alt='注'/></a></p><ol class='duokan-footnote-content'><li class='duokan-footnote-item' id='n1'><p>A note.</p></li><li id='n2'><p>Other.</p></li></ol>",
      ["A note."]
    ),
  ])
  func notesOfEveryMake(_ body: String, _ expected: [String]) throws {
    var reading = try Reading(write(body))
    reading.press(.tab, .enter)
    #expect(reading.popup == expected, "\(reading.shown)")
  }

  @Test func aListOfVersesIsNoNote() throws {
    let verses = (1...9).map { "<a href=\"#v\($0)\">\($0)</a>" }.joined(separator: " ")
    let texts = (1...9).map { "<p id=\"v\($0)\"><sup>\($0)</sup> In the beginning.</p>" }.joined()
    var reading = try Reading(write("<p>\(verses)</p>\(texts)"))
    reading.press(.tab, .tab, .tab, .enter)
    #expect(reading.popup == nil)
    #expect(reading.model.pager.position.after.hasPrefix("3 In the beginning."))
  }

  // MARK: Lines

  /// "w domu" and "100 €" keep together in windows of every width that has room for them.
  @Test func blanksThatDoNotBreak() throws {
    let content = try PublicationContent(path: shared("32-nbsp"))
    let document = content.readableDocument(at: 0).document
    for columns in 8...100 {
      let layout = ChapterLayout(document, geometry: Geometry(columns: columns, rows: 24), settings: .plainText)
      let text = (0..<layout.pageCount).map(layout.plainText).joined(separator: "\n")
      #expect(text.contains("w domu") && text.contains("€ 100"), "\(columns): \(text)")
    }
  }

  /// A soft hyphen is drawn where a line ends at it, if words may be divided, and nowhere else.
  @Test func softHyphens() throws {
    let content = try PublicationContent(path: shared("33-soft-hyphen"))
    let document = content.readableDocument(at: 0).document
    func lines(_ columns: Int, divided: Bool) -> [Substring] {
      var settings = TypesettingSettings.plainText
      settings.hyphenation = divided
      let layout = ChapterLayout(document, geometry: Geometry(columns: columns, rows: 24), settings: settings)
      return layout.plainText(ofPage: 0).split(separator: "\n")
    }
    #expect(lines(80, divided: true) == ["Gesamtkonzept"])
    #expect(lines(10, divided: true) == ["Gesamtkon-", "zept"])
    #expect(!lines(10, divided: false).contains { $0.contains("-") })
    var reading = try Reading(shared("33-soft-hyphen"))
    reading.press(.character("/"))
    reading.model.handle(.paste("gesamtkonzept"), now: 0)
    reading.press(.enter)
    while reading.model.work() {}
    #expect(reading.model.search?.results.count == 1)
  }

  @Test func aLineBreakBreaksAndNothingElseMoves() throws {
    let content = try PublicationContent(path: shared("34-br-poetry"))
    for columns in 12...100 {
      let layout = ChapterLayout(
        content.readableDocument(at: 0).document, geometry: Geometry(columns: columns, rows: 24), settings: .plainText)
      let lines = layout.plainText(ofPage: 0).split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(lines == ["Word1", "Word2 tail", "Word3"], "\(columns)")
    }
  }

  /// Two to seven narrow columns stand side by side; what is too wide comes as cards, and nothing is dropped.
  @Test(arguments: 2...7)
  func tables(_ count: Int) throws {
    func row(_ tag: String, _ text: (Int) -> String) -> String {
      "<tr>" + (1...count).map { "<\(tag)>\(text($0))</\(tag)>" }.joined() + "</tr>"
    }
    let narrow = try Reading(write("<table>\(row("th") { "h\($0)" })\(row("td") { "c\($0)" })</table>"))
    let lines = narrow.shown.split(separator: "\n")
    let head = try #require(lines.first { $0.contains("h1") })
    let cells = try #require(lines.first { $0.contains("c1") })
    for column in 1...count {
      let place = try #require(head.firstRange(of: "h\(column)"))
      let below = try #require(cells.firstRange(of: "c\(column)"))
      #expect(
        head.distance(from: head.startIndex, to: place.lowerBound)
          == cells.distance(from: cells.startIndex, to: below.lowerBound))
    }
    let long = String(repeating: "many words in a cell ", count: 6)
    let wide = try Reading(
      write("<table>\(row("th") { "head\($0)" })\(row("td") { "cell\($0) \(long)" })</table>"), columns: 30
    ).model.pager
    let text = (0..<wide.layout.pageCount).map(wide.layout.plainText).joined(separator: "\n")
    for column in 1...count { #expect(text.contains("cell\(column)") && text.contains("head\(column)")) }
  }

  @Test func longLinesOfCodeWrapWithAMark() throws {
    let reading = try Reading(shared("44-pre-long"))
    let lines = reading.shown.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasSuffix("def f():") } && lines.contains { $0.hasSuffix("    # end") })
    #expect(lines.contains { $0.contains("↪ x") })
    #expect(lines.map { $0.count { $0 == "x" } }.reduce(0, +) >= 140)
  }

  /// Letters from the right are turned once: by the reader for a plain terminal, by the terminal if it does so itself.
  @Test(arguments: [
    (ReaderSettings.Bidi.reorder, "!םלוע (abc) םולש"), (.words, "!עולם (abc) שלום"), (.terminal, "שלום (abc) עולם!"),
  ])
  func textFromTheRightIsTurnedOnce(_ bidi: ReaderSettings.Bidi, _ expected: String) throws {
    var reading = try Reading(shared("48-rtl"))
    reading.model.settings.bidi = bidi
    reading.model.layOutAgain()
    reading.model.draw(on: &reading.screen)
    #expect(reading.shown.split(separator: "\n").contains { $0.hasSuffix(expected) }, "\(reading.shown)")
  }

  // MARK: Search

  @Test(arguments: [
    ("<p>the <i>wh</i>ite <b>wh</b>ale</p>", "white whale", "white whale"),
    ("<p>It’s “so” — yes</p>", "it's \"so\" - yes", "It’s “so” — yes"), ("<p>nada más</p>", "mas", "más"),
    ("<p>Ge&#173;samt</p>", "gesamt", "Gesamt"), ("<p>one\n  two</p>", "one two", "one two"),
  ])
  func aPhraseIsFoundAndMarked(_ body: String, _ query: String, _ expected: String) throws {
    var reading = try Reading(write(body))
    reading.press(.character("/"))
    reading.model.handle(.paste(query), now: 0)
    reading.press(.enter)
    while reading.model.work() {}
    #expect(reading.model.search?.results.count == 1)
    reading.press(.enter)
    // The highlighted cells are the phrase.
    let page = reading.model.pager.layout.page(
      at: 0, look: PageLook(highlights: reading.model.search?.highlights(of: 0) ?? []))
    let marked = page.lines.flatMap(\.runs).filter { $0.highlight != nil }.map(\.text).joined()
    #expect(marked == expected)
  }

  // MARK: Bounds

  /// A chapter that inflates a thousandfold: its text, in bounded memory.
  @Test func aChapterThatInflatesAThousandfold() throws {
    let path = shared("79-inflate-bomb")
    try #require(access(path, R_OK) == 0, "test material is missing: \(path)")
    let printed = try PipedProcess.run(["text", path], folder: folder)
    #expect(printed.status.exitCode == 0 && printed.output.contains("Alphatext"))
    let content = try PublicationContent(path: path)
    let read = content.readableDocument(at: 0)
    #expect(read.document.length < 1 << 20)
    #expect(read.document.warnings.contains { $0.contains("only the first") } || read.fault != nil)
  }
}
