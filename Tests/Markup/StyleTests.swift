import Document
import Markup
import Testing

/// The style sheets: what matches, what wins, what it does.
@Suite struct StyleTests {
  /// A selector, and which of the elements below it hides.
  @Test(arguments: [
    ("p", "b c d f g h i"), ("*.x", "b h"), (".x", "b h"), ("#one", "b"), ("p.x.y", "h"), ("div p", "c d f"),
    ("div > p", "c d"),
    ("div>p:first-child", "c"), ("p + p", "d h i"), ("p ~ p", "d g h i"), ("div + p", "g"), ("section p", "f"),
    ("div section > p", "f"),
    ("p:last-child", "f i"), ("p:nth-child(2)", "d"), ("p:nth-child(odd)", "b c f g i"), ("p:nth-child(2n+3)", "g i"),
    ("p:nth-last-child(1)", "f i"), ("p:first-of-type", "b c f"), ("p:last-of-type", "d f i"), ("p:only-child", "f"),
    ("p:nth-of-type(3)", "h"), ("[title]", "c"), ("[title='a b']", "c"), ("[title~=b]", "c"), ("[title^='a']", "c"),
    ("[title$='b']", "c"), ("[title*=' ']", "c"), ("[lang|=en]", "d"), ("p:lang(en)", "d"), ("p:not(.x)", "c d f g i"),
    ("p:not(.x):not([title])", "d f g i"), (":is(#one, .y)", "b h"), ("[epub|type~='z:v']", "g"),
    ("[epub\\:type]", "g"),
    ("P", "b c d f g h i"), ("p:empty", ""), ("body > p:nth-last-of-type(2)", "h"), ("div p, #one", "b c d f"),
    ("p:hover", ""), ("p::first-line", ""), ("p, p:unknown", ""), ("p..x", ""), ("> p", ""), ("", ""),
    ("p:nth-child(-n+2)", "b c d f"),
    ("html body p.x", "b h"), (":root p", "b c d f g h i"), ("*|p", "b c d f g h i"), ("svg|p", "b c d f g h i"),
    ("p[title='A B' i]", "c"),
  ])
  func selectors(_ selector: String, _ hidden: String) {
    let body =
      "<p class='x' id='one'>b</p><div><p title='a b'>c</p><p lang='en-US'>d</p><section><p>f</p></section></div>"
      + "<p epub:type='z:w z:v'>g</p><p class='x y'>h</p><p>i</p>"
    // The section holds one paragraph and is no sibling of paragraphs behind it.
    let shown = lines(
      read(body, style: "@namespace epub 'http://www.idpf.org/2007/ops'; \(selector) { display: none }"))
    let expected = ["b", "c", "d", "f", "g", "h", "i"].filter { !hidden.split(separator: " ").contains(Substring($0)) }
    #expect(shown == expected, "\(selector)")
  }

  /// Rules, and whether the paragraph ends up italic.
  @Test(arguments: [
    ("p{font-style:italic}", true), ("p{font-style:italic} p{font-style:normal}", false),
    ("#i{font-style:italic} p{font-style:normal}", true), (".c{font-style:italic} p{font-style:normal}", true),
    ("p{font-style:italic!important} #i{font-style:normal}", true),
    ("body p{font-style:italic} p{font-style:normal}", true),
    ("p{font-style:italic;font-style:banana}", true), ("p{font-style:italic;;color:red}", true),
    ("p{color:;font-style:italic}", true),
    ("p{font:italic bold 12px/1.5 serif}", true), ("body{font-style:italic}", true),
    ("body{font-style:italic} p{font-style:initial}", false),
    ("body{font-style:italic} div{font-style:normal} p{font-style:inherit}", true),
    ("@media screen{p{font-style:italic}}", true),
    ("@media print{p{font-style:italic}}", false), ("@media not print{p{font-style:italic}}", true),
    ("@media (min-width:300px){p{font-style:italic}}", true),
    ("@media (max-width:300px){p{font-style:italic}}", false), ("@media amzn-kf8{p{font-style:italic}}", false),
    ("@media screen and (min-width:10em), print{@media all{p{font-style:italic}}}", true),
    ("@font-face{x:y} p{font-style:italic}", true),
    ("@charset 'x'; p{font-style:italic}", true), ("@page{margin:0} p{font-style:italic}", true),
    ("/* p{} */ p{/**/font-style:/**/italic}", true),
    ("<!-- p{font-style:italic} -->", true), ("p{font-style:italic", true), ("p{{font-style:italic}", false),
    ("} p{font-style:italic}", true),
    ("@supports not (x:y){p{font-style:italic}}", true), ("@layer a{p{font-style:italic}}", true),
    ("p{-epub-font-style:italic}", true),
    ("p{FONT-STYLE:ITALIC}", true), ("\\70{font-style:italic}", true), ("p{font-style:italic}garbage{", true),
    ("@import 'x.css'; p{font-style:italic}", true),
    ("p{font-style:oblique}", true), ("p{background:url(a;b{c);font-style:italic}", true),
    ("p{content:'}';font-style:italic}", true),
  ])
  func cascade(_ style: String, _ isItalic: Bool) {
    let document = read("<p class='c' id='i'>x</p>", style: style)
    #expect(styles(document)["x"]?.contains(.italic) == isItalic, "\(style)")
  }

  @Test func styleAttributeAndUserSheet() {
    let body = "<p style='font-style:italic'>x</p>"
    #expect(styles(read(body, style: "p{font-style:normal}"))["x"] == .italic)
    #expect(styles(read(body, style: "p{font-style:normal!important}"))["x"] == [])
    #expect(styles(read(body, user: "p{font-style:normal}"))["x"] == [])
    #expect(styles(read("<p style='font-style:italic!important'>x</p>", user: "p{font-style:normal}"))["x"] == [])
  }

  /// Declaration on a span, its style.
  @Test(arguments: [
    ("font-weight:bold", TextStyle.bold), ("font-weight:700", .bold), ("font-weight:400", TextStyle()),
    ("font-variant:small-caps", .smallCaps),
    ("font-variant-caps:all-small-caps", .smallCaps), ("text-decoration:underline", .underline),
    ("text-decoration:line-through", .strikethrough),
    ("vertical-align:super", .superscript), ("vertical-align:sub", .subscript), ("vertical-align:0.5em", .superscript),
    ("font-family:'Courier New',monospace", .code),
    ("font:bold 1em serif", .bold), ("color:red", TextStyle()),
  ])
  func spanStyles(_ declaration: String, _ expected: TextStyle) {
    #expect(styles(read("<p>a<span style=\"\(declaration)\">x</span></p>"))["x"] ?? [] == expected)
  }

  @Test(arguments: [
    ("b", TextStyle.bold), ("strong", .bold), ("i", .italic), ("em", .italic), ("cite", .italic), ("u", .underline),
    ("del", .strikethrough),
    ("sup", .superscript), ("sub", .subscript), ("code", .code), ("mark", .mark), ("small", TextStyle()),
  ])
  func elementStyles(_ element: String, _ expected: TextStyle) {
    #expect(styles(read("<p>a<\(element)>x</\(element)></p>"))["x"] ?? [] == expected)
    let reset = "sup,sub{vertical-align:baseline;position:relative} b{font-weight:normal}"
    let kept: TextStyle = element == "b" ? [] : expected
    #expect(styles(read("<p>a<\(element)>x</\(element)></p>", style: reset))["x"] ?? [] == kept)
  }

  /// Declaration, what becomes of "hello wORLD it's 1st".
  @Test(arguments: [
    ("uppercase", "HELLO WORLD IT'S 1ST"), ("lowercase", "hello world it's 1st"),
    ("capitalize", "Hello WORLD It's 1st"),
    ("full-width", "ｈｅｌｌｏ ｗＯＲＬＤ ｉｔ＇ｓ １ｓｔ"), ("none", "hello wORLD it's 1st"),
  ])
  func transforms(_ transform: String, _ expected: String) {
    #expect(lines(read("<p style='text-transform:\(transform)'>hello wORLD it's 1st</p>")) == [expected])
  }

  @Test func transformsByLanguageAndAcrossElements() {
    #expect(lines(read("<p style='text-transform:uppercase' lang='tr'>iı</p>")) == ["İI"])
    #expect(lines(read("<p style='text-transform:capitalize'>ab<b>cd</b> <i>ef</i></p>")) == ["Abcd Ef"])
  }

  @Test(arguments: [
    ("normal", " a  b\n c ", "a b c"), ("nowrap", " a  b\n c ", "a b c"), ("pre", " a  b\nc", "| a  b⏎c"),
    ("pre-wrap", " a  b\nc", "| a  b⏎c"),
    ("pre-line", " a  b\n c ", "a b⏎c"),
  ])
  func whiteSpace(_ value: String, _ text: String, _ expected: String) {
    #expect(lines(read("<div style='white-space:\(value)'>\(text)</div>")) == [expected])
  }

  /// A float at the right that ends a line goes to its far edge; one that begins it stays where it is.
  @Test func floatsAtTheRight() {
    let document = read(
      "<p>dust.<span class='n'>30</span></p><p><span class='n'>31</span> Frisch</p>", style: ".n {float: right}")
    #expect(lines(document) == ["dust.  30", "31 Frisch"])
    #expect(styles(document)["30"] == .farEnd && styles(document)["31"] != .farEnd)
  }

  @Test func hiddenText() {
    #expect(
      lines(read("<p>a<span style='visibility:hidden'>b<i style='visibility:visible'>c</i></span></p>")) == ["ac"])
    #expect(lines(read("<p>a</p><p class='n'>b</p><p>c</p>", style: ".n{display:none}")) == ["a", "c"])
    #expect(lines(read("<p>a <b style='display:block'>b</b> c</p>")) == ["a", "b", "c"])
    #expect(lines(read("<div style='display:inline'>a</div><div style='display:inline'>b</div>")) == ["ab"])
  }

  @Test func blockStyles() {
    let style =
      ".a{text-align:center;text-indent:2em;margin:1em 2em 3em 4em} .b{page-break-before:always} .c{break-after:page}"
    let blocks = read("<p>0</p><p class='a'>1</p><p class='b'>2</p><p class='c'>3</p><p>4</p>", style: style).blocks
    #expect(blocks[0].style.alignment == nil && blocks[0].style.textIndent == nil && blocks[0].style.marginTop == nil)
    let styled = blocks[1].style
    #expect(styled.alignment == .center && styled.textIndent == 2 && styled.marginTop == 1 && styled.marginBottom == 3)
    #expect(styled.marginLeft == 4 && styled.marginRight == 2)
    #expect(blocks.map(\.style.breakBefore) == [.auto, .auto, .page, .auto, .page])
  }

  @Test(arguments: [
    ("margin-left:24px", 1.5), ("margin-left:24pt", 2), ("margin-left:10%", 4), ("margin-left:auto", 0),
    ("padding-left:1em", 1),
    ("margin:0 0 0 1e9em", 16), ("margin-left:-5em", 0), ("margin-left:calc(1em + 2px)", 0), ("margin-left:1in", 6),
    ("margin-left:2ex", 1),
  ])
  func lengths(_ declaration: String, _ expected: Double) {
    #expect(read("<p style='\(declaration)'>x</p>").blocks[0].style.marginLeft == expected)
  }

  @Test func marginsAddAndCollapse() {
    let style = "div{margin:2em 1em} p{margin:1em 0} blockquote{margin-left:3em}"
    let blocks = read("<div><div><p>a</p></div><p>b</p></div><blockquote><p>c</p></blockquote>", style: style).blocks
    #expect(blocks.map(\.style.marginLeft) == [2, 1, 0])
    #expect(blocks.map(\.style.marginTop) == [2, 1, 1])
    #expect(blocks.map(\.style.marginBottom) == [2, 2, 1])
  }

  @Test func linesOfVerseStandClose() {
    let blocks = read("<div><div>April is the cruellest month</div><div>Lilacs out of</div></div>").blocks
    #expect(blocks.map(\.style.marginTop) == [0, 0])
    #expect(blocks.map(\.style.textIndent) == [0, 0])
    let long = String(repeating: "long words of a paragraph ", count: 10)
    #expect(read("<div>\(long)</div><div>\(long)</div>").blocks.map(\.style.marginTop) == [nil, nil])
  }

  @Test func verticalTextIsSetAcross() {
    let style = "html{writing-mode:vertical-rl} p{margin:2em 1em 0 5em}"
    let block = read("<p>a</p>", style: style).blocks[0]
    #expect(block.style.marginLeft == 2 && block.style.marginTop == 1 && block.style.marginBottom == 5)
  }

  @Test func boxesAndBreaksInside() {
    let blocks = read("<aside>a</aside><p>b</p>", style: "aside{border:1px solid;break-inside:avoid}").blocks
    #expect(blocks.map(\.style.isBoxed) == [true, false])
    #expect(blocks.map(\.style.breakInside) == [.avoid, .auto])
    #expect(read("<p>a</p>", style: "p{border-bottom:1px solid}").blocks[0].style.isBoxed == false)
  }

  /// A frame around all of a chapter is none of its parts.
  @Test(arguments: [
    ("body", "<p>a</p>", false), ("html", "<p>a</p>", false), ("div", "<div><p>a</p><p>b</p></div>", false),
    (".in", "<section><div class='in'><p>a</p></div></section>", false), ("div", "<div><p>a</p></div><p>b</p>", true),
    ("table", "<p>a</p><table><tr><td>b</td></tr></table>", false), ("aside", "<aside>a</aside>", true),
    (".in", "<div><div class='in'>a</div><p>b</p></div>", true),
  ])
  func framesAroundChapters(_ selector: String, _ body: String, _ isBoxed: Bool) {
    let blocks = read(body, style: "\(selector) {border: 1px solid}").blocks
    #expect(blocks.contains { $0.style.isBoxed } == isBoxed)
  }

  // MARK: Linked sheets

  @Test func linkedAndImportedSheets() {
    let sheets = [
      "a.css": "@import url(b.css); @import 'print.css' print; i{font-style:normal}",
      "b.css": "@import 'a.css'; p{font-weight:bold}",
      "print.css": "p{display:none}",
    ]
    let resources = DocumentReader.Resources(
      styleSheet: { address, _ in sheets[address].map { (Array($0.utf8), address) } }, resolve: { $0 })
    let source =
      "<?xml-stylesheet href='a.css' type='text/css'?><html xmlns='http://www.w3.org/1999/xhtml'><head><link rel='stylesheet' href='gone.css'/>"
      + "<link rel='alternate stylesheet' href='print.css'/><link rel='stylesheet' href='print.css' media='print'/></head><body><p>x<i>y</i></p></body></html>"
    let document = DocumentReader.read(Array(source.utf8), resources: resources)
    #expect(styles(document) == ["xy": .bold] || styles(document) == ["x": .bold, "y": .bold])
    #expect(document.warnings == ["style sheet gone.css cannot be read"])
  }

  // MARK: Hostile sheets

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      String(repeating: "a ", count: 100_000) + "{display:none}", String(repeating: "* ", count: 20) + "{color:red}",
      String(repeating: "*~", count: 15) + "*{display:none}", String(repeating: "{", count: 100_000),
      String(repeating: "@media screen{", count: 20_000),
      String(repeating: "p:not(", count: 10_000), "p{content:'" + String(repeating: "x", count: 1 << 20) + "'}",
      String(repeating: "p{color:red}", count: 100_000), "p{margin:" + String(repeating: "9", count: 10_000) + "em}",
      "p:nth-child(99999999999999999999n+99999999999999999999){x:y}",
      "*::before{content:'" + String(repeating: "y", count: 1000) + "'}",
      "*{counter-increment:a 999999999 b -999999999}*::after{content:counter(a,upper-roman)}",
      "\u{0}\u{1}\u{FFFD}p{", "p{x:\\", "@import", "@import url(", "/*", "'", "p{quotes:'a'}", "<!--", "\\", "#", ".",
      "@", "p[", "p[a=", "p:", "p::", "u+",
    ])
  func hostileSheets(_ style: String) {
    let body = String(repeating: "<div><p>a</p><p>b</p>", count: 300) + String(repeating: "</div>", count: 300)
    let document = read(body, style: style)
    #expect(document.length == 600)
    #expect(document.blocks.count >= 0 && document.blocks.count < 3000)
  }

  @Test(.timeLimit(.minutes(1)))
  func endlessImports() {
    let resources = DocumentReader.Resources(
      styleSheet: { address, _ in
        (Array("@import '\(address)1'; @import '\(address)2'; p{font-weight:bold}".utf8), address)
      },
      resolve: { $0 })
    let source = "<html><head><link rel='stylesheet' href='a'/></head><body><p>x</p></body></html>"
    let document = DocumentReader.read(Array(source.utf8), resources: resources)
    #expect(styles(document) == ["x": .bold])
    #expect(document.warnings.contains("the document has more style sheets than are read"))
  }
}
