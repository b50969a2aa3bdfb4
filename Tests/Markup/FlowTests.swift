import Document
import Markup
import Testing

/// Elements to blocks.
@Suite struct FlowTests {
  /// Body, the lines that are shown.
  @Test(arguments: [
    ("<p>a</p><p>b</p>", ["a", "b"]), ("a<p>b</p>c", ["a", "b", "c"]), ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
    ("<p>a <b> b</b> c</p>", ["a b c"]), ("<p>a<br/>b<br/></p>", ["a⏎b"]), ("<p>a <br/> b</p>", ["a⏎b"]),
    ("<p>Word1<br/>Word2 tail<br/>Word3</p>", ["Word1⏎Word2 tail⏎Word3"]), ("<p><br/></p>", ["\u{a0}"]),
    ("<p>日本\n語</p>", ["日本語"]), ("<p>日本 語</p>", ["日本 語"]), ("<p>한국\n어</p>", ["한국 어"]), ("<p>a\n本</p>", ["a 本"]),
    ("<p>100&#160;€</p>", ["100\u{a0}€"]), ("<p>w&nbsp;domu</p>", ["w\u{a0}domu"]),
    ("<p>a</p><hr/><p>b</p>", ["a", "----", "b"]), ("<p>x<sup>2</sup></p>", ["x2"]),
    ("<p>a<script>x</script><style>y</style>b</p>", ["ab"]), ("<p hidden='hidden'>a</p><p>b</p>", ["b"]),
    ("<p>a<img src='x.png' alt='X'/>b</p>", ["a{x.png|X}b"]), ("<p><img src='x.png'/></p>", ["{x.png|-}"]),
    ("<div><img src='a'/> <img src='b' alt=''/></div>", ["{a|-}", "{b|}"]),
    ("<p><img alt='only words'/></p>", ["only words"]),
    ("<p>a<q>b<q>c</q></q></p>", ["a“b‘c’”"]), ("<p lang='fr'><q>b</q></p>", ["«\u{a0}b\u{a0}»"]),
    ("<pre>a\n  b\tc</pre>", ["|a⏎  b     c"]), ("<pre>\nfirst\n</pre>", ["|first"]),
    ("<dl><dt>T</dt><dd>D</dd></dl>", ["T", "D"]), ("<details><summary>S</summary>t</details>", ["S", "t"]),
    ("<p>a<wbr/>b</p>", ["a\u{200B}b"]), ("<p>one<!-- x -->two</p>", ["onetwo"]),
    ("<p>a</p> <p/> <p>b</p>", ["a", "b"]),
    ("<audio src='s/a.mp3' controls='controls'>none</audio>", ["[Audio: a.mp3]"]),
    ("<p>see <video><source src='v.mp4'/>none</video></p>", ["see [Video: v.mp4]"]),
    ("<iframe src='x.html' title='Map'/>", ["[Embedded: Map]"]),
    ("<object data='x.swf'><p>fall</p></object>", ["fall"]),
    ("<object data='x.png' type='image/png'>alt</object>", ["{x.png|alt}"]),
    ("<object data='x.pdf' type='application/pdf'/>", ["[Embedded: x.pdf]"]),
    ("<picture><source srcset='b.webp'/><img src='a.png' alt='A'/></picture>", ["{a.png|A}"]),
    (
      "<epub:switch><epub:case required-namespace='urn:x'>no</epub:case><epub:default>yes</epub:default></epub:switch>",
      ["yes"]
    ),
    (
      "<epub:switch><epub:case required-namespace='http://www.w3.org/1998/Math/MathML'><math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math></epub:case><epub:default>no</epub:default></epub:switch>",
      ["x"]
    ),
    ("<noscript>words</noscript>", ["words"]), ("<select><option>no</option></select><p>a</p>", ["a"]),
    ("<p>fi<b>rst</b> <i>sec</i>ond</p>", ["first second"]), ("<center>c</center>", ["c"]),
    ("<p><img src='a'/><br/>caption <b>x</b><br/>more<br/><img src='b'/></p>", ["{a|-}", "caption x⏎more", "{b|-}"]),
    ("<a href='x'><p>block in link</p></a>", ["block in link"]), ("<p>a<span> </span>b</p>", ["a b"]),
  ])
  func shows(_ body: String, _ expected: [String]) { #expect(lines(read(body)) == expected) }

  @Test(arguments: [
    ("<h1>a</h1>", Block.Role.heading(level: 1)), ("<h6>a</h6>", .heading(level: 6)),
    ("<div role='heading' aria-level='3'>a</div>", .heading(level: 3)), ("<blockquote><p>a</p></blockquote>", .quote),
    ("<ul><li>a</li></ul>", .listItem), ("<ul><li><p>a</p></li></ul>", .listItem), ("<pre>a</pre>", .code),
    ("<figure><img src='x'/></figure>", .body), ("<figcaption>a</figcaption>", .caption),
    ("<dl><dt>a</dt></dl>", .definitionTerm),
    ("<p>* * *</p>", .sceneBreak), ("<p>⁂</p>", .sceneBreak), ("<p>— — —</p>", .sceneBreak), ("<p>*</p>", .sceneBreak),
    ("<p>—</p>", .body),
    ("<p>1 * 2</p>", .body), ("<div epub:type='z3998:verse'><p>a</p></div>", .verse),
    ("<div class='poem'><p>a</p></div>", .verse),
    ("<aside epub:type='footnote'><p>a</p></aside>", .note), ("<summary>a</summary>", .label),
    ("<video src='x' title='a'/>", .label),
  ])
  func roles(_ body: String, _ role: Block.Role) { #expect(read(body).blocks.first?.role == role) }

  @Test func quotesAndListsNest() {
    let document = read(
      "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><ol><li>c<ul><li>d</li></ul></li></ol>")
    #expect(document.blocks.map(\.style.quoteDepth) == [1, 2, 0, 0])
    #expect(document.blocks.map(\.style.listDepth) == [0, 0, 1, 2])
    #expect(document.blocks.map(\.marker) == [nil, nil, "1.", "•"])
  }

  @Test func linksAndImagesInThem() {
    let document = read(
      "<p><a href=' c.xhtml#x '>go <b>there</b></a><a href='javascript:x()'>no</a></p><a href='u'><img src='i'/></a>")
    guard case .text(let text)? = document.blocks.first?.content else {
      Issue.record("no text")
      return
    }
    #expect(text.runs.map(\.link?.target) == ["c.xhtml#x", "c.xhtml#x", nil])
    guard case .image(let image)? = document.blocks.last?.content else {
      Issue.record("no image")
      return
    }
    #expect(image.link?.target == "u")
  }

  @Test func imageSizes() {
    guard case .image(let image)? = read("<img src='i' width='120' height='40px' title='t'/>").blocks.first?.content
    else {
      Issue.record("no image")
      return
    }
    #expect(image.width == 120 && image.height == 40 && image.title == "t" && !image.isInline)
  }

  @Test func titleLanguageDirection() {
    let source =
      "<html xmlns='http://www.w3.org/1999/xhtml' lang='he' dir='rtl'><head><title>T</title></head><body><p lang='en' dir='ltr'>a</p><p>b <i lang='fr'>c</i></p></body></html>"
    let document = DocumentReader.read(Array(source.utf8))
    #expect(document.title == "T" && document.language == "he" && document.direction == .rightToLeft)
    #expect(document.blocks[0].style.language == "en" && document.blocks[0].style.direction == .leftToRight)
    #expect(document.blocks[1].style.language == nil && document.blocks[1].style.direction == nil)
    guard case .text(let text) = document.blocks[1].content else { return }
    #expect(text.runs.map(\.language) == [nil, "fr"])
    #expect(read("<h2>Head <b>line</b></h2><p>x</p>").title == "Head line")
    #expect(read("<p>a</p>", root: "xml:lang='ar'").direction == .auto)
  }

  // MARK: Tables

  @Test(arguments: [
    ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", ["a | b", "1 | 2"]),
    (
      "<table><caption>C <b>d</b></caption><thead><tr><td>a</td><td>b</td></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
      ["cap C d", "H a | b", "1 | 2"]
    ),
    ("<table><tr><td>a</td><td/><td>c</td></tr></table>", ["a |  | c"]),
    ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", ["a/b | c"]),
    ("<table><tr><td>only</td></tr><tr><td>column</td></tr></table>", ["only", "column"]),
    ("<table><tr><td>a</td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>", ["a | x | y"]),
    ("<table>stray<tr><td>a</td><td>b</td></tr></table>", ["stray", "a | b"]),
    ("<table><td>a</td><td>b</td></table>", ["a", "b"]),
    ("<table style='display:block'><tr><td>a</td><td>b</td></tr></table>", ["a", "b"]),
    ("<table><tr hidden='hidden'><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", ["c | d"]),
  ])
  func tables(_ body: String, _ expected: [String]) { #expect(lines(read(body)) == expected) }

  /// A footer ends its table wherever it is written; rows behind a header's group are none of it.
  @Test(arguments: [
    (
      "<tfoot><tr><td>foot</td><td>1</td></tr></tfoot><tbody><tr><td>a</td><td>2</td></tr></tbody>",
      ["a | 2", "foot | 1"]
    ),
    ("<thead><tr><th>h</th><th>i</th></tr></thead><tr><td>a</td><td>b</td></tr>", ["H h | i", "a | b"]),
    ("<tr><td>a</td><td>b</td></tr><thead><tr><td>h</td><td>i</td></tr></thead>", ["a | b", "H h | i"]),
  ])
  func groupsOfRows(_ rows: String, _ expected: [String]) {
    #expect(lines(read("<table>\(rows)</table>")) == expected)
  }

  @Test func spans() {
    let document = read(
      "<table><tr><td colspan='2' rowspan='3'>a</td><td colspan='0' rowspan='-1'>b</td><td colspan='99999999999'>c</td></tr></table>"
    )
    guard case .table(let table)? = document.blocks.first?.content else {
      Issue.record("no table")
      return
    }
    #expect(table.rows[0].cells.map(\.columnSpan) == [2, 1, 100])
    #expect(table.rows[0].cells.map(\.rowSpan) == [3, 1, 1])
  }

  // MARK: Ruby

  @Test(arguments: [
    ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"), ("<ruby><rb>漢</rb><rt>かん</rt></ruby>", "漢(かん)"),
    ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)"),
    ("<ruby><rb>漢</rb><rb>字</rb><rt>かん</rt><rt>じ</rt></ruby>", "漢(かん)字(じ)"),
    ("<ruby>\n<rb>漢</rb>\n<rt>かん</rt>\n</ruby>です", "漢(かん)です"), ("<ruby>漢<b>字</b><rt>かんじ</rt></ruby>", "漢字(かんじ)"),
    ("<ruby>漢<rt></rt></ruby>字", "漢字"), ("前<ruby>漢字<rt> かん じ </rt></ruby>後", "前漢字(かん じ)後"),
    ("<ruby>漢<rtc>chn</rtc></ruby>", "漢(chn)"),
  ])
  func ruby(_ body: String, _ expected: String) { #expect(lines(read("<p>\(body)</p>")) == [expected]) }

  // MARK: Formulas

  @Test(arguments: [
    ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "a/b"), ("<msup><mi>x</mi><mn>2</mn></msup>", "x²"),
    ("<msqrt><mi>x</mi></msqrt>", "√x"), ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a + b)"),
    ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a + 1)/b"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", "∛x"),
    ("<msub><mi>a</mi><mn>10</mn></msub>", "a₁₀"), ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "xᵢ²"),
    ("<msup><mi>e</mi><mrow><mo>-</mo><mi>Ω</mi></mrow></msup>", "e^(-Ω)"),
    ("<mi>x</mi><mo>=</mo><mo>-</mo><mn>1</mn>", "x = -1"),
    ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"), ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u{305}"),
    (
      "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>",
      "[1 2; 3 4]"
    ),
    ("<semantics><mi>x</mi><annotation>no</annotation></semantics>", "x"),
  ])
  func formulas(_ markup: String, _ expected: String) {
    #expect(lines(read("<p><math xmlns='http://www.w3.org/1998/Math/MathML'>\(markup)</math></p>")) == [expected])
  }

  @Test func displayedFormulasStandAlone() {
    let math = "<math xmlns='http://www.w3.org/1998/Math/MathML' display='block' alttext='y'><mi>x</mi></math>"
    #expect(lines(read("<p>a \(math) b</p>")) == ["a", "x", "b"])
    #expect(lines(read("<math xmlns='http://www.w3.org/1998/Math/MathML' alttext='words'/>")) == ["words"])
  }

  // MARK: Drawings

  @Test func coverInADrawing() {
    let svg =
      "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='600'><image xlink:href='c.jpg'/></svg>"
    #expect(lines(read("<div>\(svg)</div>")) == ["{c.jpg|-}"])
  }

  @Test func drawnDrawing() {
    let document = read(
      "<svg xmlns='http://www.w3.org/2000/svg'><title>A &amp; B</title><path d='M0 0'/><text>w</text></svg>")
    guard case .image(let image)? = document.blocks.first?.content else {
      Issue.record("no image")
      return
    }
    #expect(image.alt == "A & B" && image.source.hasPrefix("data:image/svg+xml;base64,"))
    #expect(document.length == 7)
  }

  /// What a page's sheet says of a drawing goes with it.
  @Test func drawingsTakeTheirSheetAlong() {
    let document = read(
      "<div><svg xmlns='http://www.w3.org/2000/svg'><path class='c' d='M0 0'/></svg></div>",
      style: ".c > * {fill: green} p::after {content: '<'}")
    guard case .image(let image)? = document.blocks.first?.content else {
      Issue.record("no image")
      return
    }
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
      + "<style>.c > * {fill: green} p::after {content: '&lt;'}</style><path class=\"c\" d=\"M0 0\"/></svg>"
    #expect(image.source == "data:image/svg+xml;base64," + Self.base64(drawing))
  }

  private static func base64(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var result = ""
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
      let value = group[0] << 16 | group[1] << 8 | group[2]
      for place in 0..<4 {
        result.append(start + place <= bytes.count ? digits[value >> (18 - 6 * place) & 63] : "=")
      }
    }
    return result
  }
}
