import Glibc
import TestSupport
import Testing

@testable import reader

/// The reader as a client of pagerd.
@Suite(.serialized) struct PageTurnerTests {
  private let folder = TestFolder()

  private func makeBook() -> String {
    folder.write(EPUBWriter.numbered(chapters: 3, paragraphs: 40).bytes(), to: "book.epub")
  }

  @Test func claimsTurnsAndGivesUp() throws {
    let pagerd = try FakePagerd(folder: folder)
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    try pagerd.accept()
    try pagerd.expect(#""type":"subscribe""#, #""role":"reader""#)
    // Its group is the foreground group of its terminal.
    try pagerd.expect(#""type":"focus""#, "true")
    pagerd.send(#"{"type":"active","value":true,"devices":["AB Shutter3","Evil \u001b[2J"]}"#)
    terminal.wait(forText: "● AB Shutter3, Evil  [2J")
    pagerd.send(command: "next")
    terminal.wait(forText: "2 / ")
    pagerd.send(command: "next")
    pagerd.send(command: "next")
    terminal.wait(forText: "4 / ")
    pagerd.send(command: "prev")
    terminal.wait(forText: "3 / ")
    pagerd.send(command: "next", age: 2_000_000)
    pagerd.send(command: "next-chapter")
    terminal.wait("chapter 2") { $0.text(0).contains("Chapter 2") }
    pagerd.send(command: "back")
    terminal.wait(forText: "3 / ")
    pagerd.send(command: "toggle")
    terminal.wait(forText: "Contents  Search")
    pagerd.send(command: "custom:lamp")
    pagerd.send(command: "toggle")
    pagerd.send(command: "last")
    terminal.wait("the last page") { $0.text(0).contains("Chapter 3") }
    pagerd.send(command: "first")
    terminal.wait(forText: "1 / ")
    terminal.type("\u{1B}[O")
    try pagerd.expect(#""type":"focus""#, "false")
    pagerd.send(#"{"type":"active","value":false,"devices":[]}"#)
    terminal.wait("the quiet sign") { $0.text(23).contains("◐") }
    terminal.type("\u{1B}[I")
    try pagerd.expect(#""type":"focus""#, "true")
    // The daemon dies and comes back: the claim is made again.
    pagerd.drop()
    terminal.wait("the sign of absence") { $0.text(23).contains("○") }
    try pagerd.accept()
    try pagerd.expect(#""type":"focus""#, "true")
    terminal.type("q")
    #expect(terminal.waitForEnd()?.exitCode == 0)
    terminal.expectRestored("q")
    #expect(terminal.model.faults.isEmpty)
  }

  @Test func commandsScrollWhatLiesOverThePage() throws {
    let pagerd = try FakePagerd(folder: folder)
    let terminal = try TerminalProcess([makeBook()], folder: folder)
    try pagerd.accept()
    try pagerd.expect(#""type":"focus""#)
    terminal.wait(forText: "1 / ")
    terminal.type("?")
    terminal.wait(forText: "╭─ Keys")
    pagerd.send(command: "next")
    pagerd.send(command: "back")
    terminal.wait("the page alone") { !$0.screen.contains("╭") }
    #expect(terminal.model.screen.contains("1 / "))
  }
}
