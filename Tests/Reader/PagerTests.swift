import Document
import TestSupport
import Testing
import Typesetting

@testable import reader

@Suite struct PagerTests {
  private let folder = TestFolder()

  private func open(_ book: EPUBWriter) throws -> PublicationContent {
    try PublicationContent(path: folder.write(book.bytes(), to: "book.epub"))
  }

  private func makePager(
    _ book: EPUBWriter = .numbered(chapters: 3, paragraphs: 30), columns: Int = 60, rows: Int = 12,
    spread: Int? = nil
  ) throws -> Pager {
    var settings = TypesettingSettings.plainText
    settings.spreadThreshold = spread
    return Pager(content: try open(book), geometry: Geometry(columns: columns, rows: rows), settings: settings)
  }

  private func resize(_ pager: Pager, columns: Int, rows: Int) {
    pager.resize(geometry: Geometry(columns: columns, rows: rows), settings: pager.settings)
  }

  private func firstWords(_ pager: Pager) -> String {
    pager.layout.plainText(ofPage: pager.page)
  }

  @Test(arguments: [nil, 50])
  func forwardAndBackwardSeeTheSamePages(spread: Int?) throws {
    let pager = try makePager(spread: spread)
    var seen: [String] = [firstWords(pager)]
    while pager.next() == .moved { seen.append(firstWords(pager)) }
    #expect(seen.count > 10)
    #expect(pager.next() == .atEnd)
    for expected in seen.dropLast().reversed() {
      #expect(pager.previous() == .moved)
      #expect(firstWords(pager) == expected)
    }
    #expect(pager.previous() == .atStart)
  }

  @Test func pagesAreNumberedThroughTheBook() throws {
    let pager = try makePager()
    var counter: PageCounter?
    while pager.prepare(counter: &counter) {}
    let pages = try #require(pager.map.pages)
    for number in 1...pages {
      #expect(pager.map.number(ofPage: pager.page, in: pager.anchor.spineIndex) == number)
      #expect(pager.map.location(ofPage: number)! == (pager.anchor.spineIndex, pager.page))
      #expect(pager.next() == (number == pages ? .atEnd : .moved))
    }
    #expect(pager.fraction == 1)
    #expect(pager.map.location(ofPage: 0) == nil && pager.map.location(ofPage: pages + 1) == nil)
    let counted = PageCounter.count(pager.content, geometry: pager.geometry, settings: pager.settings)
    #expect(counted == pager.map)
  }

  @Test func anySequenceOfResizesEndsWhereItBegan() throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let pager = try makePager()
      for _ in 0..<Int.random(in: 0...25, using: &random) { _ = pager.next() }
      let (anchor, words) = (pager.anchor, firstWords(pager))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        resize(pager, columns: Int.random(in: 1...200, using: &random), rows: Int.random(in: 1...60, using: &random))
        #expect(pager.anchor == anchor)
        #expect(pager.shownRange.contains(anchor.offset) || pager.layout.offset(ofPage: pager.page) == anchor.offset)
      }
      resize(pager, columns: 60, rows: 12)
      #expect(firstWords(pager) == words)
    }
  }

  @Test func chaptersBeginAtAnchorsNotAtFiles() throws {
    var book = EPUBWriter()
    let text = String(repeating: "Some words that fill a line of this page. ", count: 20)
    book.chapters = [
      .init(
        name: "all", title: "One",
        body: "<p>first \(text)</p><p id=\"two\">second \(text)</p><p>more</p><p id=\"three\">third \(text)</p>"),
      .init(name: "rest", title: nil, body: "<p>still three \(text)</p>"),
      .init(name: "four", title: "Four", body: "<p>fourth \(text)</p>"),
    ]
    book.moreContents = [("Two", "all.xhtml#two"), ("Three", "all.xhtml#three")]
    let pager = try makePager(book, rows: 6)
    var titles: [String?] = [pager.chapterTitle]
    while pager.nextChapter() == .moved { titles.append(pager.chapterTitle) }
    #expect(titles == ["One", "Two", "Three", "Four"])
    #expect(pager.previousChapter() == .moved)
    #expect(pager.chapterTitle == "Three")
    _ = pager.next()
    #expect(pager.previousChapter() == .moved)
    #expect(firstWords(pager).contains("third"))
    // A document without an entry belongs to the chapter before it.
    while pager.anchor.spineIndex == 0 { _ = pager.next() }
    #expect(pager.chapterTitle == "Three")
    #expect(pager.previousChapter() == .moved && pager.previousChapter() == .moved)
    #expect(pager.previousChapter() == .moved && pager.chapterTitle == "One")
    #expect(pager.previousChapter() == .atStart)
  }

  @Test func aMereNumberSaysWhatItIsAPartOf() {
    func entry(_ title: String, _ level: Int, _ index: Int) -> BookOutline.Entry {
      BookOutline.Entry(title: title, href: "", level: level, spineIndex: index)
    }
    let outline = BookOutline(
      path: "", identity: "", title: "",
      spine: (0..<3).map { BookOutline.Item(href: "", idref: "\($0)", isLinear: true) },
      contents: [entry("A Scandal in Bohemia", 1, 0), entry("II", 2, 1), entry("A longer title", 2, 2)])
    let chapters = Chapters(outline: outline)
    let titles = (0..<3).map { chapters.title(at: Place(spineIndex: $0, offset: 0), in: Document()) }
    #expect(titles == ["A Scandal in Bohemia", "A Scandal in Bohemia · II", "A longer title"])
  }

  @Test func backLeadsThroughTheTrail() throws {
    let pager = try makePager()
    #expect(!pager.back())
    _ = pager.next()
    let start = pager.anchor
    pager.jump(to: Place(spineIndex: 2, offset: 100))
    let second = pager.anchor
    pager.jump(to: Place(spineIndex: 1, offset: 0))
    #expect(pager.back() && pager.anchor == second)
    #expect(pager.back() && pager.anchor == start)
    #expect(!pager.back())
    pager.jump(to: Place(spineIndex: 99, offset: 0))
    #expect(pager.anchor == start)
  }

  @Test func whatIsNotLinearIsReachedByLinksOnly() throws {
    var book = EPUBWriter()
    book.chapters = [
      .init(name: "one", title: "One", body: "<p>one</p>"),
      .init(name: "aside", title: nil, body: "<p id=\"x\">aside</p>", isLinear: false),
      .init(name: "two", title: "Two", body: "<p>two</p>"),
    ]
    let pager = try makePager(book)
    #expect(pager.next() == .moved && firstWords(pager) == "two")
    #expect(pager.previous() == .moved && firstWords(pager) == "one")
    pager.jump(toFragment: "x", of: 1)
    #expect(firstWords(pager) == "aside")
    #expect(pager.next() == .moved && firstWords(pager) == "two")
  }

  @Test func aPlaceIsFoundInAnotherEditionByItsWords() throws {
    let old = try open(.numbered(chapters: 2, paragraphs: 20))
    let pager = Pager(
      content: old, geometry: Geometry(columns: 60, rows: 12), settings: .plainText,
      place: Place(spineIndex: 1, offset: 500))
    let position = pager.position
    #expect(position.before.unicodeScalars.count == 32 && position.after.unicodeScalars.count == 32)
    // The new edition has a preface, and more text before.
    var book = EPUBWriter.numbered(chapters: 2, paragraphs: 20)
    book.chapters[1].body = "<p>A new beginning of this chapter.</p>" + book.chapters[1].body
    book.chapters.insert(.init(name: "preface", title: "Preface", body: "<p>Preface.</p>"), at: 0)
    let new = try open(book)
    let place = try #require(PositionFinder(content: new).place(ofInherited: position))
    #expect(place.spineIndex == 2)
    let context = new.readableDocument(at: 2).document.context(at: place.offset)
    #expect(context == (position.before, position.after))
    // And not in a book that does not hold the words.
    var other = EPUBWriter()
    other.chapters = [.init(name: "c2", title: nil, body: "<p>Nothing of that.</p>")]
    #expect(PositionFinder(content: try open(other)).place(ofInherited: position) == nil)
  }
}
