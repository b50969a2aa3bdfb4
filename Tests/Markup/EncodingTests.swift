import Document
import Markup
import Testing

/// Bytes of any encoding to text.
@Suite struct EncodingTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func page(_ text: [UInt8], declaration: String = "", meta: String = "") -> [UInt8] {
    Array("\(declaration)<html><head>\(meta)<title>t</title></head><body><p>".utf8) + text
      + Array("</p></body></html>".utf8)
  }

  private static func wide(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  /// Encoding as declared, the bytes of a text, the text.
  @Test(arguments: [
    ("GBK", "d6 d0 ce c4 d5 c2 bd da", "中文章节"), ("gb2312", "d6 d0 ce c4", "中文"),
    ("GB18030", "81 30 81 30 d6 d0", "\u{80}中"), ("Shift_JIS", "82 b1 82 cc 8e 52", "この山"),
    ("Big5", "a4 a4 a4 e5", "中文"), ("EUC-JP", "a4 b3 a4 ce", "この"), ("EUC-KR", "c7 d1 b1 db", "한글"),
    ("windows-1251", "cf f0 e8 e2 e5 f2", "Привет"), ("koi8-r", "f0 d2 c9 d7 c5 d4", "Привет"),
    ("iso-8859-1", "e9 74 e9 93 94", "été“”"), ("windows-1253", "e1 e2", "αβ"), ("windows-1255", "f9 ec", "של"),
    ("utf-8", "c3 a9", "é"),
  ])
  func declared(_ encoding: String, _ hex: String, _ text: String) {
    let declared = Self.page(Self.bytes(hex), declaration: "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>")
    #expect(lines(DocumentReader.read(declared)) == [text])
    let meta = Self.page(
      Self.bytes(hex), meta: "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=\(encoding)\"/>")
    #expect(lines(DocumentReader.read(meta)) == [text])
  }

  @Test(arguments: [true, false])
  func utf16(_ isBig: Bool) {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><html><body><p>Größe 日本 \u{1F600}</p></body></html>"
    let mark: [UInt8] = isBig ? [0xfe, 0xff] : [0xff, 0xfe]
    #expect(lines(DocumentReader.read(mark + Self.wide(text, isBig: isBig))) == ["Größe 日本 \u{1F600}"])
    #expect(lines(DocumentReader.read(Self.wide(text, isBig: isBig))) == ["Größe 日本 \u{1F600}"])
  }

  @Test func markOfUTF8AndWhiteSpaceBeforeTheDeclaration() {
    let page = Self.page(Array("é".utf8), declaration: "<?xml version=\"1.0\" encoding=\"utf-8\"?>")
    #expect(lines(DocumentReader.read([0xef, 0xbb, 0xbf] + page)) == ["é"])
    #expect(lines(DocumentReader.read(Array("\n \n".utf8) + page)) == ["é"])
  }

  /// Text in an encoding that nobody declares, long enough to tell.
  @Test(arguments: [
    (
      "GBK",
      "d6 d0 ce c4 d5 c2 bd da a3 ac ce d2 c3 c7 b5 c4 c9 fa bb ee ca c7 d2 bb b8 f6 d6 d0 b9 fa c8 cb b5 c4 ca c0 bd e7 a1 a3",
      "中文章节，我们的生活是一个中国人的世界。"
    ),
    (
      "Shift_JIS", "82 b1 82 cc 8e 52 82 f0 93 6f 82 e8 82 c8 82 aa 82 e7 81 41 82 b1 82 a4 8d 6c 82 a6 82 bd 81 42",
      "この山を登りながら、こう考えた。"
    ),
    (
      "Big5",
      "a7 da ad cc aa ba a5 cd ac a1 ac 4f a4 40 ad d3 a4 a4 b0 ea a4 48 aa ba a5 40 ac c9 a1 41 a6 62 b3 6f a8 bd a1 43",
      "我們的生活是一個中國人的世界，在這里。"
    ),
    (
      "windows-1251", "cf f0 e8 e2 e5 f2 2c 20 ec e8 f0 21 20 dd f2 ee 20 ef e5 f0 e2 e0 ff 20 e3 eb e0 e2 e0",
      "Привет, мир! Это первая глава"
    ),
    ("windows-1252", "6e 61 ef 76 65 20 65 6e 64", "naïve end"), ("windows-1252", "63 61 66 e9 20 e0", "café à"),
    ("windows-1251", "cf f0 e8 e2 e5 f2", "Привет"),
    (
      "windows-1252", "44 61 73 20 69 73 74 20 93 67 72 fc 6e 94 20 96 20 e4 68 6e 6c 69 63 68",
      "Das ist “grün” – ähnlich"
    ),
  ])
  func detected(_ name: String, _ hex: String, _ text: String) {
    #expect(lines(DocumentReader.read(Self.page(Self.bytes(hex)))) == [text], "\(name)")
    // A false declaration is worse than none.
    let lying = Self.page(Self.bytes(hex), declaration: "<?xml version=\"1.0\" encoding=\"utf-8\"?>")
    #expect(lines(DocumentReader.read(lying)) == [text], "\(name) called UTF-8")
  }

  @Test func aDamagedByteCostsOneCharacter() {
    let text = Array("größe und länge über ähnliches ".utf8) + [0xff] + Array("füße".utf8)
    let document = DocumentReader.read(Self.page(text))
    #expect(lines(document) == ["größe und länge über ähnliches \u{FFFD}füße"])
    #expect(!document.warnings.isEmpty)
  }

  @Test func utf8CalledLatinStaysUTF8() {
    let page = Self.page(Array("größe".utf8), declaration: "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>")
    #expect(lines(DocumentReader.read(page)) == ["größe"])
  }

  // MARK: Entities

  @Test(arguments: [
    ("a&nbsp;b", "a\u{a0}b"), ("&mdash;&hellip;&eacute;&Alpha;&euro;", "—…éΑ€"),
    ("&lt;&amp;&gt;&quot;&apos;", "<&>\"'"), ("&#x41;&#66;", "AB"), ("AT&T", "AT&T"), ("a & b", "a & b"),
    ("&unknown;", "&unknown;"),
    ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("&", "&"), ("&;", "&;"), ("a\u{1}b\u{c}c", "a b c"),
    ("<![CDATA[&nbsp;<b>]]>", "&nbsp;<b>"), ("&shy;x", "\u{ad}x"),
  ])
  func entities(_ markup: String, _ text: String) { #expect(lines(read("<p>\(markup)</p>")) == [text]) }

  @Test func declaredEntities() {
    let source =
      "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd\" [<!-- > --> <!ENTITY who \"Ann &amp; &last;\"><!ENTITY last '<b>Bee</b>'>"
      + "<!ENTITY ext SYSTEM \"file:///etc/passwd\"><!ENTITY % p \"x\"> ]><html xmlns='http://www.w3.org/1999/xhtml'><body><p>&who;&ext;!</p></body></html>"
    #expect(lines(DocumentReader.read(Array(source.utf8))) == ["Ann & Bee!"])
  }

  @Test(.timeLimit(.minutes(1)))
  func entitiesThatExplode() {
    var source = "<!DOCTYPE x [<!ENTITY a0 \"ha\">"
    for level in 1..<30 {
      source += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);&a\(level - 1);&a\(level - 1);\">"
    }
    source += "<!ENTITY self \"&self;&self;\">]><html><body><p>&a29;&self;&a9;</p></body></html>"
    let document = DocumentReader.read(Array(source.utf8))
    #expect(document.length < 3_000_000)
    #expect(document.warnings.contains { $0.contains("without end") })
  }

  // MARK: XML or HTML

  @Test(arguments: [
    ("<p>a<br>b</p>", ["a⏎b"]), ("<p>a<p>b", ["a", "b"]), ("<P>a</P>", ["a"]), ("<ul><li>a<li>b</ul>", ["• a", "• b"]),
    ("<p>a <b>b <i>c</b> d</i></p>", ["a b c d"]), ("<p class=x>a</p>", ["a"]),
    ("<p>a</p></div></p>", ["a"]), ("text", ["text"]), ("<p>a<img src=x.png>b</p>", ["a{x.png|-}b"]),
    ("<p epub:type='x'>a</p>", ["a"]), ("<o:p>a</o:p>", ["a"]), ("<p a='1' a='2'>x</p>", ["x"]),
    ("<p>a < b</p>", ["a < b"]), ("<script>if (a<b) {}</script><p>x", ["x"]),
  ])
  func soup(_ markup: String, _ expected: [String]) {
    #expect(lines(DocumentReader.read(Array("<html><body>\(markup)</body></html>".utf8))) == expected)
  }

  @Test func whatIsWrongIsSaid() {
    let document = DocumentReader.read(Array("<html><body><p>a<br></p></body></html>".utf8))
    #expect(document.warnings.first?.hasPrefix("not well-formed XML, read as HTML: line 1: ") == true)
    #expect(read("<p>a</p>").warnings.isEmpty)
  }

  @Test func emptyAndMeaninglessFiles() {
    for bytes in [
      [], [0], [0x3c], Array("<".utf8), Array("<html/>".utf8), Array("<!DOCTYPE".utf8), Array("<?xml".utf8),
      [0xff, 0xfe], [0xef, 0xbb, 0xbf],
    ] as [[UInt8]] {
      let document = DocumentReader.read(bytes)
      #expect(document.length < 10)
    }
  }
}
