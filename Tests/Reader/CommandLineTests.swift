import Glibc
import TestSupport
import Testing

@testable import reader

@Suite struct CommandLineTests {
  private let folder = TestFolder()

  private func makeBook() -> String {
    var book = EPUBWriter()
    book.title = "Tea \"and\" Time"
    book.authors = ["Ann A.", "Bob"]
    book.chapters = [
      .init(
        name: "one", title: "One", body: "<h1>One</h1><p>It’s the “first” day.</p><p id=\"late\">A later place.</p>"),
      .init(name: "two", title: "Two", body: "<p>Second <b>chap</b>ter.</p>"),
      .init(name: "extra", title: nil, body: "<p>Aside.</p>", isLinear: false),
    ]
    book.moreContents = [("Late", "one.xhtml#late")]
    return folder.write(book.bytes(), to: "book.epub")
  }

  private func run(_ arguments: String...) throws -> (output: String, complaints: String, status: Int32) {
    try PipedProcess.run(arguments, folder: folder)
  }

  @Test func textOfOnePageAndOfAll() throws {
    let book = makeBook()
    let first = try run("text", book)
    #expect(first.output.contains("One") && first.output.contains("It’s the “first” day."))
    #expect(first.output.hasSuffix("\n") && !first.output.contains("\u{0C}"))
    #expect(try run("text", book, "--page", "1").output == first.output)
    #expect(try run("text", "--page=2", book).output == "Second chapter.\n")
    #expect(try run("text", book, "--all").output == first.output + "\u{0C}Second chapter.\n")
    let lines = first.output.split(separator: "\n")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test func theInfoHasTheDesignsShape() throws {
    let info = try run("info", makeBook(), "--json")
    #expect(info.status.exitCode == 0)
    #expect(
      info.output == """
        {"title":"Tea \\"and\\" Time","authors":["Ann A.","Bob"],"language":"en","identifier":"urn:test:1",\
        "publisher":null,"date":null,"description":null,"cover":null,"direction":"default","spine":[\
        {"href":"OEBPS/one.xhtml","linear":true,"title":"One"},{"href":"OEBPS/two.xhtml","linear":true,"title":"Two"},\
        {"href":"OEBPS/extra.xhtml","linear":false,"title":null}],"toc":[\
        {"title":"One","href":"OEBPS/one.xhtml","level":1,"page":1},\
        {"title":"Two","href":"OEBPS/two.xhtml","level":1,"page":2},\
        {"title":"Late","href":"OEBPS/one.xhtml#late","level":1,"page":1}],"pages":2,"stablePages":1,"warnings":[]}

        """)
  }

  /// A damaged picture keeps nobody from the text, and is named.
  @Test func theInfoNamesDamagedFiles() throws {
    let book = TestPaths.shared + "/cases/epub/71-crc-error-in-image.epub"
    try #require(access(book, R_OK) == 0, "shared test material is missing: \(book)")
    let json = try run("info", book, "--json")
    #expect(json.status.exitCode == 0)
    #expect(json.output.hasSuffix(#""warnings":["OEBPS/p.png: damaged: the checksum differs"]}\#n"#), "\(json.output)")
    #expect(try run("info", book).output.contains("warning:"))
  }

  @Test func aSearchCrossesMarkupAndFoldsQuotes() throws {
    let book = makeBook()
    let found = try run("search", book, "it's the \"FIRST\"", "--json").output
    #expect(found.contains(#""match":"It’s the “first”","after":" day.""#))
    #expect(found.contains(#""page":1,"chapter":"One","spineIndex":0,"href":"OEBPS/one.xhtml""#))
    #expect(try run("search", book, "chapter").output == "2: Second chapter.\n")
    #expect(try run("search", book, "--regex", "S[a-z]+D", "--case").output == "")
    let wrong = try run("search", book, "--regex", "(")
    #expect(wrong.status.exitCode == 1 && wrong.complaints.contains("regular expression"))
  }

  @Test func showHasStylesAndNothingElse() throws {
    let shown = try run("show", makeBook(), "--page", "2")
    #expect(shown.output.contains("Second"))
    var model = EmulatorModel(columns: 80, rows: 24)
    model.take(Array(shown.output.utf8))
    #expect(model.faults.isEmpty)
  }

  @Test(arguments: [
    (["text", "BOOK", "--page", "3"], 1, "there is no page 3; this book has pages 1 to 2 at this size"),
    (["text", "BOOK", "--page", "0"], 1, "there is no page 0; this book has pages 1 to 2 at this size"),
    (["text", "BOOK", "--page", "-9223372036854775808"], 1, "there is no page -9223372036854775808"),
    (["text", "BOOK", "--page", "x"], 2, "--page needs a number, not `x`"),
    (["text", "BOOK", "--page"], 2, "--page needs a number"),
    (["text", "BOOK", "--width", "0"], 2, "--width is 1 to 10000"),
    (["text", "BOOK", "--all", "--page", "1"], 2, "--all and --page exclude each other"),
    (["text"], 2, "expected `reader text BOOK`"),
    (["text", "BOOK", "more"], 2, "`more` is one argument too many"),
    (["text", "BOOK", "--pge", "1"], 2, "no option --pge; did you mean --page?"),
    (["text", "BOOK", "--json"], 2, "--json does not belong to this command"),
    (["text", "/no/such/book.epub"], 1, "/no/such/book.epub: open failed: No such file or directory"),
    (["text", "/dev/null"], 1, "/dev/null"),
    (["search", "BOOK"], 2, "expected `reader search BOOK TERM`"),
    (["search", "BOOK", " "], 1, "nothing to look for"),
  ])
  func errorsAreOneLine(arguments: [String], code: Int32, message: String) throws {
    let book = makeBook()
    let result = try PipedProcess.run(arguments.map { $0 == "BOOK" ? book : $0 }, folder: folder)
    #expect(result.status.exitCode == code)
    #expect(result.output.isEmpty)
    #expect(result.complaints.contains(message))
    #expect(result.complaints.hasPrefix("reader: "))
    #expect(result.complaints.split(separator: "\n").count == 1)
  }

  @Test func helpAndVersion() throws {
    #expect(try run("--version").output == Usage.version + "\n")
    #expect(try run("--help").output == Usage.text)
    #expect(Usage.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func settingsAreReadAndFaultsNamed() throws {
    folder.write(Array("# mine\ntheme = sepia\n".utf8), to: ".config/pagerd/reader.conf")
    #expect(try run("config").output.contains("theme = sepia\n"))
    folder.write(Array("margin = 2\nthem = dark\n".utf8), to: ".config/pagerd/reader.conf")
    let wrong = try run("config")
    #expect(wrong.status.exitCode == 1)
    #expect(wrong.complaints.contains("reader.conf:2: no setting `them`; did you mean `theme`?"))
  }
}
