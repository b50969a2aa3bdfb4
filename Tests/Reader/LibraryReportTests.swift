import Document
import Shelf
import TestSupport
import Testing

@testable import reader

/// Reports about places that other readers lost, with a terminal and a library.
@Suite struct LibraryReportTests {
  private let folder = TestFolder()

  /// Opens a book, presses keys, waits for a label, leaves.
  private func read(_ book: String, _ keys: String, until label: String) throws {
    let terminal = try TerminalProcess([book], folder: folder)
    terminal.wait("its page and all counts") { $0.text(23).contains(" / ") && !$0.text(23).contains("…") }
    if !keys.isEmpty { terminal.type(keys) }
    terminal.wait(forText: label)
    terminal.type("q")
    #expect(terminal.waitForEnd()?.exitCode == 0)
  }

  /// Ten times opened and left without reading: the same place and share, to the last digit.
  @Test func openingAndClosingTenTimes() throws {
    let book = folder.write(EPUBWriter.numbered(chapters: 3, paragraphs: 40).bytes(), to: "book.epub")
    let identity = try PublicationContent(path: book).outline.identity
    let library = try DataFolder.libraryPath { $0 == "HOME" ? folder.path : nil }
    try read(book, "   ", until: "4 / ")
    let before = try #require(try Shelf.peek(path: library, identity: identity))
    for _ in 0..<10 { try read(book, "", until: "4 / ") }
    let after = try #require(try Shelf.peek(path: library, identity: identity))
    #expect(after.position == before.position && after.fraction == before.fraction)
  }

  /// Two books that share a dc:identifier are two: neither takes the other's place over.
  @Test func twoBooksWithOneIdentifier() throws {
    var books: [String] = []
    for (title, count) in [("First", 40), ("Second", 50)] {
      var book = EPUBWriter.numbered(chapters: 2, paragraphs: count)
      book.title = title
      books.append(folder.write(book.bytes(), to: "\(title).epub"))
    }
    try read(books[0], "  ", until: "3 / ")
    try read(books[1], "", until: "1 / ")
    try read(books[1], " ", until: "2 / ")
    try read(books[0], "", until: "3 / ")
    try read(books[1], "", until: "2 / ")
  }
}
