import Document
import Markup
import Testing

/// Documents that were made to hurt, and honest ones with bits flipped: bounded time, no crash.
@Suite(.serialized) struct HostileTests {
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "div", "span", "b", "blockquote", "ul", "li", "table", "ruby", "a", "aside", "sup", "q", "x:y", "math", "svg",
      "pre", "p", "section", "object",
    ], [1000, 10_000])
  func deepNesting(_ element: String, _ depth: Int) {
    let source =
      "<html><body>" + String(repeating: "<\(element)>", count: depth) + "text"
      + String(repeating: "</\(element)>", count: depth)
      + "</body></html>"
    for closed in [source, String(source.prefix(source.utf8.count / 2))] {
      let document = DocumentReader.read(Array(closed.utf8))
      #expect(document.length <= depth + 24)
      #expect(document.blocks.count <= depth + 1)
    }
  }

  /// Each drawing carries its page's sheets along, which must not cost the one times the other.
  @Test(.timeLimit(.minutes(1)))
  func manySheetsAndManyDrawings() {
    let sheet = "<style>" + String(repeating: "a{b:c}", count: 2500) + "</style>"
    let source =
      "<html><head>" + String(repeating: sheet, count: 400) + "</head><body>"
      + String(repeating: "<p><svg aria-label='d'><path/></svg></p>", count: 5000) + "</body></html>"
    #expect(DocumentReader.read(Array(source.utf8)).blocks.count == 5000)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["div", "span"])
  func deepestNesting(_ element: String) { deepNesting(element, 100_000) }

  @Test(.timeLimit(.minutes(1)))
  func deepTablesStayTables() {
    let depth = 2000
    let source =
      String(repeating: "<table><tr><td>a</td><td>", count: depth) + "x"
      + String(repeating: "</td></tr></table>", count: depth)
    let document = read(source)
    #expect(document.length == depth + 1)
    var level = 0
    var blocks = document.blocks
    while case .table(let table)? = blocks.first(where: { if case .table = $0.content { true } else { false } })?
      .content
    {
      level += 1
      blocks = table.rows.last?.cells.last?.blocks ?? []
    }
    #expect(level == 3)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      String(repeating: "<a xmlns='x'>", count: 10_000), String(repeating: "</b>", count: 40_000),
      String(repeating: "<div>", count: 6000) + String(repeating: "</x>", count: 100_000),
      String(repeating: "<p a='1'", count: 10_000), String(repeating: "<", count: 60_000),
      String(repeating: "&", count: 60_000), String(repeating: "<!--", count: 20_000),
      String(repeating: "<![CDATA[", count: 20_000),
      "<p " + (0..<20_000).map { "a\($0)='x'" }.joined(separator: " ") + ">x</p>",
      (0..<40_000).map { "<e\($0)/>" }.joined(), String(repeating: "<ol><li>", count: 5000),
      String(repeating: "<p id='x'><a href='#x'>1</a>", count: 20_000),
      String(repeating: "<ruby>a<rt>b", count: 20_000), "<p>" + String(repeating: "<br/>", count: 20_000) + "</p>",
      String(repeating: "<script>", count: 10_000), String(repeating: "<svg><text>", count: 20_000),
      "<math>" + String(repeating: "<mfrac><mi>a</mi>", count: 20_000),
      String(repeating: "<select><option>", count: 20_000), String(repeating: "<p>\u{0}", count: 10_000),
    ])
  func floods(_ body: String) {
    let document = DocumentReader.read(Array("<html><body>\(body)</body></html>".utf8))
    #expect(document.length <= body.unicodeScalars.count + 10)
  }

  /// Text without an end is many blocks that read as one.
  @Test(
    .timeLimit(.minutes(1)), arguments: ["x", "word ", "漢", "<b>w</b> "],
    ["p", "pre", "p style='text-transform:uppercase'"])
  func endlessParagraphs(_ piece: String, _ element: String) {
    let name = element.prefix { $0 != " " }
    let document = read("<\(element)>" + String(repeating: piece, count: 60_000) + "</\(name)><p>end</p>")
    var end = 0
    for block in document.blocks {
      #expect(block.range.lowerBound == end && block.range.count <= 2 * 65_536 + 8)
      end = block.range.upperBound
    }
    #expect(end == document.length && document.blocks.count <= 8)
    let shown = offsets(document).map(\.1)
    #expect(shown.first == 0 && shown.last == document.length - 1)
    #expect(document.blocks.dropFirst().dropLast().allSatisfy { $0.style.textIndent == 0 && $0.style.marginTop == 0 })
  }

  @Test(.timeLimit(.minutes(1)))
  func deepSelectorsOverDeepTrees() {
    let body = String(repeating: "<div>", count: 5000) + "x" + String(repeating: "</div>", count: 5000)
    let style =
      "div div div div div div p{display:none} div > div ~ div div + div{color:red} * * * * *::before{content:'x'}"
    #expect(read(body, style: style).length == 1)
  }

  /// A seeded generator: the same faults every time.
  struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  private static let seeds = [
    "<html><head><style>@import 'x'; p.a > b:first-child::before{content:counter(c) 'x';margin:1em 2%} @media screen{ul{list-style:lower-roman}}</style></head><body><h1 id='t'>Title &amp; <i>more</i></h1><p class='a'>Text<a href='#n1' epub:type='noteref'>1</a><br/>x&nbsp;y</p><ol start='3'><li>a<ul><li>b</li></ul></li></ol><table><caption>c</caption><tr><th colspan='2'>h</th></tr><tr><td>1</td><td>2</td></tr></table><aside id='n1' epub:type='footnote'><p>n</p></aside></body></html>",
    "<!DOCTYPE html [<!ENTITY e 'v&e2;'><!ENTITY e2 'w'>]><html lang='ja'><body><ruby><rb>漢</rb><rt>かん</rt></ruby>&e;<math><mfrac><mi>a</mi><msup><mi>x</mi><mn>2</mn></msup></mfrac></math><svg><title>s</title><image xlink:href='a.png'/></svg><pre>\ta\n b</pre><dl><dt>t</dt><dd>d</dd></dl><img src='i' alt='x'/><hr/><q>a<q>b</q></q><audio src='s'/><object data='o'><p>f</p></object></body></html>",
  ]

  @Test(.timeLimit(.minutes(2)), arguments: 0..<40)
  func mutations(_ seed: Int) {
    var random = Random(state: UInt64(seed) &* 977 &+ 5)
    for _ in 0..<25 {
      var bytes = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: bytes[place...].prefix(30), at: Int.random(in: 0...bytes.count, using: &random))
        case 3: bytes[place] = Array("<>&'\"{};:()/ \n".utf8).randomElement(using: &random) ?? 0
        default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let resources = DocumentReader.Resources(styleSheet: { [bytes] _, _ in (bytes, "x") }, resolve: { $0 })
      let document = DocumentReader.read(bytes, resources: resources)
      check(document)
      for id in document.anchors.keys.prefix(2) { _ = DocumentReader.note(id: id, in: bytes, resources: resources) }
    }
  }

  /// What holds of every document.
  private func check(_ document: Document) {
    for block in document.blocks {
      #expect(block.range.lowerBound >= 0 && block.range.upperBound <= document.length)
      #expect(block.style.marginLeft >= 0 && block.style.listDepth >= 0)
    }
    for offset in document.anchors.values { #expect((0...document.length).contains(offset)) }
    for (_, offset) in offsets(document) { #expect((0...document.length).contains(offset)) }
    var last = 0
    for (_, offset) in offsets(document)
    where !document.blocks.contains(where: { if case .table = $0.content { true } else { false } }) {
      #expect(offset >= last || offset >= 0)
      last = offset
    }
  }
}
