import Glibc
import TestSupport
import Testing

@testable import reader

@Suite(.serialized) struct InteractiveTests {
  private let folder = TestFolder()

  private func makeBook(chapters: Int = 3, paragraphs: Int = 40) -> String {
    folder.write(EPUBWriter.numbered(chapters: chapters, paragraphs: paragraphs).bytes(), to: "book.epub")
  }

  @Test func opensTurnsAndResumes() throws {
    let book = makeBook()
    var page = ""
    do {
      let terminal = try TerminalProcess([book], folder: folder)
      terminal.wait("the first page and all counts") { $0.text(23).contains(" 1 / ") && !$0.text(23).contains("…") }
      #expect(terminal.model.text(0).contains("A Book"))
      #expect(terminal.model.screen.contains("Chapter 1 paragraph 1:"))
      terminal.type(" ")
      terminal.wait(forText: "2 / ")
      terminal.type("\u{1B}[C")
      terminal.wait(forText: "3 / ")
      page = terminal.model.text(3)
      terminal.type("q")
      #expect(terminal.waitForEnd()?.exitCode == 0)
      terminal.expectRestored("q")
    }
    let terminal = try TerminalProcess([book], folder: folder)
    terminal.wait(forText: "3 / ")
    #expect(terminal.model.text(3) == page)
    terminal.type("p")
    terminal.wait(forText: "2 / ")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE])
  func theTerminalIsGivenBackOn(signal: Int32) throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait(forText: "1 / ")
    terminal.type(" ")
    terminal.wait(forText: "2 / ")
    #expect(terminal.model.modes.isSuperset(of: [1049, 1004, 1006, 2004]))
    terminal.process.send(signal)
    #expect(terminal.waitForEnd()?.endingSignal == signal)
    terminal.expectRestored("signal \(signal)")
  }

  @Test(arguments: ["q", "\u{3}", "?q\u{1B}[27uq"])
  func keysThatLeave(keys: String) throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait(forText: "1 / ")
    terminal.type(keys)
    #expect(terminal.waitForEnd()?.exitCode == 0)
    terminal.expectRestored("\(keys)")
  }

  @Test func stopsAndContinues() throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait(forText: "1 / ")
    // The session's leader has nobody who could continue it, so Ctrl-Z only draws anew; a signal stops it for good.
    terminal.process.send(SIGSTOP)
    #expect(terminal.waitForEnd(WUNTRACED)?.isStopped == true)
    terminal.process.send(SIGCONT)
    terminal.type(" ")
    terminal.wait(forText: "2 / ")
    terminal.type("\u{1A}")
    terminal.wait("the screen again after Ctrl-Z") { $0.modes.contains(1049) && $0.screen.contains("2 / ") }
    terminal.type(" ")
    terminal.wait(forText: "3 / ")
  }

  @Test func anyWindowKeepsThePlace() throws {
    let terminal = try TerminalProcess([makeBook(chapters: 2, paragraphs: 60)], folder: folder)
    terminal.wait(forText: "1 / ")
    terminal.type("    ")
    terminal.wait(forText: "5 / ")
    let first = terminal.model.text(2)
    for (columns, rows) in [(1, 1), (2, 2), (200, 60), (7, 3), (40, 10), (1, 50), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      terminal.wait("a page of \(columns) x \(rows)") { model in
        rows < 3 || columns < 12 ? !model.screen.allSatisfy { $0.isWhitespace } : model.screen.contains("/ ")
      }
    }
    terminal.wait(forText: "5 / ")
    #expect(terminal.model.text(2) == first)
    // What was on its way when the window became smaller lies outside of it.
    #expect(terminal.model.faults.allSatisfy { $0.hasPrefix("outside") })
  }

  @Test func mouseAndWheel() throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait(forText: "1 / ")
    terminal.type("\u{1B}[<0;70;10M\u{1B}[<0;70;10m")
    terminal.wait(forText: "2 / ")
    terminal.type("\u{1B}[<65;40;10M")
    terminal.wait(forText: "3 / ")
    terminal.type("\u{1B}[<0;3;10M\u{1B}[<0;3;10m")
    terminal.wait(forText: "2 / ")
    terminal.type("\u{1B}[<0;40;10M\u{1B}[<0;40;10m")
    terminal.wait(forText: "Contents  Search")
    terminal.type("\u{1B}[<0;40;10M\u{1B}[<0;40;10m")
    terminal.wait("the controls are gone") { !$0.screen.contains("Contents  Search") }
  }

  @Test func contentsSearchAndPages() throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait("all pages counted") { $0.text(23).contains("1 / ") && !$0.text(23).contains("…") }
    terminal.type("c")
    terminal.wait(forText: "╭─ Contents")
    terminal.type("\u{1B}[B\u{1B}[B\r")
    terminal.wait("chapter 3") { $0.text(0).contains("Chapter 3") && !$0.screen.contains("╭") }
    terminal.type("o")
    terminal.wait(forText: "1 / ")
    terminal.type("/chapter 2 PARAGRAPH 33\r")
    terminal.wait(forText: "Chapter 2 paragraph 33")
    terminal.type("\r")
    terminal.wait("the page of the result") { $0.text(0).contains("Chapter 2") && !$0.screen.contains("╭") }
    #expect(terminal.model.screen.contains("paragraph 33:"))
    terminal.type("999\r")
    terminal.wait(forText: "There is no page 999: this book has pages 1 to ")
    terminal.type(":2\r")
    terminal.wait(forText: "2 / ")
    #expect(terminal.model.faults.isEmpty)
  }

  @Test func afterAllWorkIsDoneAnswersAndSearchesStillWork() throws {
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    terminal.wait("all pages counted") { $0.text(23).contains("1 / ") && !$0.text(23).contains("…") }
    terminal.type("/paragraph 39\r")
    terminal.wait(forText: "“paragraph 39”  3")
    terminal.type("\u{1B}[27u")
    // Late answers of the terminal change how pictures are shown, and with that all pages.
    terminal.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c")
    terminal.type(" ")
    terminal.wait("all pages counted again") { $0.text(23).contains("2 / ") && !$0.text(23).contains("…") }
  }

  @Test func aHostileBookSendsNoCommands() throws {
    var book = EPUBWriter()
    book.title = "Evil \u{9B}2J\u{9D}0;owned\u{9C} \u{202E}txet\u{7F}"
    book.authors = [String(repeating: "A very long name ", count: 5000)]
    book.chapters = [
      .init(
        name: "c1", title: "One \u{9B}31m" + String(repeating: "x", count: 20000),
        body: "<p>&#155;2J&#x9d;0;owned&#x9c; \u{202E}gnirts \u{90}q#0\u{9C} end of text</p>")
    ]
    let path = folder.write(book.bytes(), to: "book.epub")
    let terminal = try TerminalProcess([path], folder: folder)
    // The override turned the text round, in the reader and not in the terminal.
    terminal.wait(forText: "txet fo dne")
    terminal.type("ci")
    terminal.wait(forText: "Contents")
    terminal.type("\u{1B}[27ui")
    terminal.wait(forText: "About this book")
    #expect(terminal.model.faults.isEmpty)
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(
      !text.unicodeScalars.contains { (0x80..<0xA0).contains($0.value) || $0.value == 0x202E || $0.value == 0x7F })
  }

  @Test func killedWhileTurningItKnowsALatePlace() throws {
    let book = makeBook(chapters: 4, paragraphs: 100)
    do {
      let terminal = try TerminalProcess([book], folder: folder)
      terminal.wait(forText: "1 / ")
      for _ in 0..<10 { terminal.type(" ") }
      terminal.wait(forText: "11 / ")
      terminal.process.send(SIGKILL)
      #expect(terminal.waitForEnd()?.endingSignal == SIGKILL)
    }
    // Whatever had been written is whole; the first turn, at least, was written at once or not at all.
    let terminal = try TerminalProcess([book], folder: folder)
    terminal.wait("a page") { $0.screen.contains("Chapter") && $0.text(23).contains(" / ") }
    terminal.type("q")
    #expect(terminal.waitForEnd()?.exitCode == 0)
    terminal.expectRestored("after a kill")
  }

  @Test func aMistakeInTheSettingsIsToldAndTheBookOpens() throws {
    folder.write(Array("them = dark\n".utf8), to: ".config/pagerd/reader.conf")
    let terminal = try TerminalProcess([makeBook()], folder: folder, columns: 160)
    terminal.wait(forText: "reader.conf:1: no setting `them`")
    terminal.type("\u{1B}[C")
    terminal.wait("the next page") { $0.screen.contains("paragraph") }
    terminal.type("q")
    #expect(terminal.waitForEnd()?.exitCode == 0)
  }

  @Test func aLibraryThatCannotBeWrittenIsNamedAndReadingGoesOn() throws {
    let terminal = try TerminalProcess(
      [makeBook()], folder: folder, environment: ["XDG_DATA_HOME": "/proc/nowhere"])
    terminal.wait(forText: "the place is not saved")
    terminal.type(" ")
    terminal.wait(forText: "2 / ")
  }
}
