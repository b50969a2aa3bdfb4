import Document
import Markup
import Testing

/// Markers, counters and generated content.
@Suite struct ListTests {
  @Test(arguments: [
    ("<ul><li>a</li><li>b</li></ul>", ["• a", "• b"]), ("<ol><li>a</li><li>b</li></ol>", ["1. a", "2. b"]),
    ("<ol start='3'><li>a</li><li value='9'>b</li><li>c</li></ol>", ["3. a", "9. b", "10. c"]),
    ("<ol reversed='reversed'><li>a</li><li>b</li></ol>", ["2. a", "1. b"]),
    ("<ol type='a'><li>a</li><li>b</li></ol>", ["a. a", "b. b"]), ("<ol type='I'><li>a</li></ol>", ["I. a"]),
    ("<ol start='banana'><li>a</li></ol>", ["1. a"]),
    ("<ol start='99999999999999999999'><li>a</li></ol>", ["1. a"]),
    ("<ul><li>a<ul><li>b<ul><li>c<ul><li>d</li></ul></li></ul></li></ul></li></ul>", ["• a", "◦ b", "▪ c", "▪ d"]),
    ("<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol>", ["1. a", "1. b", "2. c"]),
    ("<ol><li><p>a</p><p>b</p></li></ol>", ["1. a", "b"]), ("<ol><li><ol><li>a</li></ol></li></ol>", ["1. ", "1. a"]),
    ("<ul style='list-style:none'><li>a</li></ul>", ["a"]),
    ("<ul style='list-style-type:square'><li>a</li></ul>", ["▪ a"]),
    ("<ul style=\"list-style-type:'→'\"><li>a</li></ul>", ["→ a"]),
    ("<ol style='list-style: lower-roman inside'><li>a</li><li>b</li></ol>", ["i. a", "ii. b"]),
    ("<p style='display:list-item'>a</p>", ["• a"]), ("<ol><li/><li>b</li></ol>", ["1. ", "2. b"]),
    ("<ol><li>a</li></ol><ol><li>b</li></ol>", ["1. a", "1. b"]), ("<li>a</li>", ["• a"]),
    ("<ol><li style='display:none'>a</li><li>b</li></ol>", ["1. b"]),
  ])
  func markers(_ body: String, _ expected: [String]) { #expect(lines(read(body)) == expected) }

  /// Style, value, what it looks like.
  @Test(arguments: [
    ("decimal-leading-zero", 7, "07."), ("decimal-leading-zero", 12, "12."), ("lower-roman", 1994, "mcmxciv."),
    ("upper-roman", 4000, "4000."), ("lower-alpha", 27, "aa."),
    ("upper-latin", 26, "Z."), ("lower-greek", 3, "γ."), ("georgian", 11, "ია."), ("armenian", 1, "Ա."),
    ("hebrew", 15, "טו."), ("cjk-ideographic", 10, "十、"), ("cjk-ideographic", 23, "二十三、"),
    ("cjk-ideographic", 105, "一百零五、"), ("hiragana", 1, "あ、"), ("hiragana", 5, "お、"), ("katakana", 2, "イ、"),
    ("hiragana-iroha", 1, "い、"), ("katakana-iroha", 2, "ロ、"), ("arabic-indic", 12, "١٢."),
    ("devanagari", 3, "३."), ("thai", 1, "๑."), ("lower-alpha", 0, "0."), ("decimal", -3, "-3."),
    ("cjk-decimal", 20, "二〇、"), ("cjk-heavenly-stem", 1, "甲、"), ("unknown", 1, "1."),
  ])
  func systems(_ style: String, _ value: Int, _ expected: String) {
    #expect(lines(read("<ol style='list-style-type:\(style)'><li value='\(value)'>x</li></ol>")) == ["\(expected) x"])
  }

  /// Sheet, body, what is shown.
  @Test(arguments: [
    ("p::before{content:'> '}", "<p>a</p>", ["> a"]),
    ("p:after{content:' (' attr(title) ')'}", "<p title='t'>a</p>", ["a (t)"]),
    ("p::before{content:none}", "<p>a</p>", ["a"]),
    ("p::before{content:'x';display:none}", "<p>a</p>", ["a"]),
    ("p::before{content:'x';display:block}", "<p>a</p>", ["x", "a"]),
    ("p::before{content:'a\\A b';white-space:pre}", "<p>c</p>", ["a⏎bc"]),
    ("h2{counter-increment:c} h2::before{content:counter(c) '. '}", "<h2>a</h2><h2>b</h2>", ["1. a", "2. b"]),
    (
      "body{counter-reset:c 4} h2{counter-increment:c 2} h2::before{content:counter(c,upper-roman) ' '}",
      "<h2>a</h2><h2>b</h2>", ["VI a", "VIII b"]
    ),
    (
      "ol{counter-reset:i;list-style:none} li{counter-increment:i} li::before{content:counters(i,'.') ' '}",
      "<ol><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ol>", ["1 a", "1.1 b", "1.2 c", "2 d"]
    ),
    ("q{quotes:'<' '>' '[' ']'}", "<p><q>a<q>b</q></q></p>", ["<a[b]>"]),
    ("q::before,q::after{content:''}", "<p><q>a</q></p>", ["“a”"]),
    ("p::before{content:open-quote} p::after{content:close-quote}", "<p>a</p>", ["“a”"]),
    ("p::before{content:'\\2014\\a0'}", "<p>a</p>", ["—\u{a0}a"]),
    ("p::before{content:url(x.png) 'x'}", "<p>a</p>", ["xa"]),
    ("p::before{content:'x';text-transform:uppercase}", "<p>a</p>", ["Xa"]),
    ("ol{counter-reset:list-item 9}", "<ol><li>a</li></ol>", ["1. a"]),
    ("p::before{content:'x'} p.n::before{content:normal}", "<p class='n'>a</p>", ["a"]),
  ])
  func generated(_ style: String, _ body: String, _ expected: [String]) {
    #expect(lines(read(body, style: style)) == expected)
  }

  @Test func generatedTextIsNotCounted() {
    let document = read("<p>a</p><p>b</p>", style: "p::before{content:'long text '}")
    #expect(document.length == 2)
    #expect(offsets(document).map(\.1) == [0, 1])
  }
}
