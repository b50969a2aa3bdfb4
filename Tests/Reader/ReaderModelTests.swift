import ReaderIPC
import Terminal
import TestSupport
import Testing
import Typesetting

@testable import reader

@Suite struct ReaderModelTests {
  private let folder = TestFolder()

  private func makeModel(
    _ book: EPUBWriter, columns: Int = 80, rows: Int = 24
  ) throws -> (model: ReaderModel, screen: Screen) {
    let content = try PublicationContent(path: folder.write(book.bytes(), to: "book.epub"))
    var settings = ReaderSettings()
    settings.alignment = .left
    let model = ReaderModel(content: content, settings: settings, depth: .truecolor, window: (rows, columns))
    return (model, Screen(columns: columns, rows: rows, depth: .truecolor))
  }

  private func text(_ model: ReaderModel, _ screen: inout Screen) -> String {
    model.draw(on: &screen)
    return (0..<screen.rows).map { screen.text(ofRow: $0) }.joined(separator: "\n")
  }

  private func notes() -> EPUBWriter {
    var book = EPUBWriter()
    book.chapters = [
      .init(
        name: "text", title: "Text",
        body: """
          <p>Before <a epub:type="noteref" href="#n1">1</a> and <a epub:type="noteref" href="notes.xhtml#b">2</a>
          and <a href="notes.xhtml#c">there</a> and <a href="https://example.org/x">outside</a>
          and <a href="gone.xhtml">nowhere</a>.</p>
          <aside epub:type="footnote" id="n1"><p>The aside of one.</p></aside>
          """),
      .init(
        name: "notes", title: "Notes",
        body: """
          <p id="a">Note a.</p><p><a id="b"></a>Note b in the middle.</p><p id="c">Note c.</p>
          """),
    ]
    return book
  }

  @Test func notesOpenOverThePageAndLinksComeBack() throws {
    var (model, screen) = try makeModel(notes())
    _ = text(model, &screen)
    #expect(model.links.items.count == 5)
    model.handle(.key(.tab, []), now: 0)
    model.handle(.key(.enter, []), now: 0)
    #expect(text(model, &screen).contains("The aside of one."))
    model.handle(.key(.escape, []), now: 0)
    #expect(!text(model, &screen).contains("The aside of one."))
    for _ in 0..<2 { model.handle(.key(.tab, []), now: 0) }
    model.handle(.key(.enter, []), now: 0)
    let popup = text(model, &screen)
    #expect(popup.contains("Note b in the middle.") && !popup.contains("Note c.") && popup.contains("Before"))
    // Enter goes to where it stands, and o comes back.
    model.handle(.key(.enter, []), now: 0)
    #expect(text(model, &screen).contains("Note a."))
    model.handle(.key(.character("o"), []), now: 0)
    #expect(text(model, &screen).contains("Before"))
    for (count, expected) in [(3, "Note c."), (4, "https://example.org/x"), (5, "leads nowhere: gone.xhtml")] {
      for _ in 0..<count { model.handle(.key(.tab, []), now: 0) }
      model.handle(.key(.enter, []), now: 0)
      #expect(text(model, &screen).contains(expected))
      model.handle(.key(.escape, []), now: 0)
      model.handle(.key(.character("g"), []), now: 0)
      _ = text(model, &screen)
    }
  }

  @Test func aNoteIsShownAlone() throws {
    var book = EPUBWriter()
    book.chapters = [
      .init(
        name: "text", title: "Text",
        body: """
          <p>See <a epub:type="noteref" href="#note-1">*</a>.</p><section epub:type="rearnotes">
          <div epub:type="rearnote" id="note-1"> <p><a href="#x">Line 20.</a> Cf. Ezekiel 2:1.</p> </div>
          <div epub:type="rearnote" id="note-2"> <p><a href="#y">23.</a> Cf. Ecclesiastes.</p> </div></section>
          """)
    ]
    var (model, screen) = try makeModel(book)
    _ = text(model, &screen)
    model.handle(.key(.tab, []), now: 0)
    model.handle(.key(.enter, []), now: 0)
    _ = text(model, &screen)
    guard case .text(let panel, _) = model.overlay else {
      Issue.record("no popup")
      return
    }
    let lines = panel.lines.map(\.text).joined(separator: "\n")
    #expect(lines.contains("Ezekiel 2:1") && !lines.contains("Ecclesiastes"))
    #expect(text(model, &screen).contains("Esc closes ─╯"))
  }

  /// What the spine does not name opens like what is not linear: with a way back, and no place of its own is kept.
  @Test func documentsOutsideOfTheSpineOpenWithAWayBack() throws {
    var book = EPUBWriter.numbered(chapters: 2, paragraphs: 30)
    book.chapters[1].body =
      "<p>See <a href=\"map.xhtml#north\">the map</a> and <a epub:type=\"noteref\" href=\"map.xhtml#n\">7</a>.</p>"
    book.appendix = [
      .init(
        name: "map", title: "The Map",
        body: "<p>South.</p><p id=\"north\">North, <a href=\"more.xhtml\">more</a>.</p><p id=\"n\">A note.</p>"),
      .init(name: "more", title: "More", body: "<p>More of it, <a href=\"c1.xhtml\">home</a>.</p>"),
    ]
    var (model, screen) = try makeModel(book)
    model.handle(.last, now: 0)
    _ = text(model, &screen)
    let progress = model.pager.progress
    func follow(_ count: Int) {
      for _ in 0..<count { model.handle(.key(.tab, []), now: 0) }
      model.handle(.key(.enter, []), now: 0)
    }
    follow(2)
    #expect(text(model, &screen).contains("─ Note 7 ─") && text(model, &screen).contains("A note."))
    model.handle(.key(.escape, []), now: 0)
    follow(1)
    #expect(text(model, &screen).contains("North") && text(model, &screen).contains("The Map"))
    #expect(model.pager.progress.position == progress.position && model.pager.progress.fraction == progress.fraction)
    model.handle(.next, now: 0)
    #expect(text(model, &screen).contains("This part ends here; o goes back."))
    model.handle(.prev, now: 0)
    #expect(text(model, &screen).contains("North"))
    follow(1)
    #expect(text(model, &screen).contains("More of it"))
    for expected in ["North", "See the map"] {
      model.handle(.back, now: 0)
      #expect(text(model, &screen).contains(expected))
    }
    follow(1)
    _ = text(model, &screen)
    follow(1)
    _ = text(model, &screen)
    follow(1)
    #expect(text(model, &screen).contains("Chapter 1 paragraph 1:"))
    #expect(model.pager.anchor.spineIndex == 0 && model.pager.left == nil)
  }

  /// The contents may lead out of the spine, too.
  @Test func contentsLeadToTheAppendix() throws {
    var book = EPUBWriter.numbered(chapters: 1, paragraphs: 3)
    book.appendix = [.init(name: "map", title: "The Map", body: "<p>North.</p>")]
    book.moreContents = [("The Map", "map.xhtml")]
    var (model, screen) = try makeModel(book)
    for key in [TerminalEvent.Key.character("c"), .down, .enter] { model.handle(.key(key, []), now: 0) }
    #expect(text(model, &screen).contains("North.") && model.pager.outline.isAppendix(model.pager.anchor.spineIndex))
    model.handle(.back, now: 0)
    #expect(text(model, &screen).contains("Chapter 1 paragraph 1:"))
  }

  /// A note alone: without the arrow back, with its sign, its blanks not widened.
  @Test func aPopupIsSetForReading() throws {
    var book = EPUBWriter()
    let words = String(repeating: "extraordinary circumstances ", count: 8)
    book.chapters = [
      .init(
        name: "text", title: "Text",
        body: "<p>Text.\u{200B}<a epub:type=\"noteref\" href=\"#n\">12</a></p><ol>"
          + "<li epub:type=\"endnote\" id=\"n\"><p>\(words). <a role=\"doc-backlink\" href=\"#x\">↩︎</a></p></li></ol>")
    ]
    var (model, screen) = try makeModel(book)
    _ = text(model, &screen)
    model.handle(.key(.tab, []), now: 0)
    model.handle(.key(.enter, []), now: 0)
    #expect(text(model, &screen).contains("╭─ Note 12 ─"))
    guard case .text(let panel, _) = model.overlay else {
      Issue.record("no popup")
      return
    }
    #expect(!panel.lines.contains { $0.text.contains("  ") || $0.text.contains("↩") })
    #expect(panel.lines.count > 2)
  }

  /// Titles around the page are put into the order of the screen as the page is.
  @Test(arguments: [
    (ReaderSettings.Bidi.auto, false, "תישארב רפס"), (.auto, true, "בראשית ספר"), (.reorder, true, "תישארב רפס"),
    (.words, false, "בראשית ספר"), (.terminal, false, "ספר בראשית"),
  ])
  func titlesReadFromTheRight(_ bidi: ReaderSettings.Bidi, _ turnsWords: Bool, _ expected: String) throws {
    var book = EPUBWriter.numbered(chapters: 1, paragraphs: 3)
    book.title = "ספר בראשית"
    let content = try PublicationContent(path: folder.write(book.bytes(), to: "book.epub"))
    var settings = ReaderSettings()
    settings.bidi = bidi
    let model = ReaderModel(
      content: content, settings: settings, depth: .truecolor, window: (24, 80), turnsWords: turnsWords)
    var screen = Screen(columns: 80, rows: 24, depth: .truecolor)
    model.draw(on: &screen)
    #expect(screen.text(ofRow: 0).contains(expected))
  }

  /// "Last page of the chapter" is said where the rest of it does not follow on the next one.
  @Test func theChapterEndsWhereTheNextBegins() throws {
    var book = EPUBWriter()
    func paragraphs(_ count: Int) -> String { String(repeating: "<p>A line.</p>", count: count) }
    book.chapters = [
      .init(
        name: "c", title: "One",
        body: "<h3 id=\"a\">One</h3>\(paragraphs(24))<h3 id=\"b\">Two</h3>\(paragraphs(60))")
    ]
    book.moreContents = [("Two", "c.xhtml#b")]
    var (model, screen) = try makeModel(book)
    while model.work() {}
    #expect(text(model, &screen).contains("1 page left in the chapter"))
    #expect(model.pager.pagesLeftInChapter == 1)
    model.handle(.next, now: 0)
    let shown = text(model, &screen)
    // The second page ends the first chapter and begins the next, which is then the one that is counted.
    #expect(shown.contains("Two") && model.pager.pagesLeftInChapter == model.pager.layout.pageCount - 2)
  }

  @Test func aClickOnALinkFollowsItAndTurnsNothing() throws {
    var (model, screen) = try makeModel(notes())
    _ = text(model, &screen)
    let box = model.links.items[0].cells[0]
    model.handle(.mouse(.init(action: .press(0), row: box.row, column: box.column)), now: 0)
    #expect(text(model, &screen).contains("The aside of one."))
    #expect(!model.takeEffects().contains(.moved))
  }

  @Test(arguments: [
    ("7", "7 / "), ("100%", " pages left"), ("0", "There is no page 0"), ("99999", "There is no page 99999"),
    ("-1", "-1 is no page"), ("x", "x is no page"), ("101%", "expected 0% to 100%"), ("nan%", "nan% is no page"),
    ("99999999999999999999", "There is no page 99999999999999999999"), ("", "1 / "),
  ])
  func pagesThatAreTyped(typed: String, expected: String) throws {
    var (model, screen) = try makeModel(.numbered(chapters: 4, paragraphs: 40))
    model.handle(.key(.character(":"), []), now: 0)
    model.handle(.paste(typed), now: 0)
    model.handle(.key(.enter, []), now: 0)
    let shown = text(model, &screen)
    if typed == "100%" {
      #expect(model.pager.fraction == 1)
    } else {
      #expect(shown.contains(expected))
    }
  }

  @Test func openingAndClosingChangesNothing() throws {
    let (model, _) = try makeModel(.numbered(chapters: 2, paragraphs: 20))
    for scalar in ["?", "c", "i", "s"] as [Unicode.Scalar] {
      model.handle(.key(.character(scalar), []), now: 0)
      model.handle(.key(.escape, []), now: 0)
    }
    model.resize(rows: 10, columns: 30)
    #expect(model.takeEffects().isEmpty)
  }

  @Test func marksCanBeSetListedAndRemoved() throws {
    var (model, screen) = try makeModel(.numbered(chapters: 2, paragraphs: 40))
    model.handle(.next, now: 0)
    model.handle(.key(.character("m"), []), now: 0)
    #expect(text(model, &screen).contains("◆ 2 / "))
    model.handle(.first, now: 0)
    model.handle(.key(.character("'"), []), now: 0)
    #expect(text(model, &screen).contains("╭─ Marks"))
    model.handle(.key(.enter, []), now: 0)
    #expect(text(model, &screen).contains("◆ 2 / "))
    model.handle(.key(.character("m"), []), now: 0)
    let effects = model.takeEffects()
    #expect(effects.count { if case .addMark = $0 { true } else { false } } == 1)
    #expect(effects.count { if case .removeMark = $0 { true } else { false } } == 1)
    #expect(model.marks.isEmpty)
  }

  @Test func everySettingCanBeStepped() throws {
    var (model, screen) = try makeModel(.numbered(chapters: 1, paragraphs: 20))
    model.handle(.key(.character("s"), []), now: 0)
    for _ in SettingsFile.keys {
      for key in [TerminalEvent.Key.right, .right, .left, .enter, .down] {
        model.handle(.key(key, []), now: 0)
        #expect(text(model, &screen).contains("Settings"))
      }
    }
    #expect(model.takeEffects().contains { if case .setting = $0 { true } else { false } })
    let listing = SettingsFile.listing(model.settings)
    #expect(try SettingsFile.parse(listing, path: "x") == model.settings)
  }

  @Test func inBooksFromRightToLeftTheLeftGoesOn() throws {
    var book = EPUBWriter.numbered(chapters: 1, paragraphs: 40)
    book.direction = "rtl"
    book.language = "he"
    let (model, _) = try makeModel(book)
    model.handle(.key(.left, []), now: 0)
    #expect(model.pager.page == 1)
    model.handle(.key(.right, []), now: 0)
    #expect(model.pager.page == 0)
    model.handle(.next, now: 0)
    #expect(model.pager.page == 1)
    model.handle(.mouse(.init(action: .press(0), row: 5, column: 2)), now: 0)
    #expect(model.pager.page == 2)
  }

  /// Whatever is pressed in windows of any size: no trap, nothing outside of the window, no place out of the book.
  @Test func nothingThatIsPressedBreaksIt() throws {
    let keys: [TerminalEvent.Key] = [
      .enter, .tab, .escape, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace, .delete,
      .function(1), .function(3),
    ]
    let letters = Array("jknpbflhgG][JKHLouvct/.,:0123456789m'MsT+-=i?".unicodeScalars)
    for seed in 0..<25 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var (model, screen) = try makeModel(seed % 2 == 0 ? notes() : .numbered(chapters: 3, paragraphs: 12))
      for step in 0..<250 {
        let now = UInt64(step) * 50_000
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          let (rows, columns) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...160, using: &random))
          screen.resize(columns: columns, rows: rows)
          model.resize(rows: rows, columns: columns)
        case 1:
          let command = Command.standard.randomElement(using: &random)!
          model.handle(command, now: now)
        case 2:
          let (row, column) = (Int.random(in: 0..<60, using: &random), Int.random(in: 0..<200, using: &random))
          let action: TerminalEvent.MouseEvent.Action =
            [.press(0), .wheelDown, .wheelUp, .press(2)].randomElement(using: &random)!
          model.handle(.mouse(.init(action: action, row: row, column: column)), now: now)
        case 3:
          _ = model.work()
        case 4, 5, 6:
          model.handle(.key(keys.randomElement(using: &random)!, []), now: now)
        default:
          model.handle(.key(.character(letters.randomElement(using: &random)!), []), now: now)
        }
        model.advance(to: now)
        model.draw(on: &screen)
        #expect(model.pager.outline.item(at: model.pager.anchor.spineIndex) != nil)
        #expect((0...1).contains(model.pager.fraction))
      }
    }
  }
}
