import Document
import Search
import Testing

@Suite struct SearchTests {
  private func document(_ texts: String...) -> Document {
    var offset = 0
    var blocks: [Block] = []
    for text in texts {
      let end = offset + text.unicodeScalars.count
      blocks.append(
        Block(content: .text(InlineText(runs: [.init(text: text, offsets: .from(offset))])), range: offset..<end))
      offset = end
    }
    return Document(blocks: blocks, length: offset)
  }

  private func found(_ text: String, _ query: String, _ options: SearchQuery.Options = []) throws -> [String] {
    var searcher = try Searcher(SearchQuery(query, options: options))
    return try searcher.matches(in: document(text)).map(\.text)
  }

  @Test(arguments: [
    ("Call me Ishmael.", "ishmael", "Ishmael"),
    ("“It’s a whale”", "\"it's a WHALE\"", "“It’s a whale”"),
    ("a well–known ship", "well-known", "well–known"),
    ("Ge\u{AD}samt\u{AD}konzept", "gesamtkonzept", "Gesamtkonzept"),
    ("nada más", "mas", "más"),
    ("nada ma\u{301}s", "mas", "ma\u{301}s"),
    ("nada ma\u{301}s", "MÁS", "ma\u{301}s"),
    ("Straße", "STRASSE", "Straße"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("the ﬁrst", "first", "ﬁrst"),
    ("one\u{A0}two", "one  two", "one\u{A0}two"),
    ("一二三四", "二三", "二三"),
    ("ＡＢＣ", "abc", "ＡＢＣ"),
    ("wait…", "wait...", "wait…"),
    ("co\u{200B}operate", "cooperate", "co\u{200B}operate"),
  ])
  func `finds what a person means`(text: String, query: String, expected: String) throws {
    #expect(try found(text, query) == [expected])
  }

  @Test(
    arguments: [
      ("Ahab AHAB", "Ahab", [.matchCase], ["Ahab"]),
      ("más mas", "mas", .matchDiacritics, ["mas"]),
      ("worship a ship; ships", "ship", .wholeWords, ["ship"]),
      ("1851 and 1852", "18\\d\\d", .regularExpression, ["1851", "1852"]),
      ("Whale whale", "WHALE", .regularExpression, ["Whale", "whale"]),
      ("Whale whale", "whale", [.regularExpression, .matchCase], ["whale"]),
      ("aaaa", "aa", [], ["aa", "aa"]),
      ("abc", "x*", .regularExpression, []),
      ("größer", "gr.{2}er", .regularExpression, ["größer"]),
    ] as [(String, String, SearchQuery.Options, [String])])
  func `options`(text: String, query: String, options: SearchQuery.Options, expected: [String]) throws {
    #expect(try found(text, query, options) == expected)
  }

  @Test func `a phrase is found across runs, with its place in the source`() throws {
    let text = InlineText(runs: [
      .init(text: "the wh", offsets: .from(100)), .init(text: "ite wh", style: .italic, offsets: .from(106)),
      .init(text: "ale", offsets: .from(112)),
    ])
    let document = Document(blocks: [Block(content: .text(text), range: 100..<115)], length: 115)
    var searcher = try Searcher(SearchQuery("white whale"))
    let match = try #require(try searcher.matches(in: document).first)
    #expect(match.range == 104..<115)
    #expect(match.before == "the ")
    #expect(match.text == "white whale")
  }

  @Test func `a match does not span blocks and comes in reading order`() throws {
    var searcher = try Searcher(SearchQuery("ab"))
    let matches = try searcher.matches(in: document("xab", "a", "b", "ab"))
    #expect(matches.map(\.range) == [1..<3, 5..<7])
  }

  @Test func `tables, captions and alternative texts are searched`() throws {
    func block(_ text: String, _ offset: Int) -> Block {
      Block(
        content: .text(InlineText(runs: [.init(text: text, offsets: .from(offset))])), range: offset..<(offset + 1))
    }
    let table = Table(
      caption: InlineText(runs: [.init(text: "key one", offsets: .from(0))]),
      rows: [.init(cells: [.init(blocks: [block("a key", 10)])])])
    let image = Block(content: .image(ImageReference(source: "k.png", alt: "rusty key")), range: 30..<31)
    let document = Document(
      blocks: [Block(content: .table(table), range: 0..<20), image], length: 40, notes: ["n": [block("key note", 25)]])
    var searcher = try Searcher(SearchQuery("key"))
    #expect(try searcher.matches(in: document).map(\.range.lowerBound) == [0, 12, 25, 30])
  }

  @Test func `no more than the limit`() throws {
    var searcher = try Searcher(SearchQuery("a"))
    #expect(try searcher.matches(in: document("aaaa", "aaaa"), limit: 3).count == 3)
  }

  @Test(arguments: ["", "  ", "\u{AD}"]) func `nothing to look for`(query: String) {
    #expect(throws: SearchError.empty) { try SearchQuery(query) }
  }

  @Test func `a wrong expression says where`() throws {
    #expect(throws: SearchError.badExpression(reason: "missing closing parenthesis", position: 5)) {
      let query = try SearchQuery("é(abc", options: .regularExpression)
      _ = try Searcher(query).self
    }
  }

  @Test func `an expression that explodes ends with an error`() throws {
    let query = try SearchQuery("(a+)+$", options: .regularExpression)
    var searcher = try Searcher(query)
    #expect(throws: SearchError.tooExpensive) {
      _ = try searcher.matches(in: document(String(repeating: "a", count: 5000) + "b"))
    }
  }

  @Test func `a query of absurd length is refused`() {
    #expect(throws: SearchError.tooLong) { try SearchQuery(String(repeating: "a", count: 1001)) }
  }
}
