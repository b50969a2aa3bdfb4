import ReaderIPC
import Terminal
import TestSupport
import Testing

@testable import reader

/// Every shared book, leafed through by the screen itself. Says so when the shared files are not there.
@Suite struct CorpusTests {
  /// The books and the faulty ones; the conformance suites are read by the tests of Publication.
  static let books =
    (SharedFiles.list("corpus/epub", ending: ".epub") + SharedFiles.list("cases/epub", ending: ".epub"))
    .filter { path in !["/w3c/", "/conform/", "/ocf/"].contains { path.contains($0) } }

  @Test(.enabled(if: !books.isEmpty, "the shared books are not beside this checkout"), arguments: books)
  func everyBookOpensOrSaysWhyNot(path: String) throws {
    let content: PublicationContent
    do throws(ReaderError) {
      content = try PublicationContent(path: path)
    } catch {
      #expect(error.description.contains(path) && !error.description.contains("\n"))
      return
    }
    let model = ReaderModel(
      content: content, settings: ReaderSettings(), depth: .truecolor, window: (rows: 24, columns: 80))
    var screen = Screen(columns: 80, rows: 24, depth: .truecolor)
    for command in [.next, .nextChapter, .prev, .last, .prev, .first] as [Command] {
      model.handle(command, now: 0)
      model.draw(on: &screen)
    }
    for (rows, columns) in [(6, 20), (24, 80)] {
      screen.resize(columns: columns, rows: rows)
      model.resize(rows: rows, columns: columns)
      model.draw(on: &screen)
    }
    var output: [UInt8] = []
    screen.render(into: &output)
    var terminal = EmulatorModel(columns: 80, rows: 24)
    terminal.take(output)
    #expect(terminal.faults.isEmpty)
  }
}
