import Document
import Markup
import Testing

/// Offsets as the definition says: every scalar of every text node under body, white space runs and objects as one.
@Suite struct OffsetTests {
  /// Body, its length in scalars.
  @Test(arguments: [
    ("abc", 3), ("<p>abc</p>", 3), (" a  b ", 5), ("<p>a</p>\n  <p>b</p>", 3), ("<p>a </p> <p> b</p>", 3),
    ("a<b> </b> c", 3), ("a<img src='x'/>b", 3), ("a<hr/>b", 3), ("a <img src='x'/> b", 5),
    ("a<script>xyz</script>b", 2), ("a<style>xyz</style>b", 2), ("a<template>xyz</template>b", 2),
    ("a<span hidden='hidden'>xy</span>b", 4), ("<p style='display:none'>xy</p>b", 3), ("é日本\u{1F600}", 4),
    ("a\u{a0}b", 3), ("a&#160;\u{3000}b", 4), ("<ruby>漢<rt>かん</rt></ruby>", 3), ("a<br/>b", 2),
    ("<svg xmlns='http://www.w3.org/2000/svg'><text>ab</text></svg>c", 4),
    ("<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi><mo>+</mo><mi>y</mi></math>", 3),
    ("<object data='x.swf'>fall</object>", 5), ("<audio src='a.mp3'>no audio</audio>", 9), ("", 0), ("<p></p>", 0),
    ("<pre>a   b\n\nc</pre>", 5), ("a<!-- comment -->b", 2), ("<![CDATA[a<b]]>", 3), ("a<span/> <span/> b", 3),
    ("<table><tr><td>a</td> <td>b</td></tr></table>", 3), ("<iframe src='x'>abc</iframe>", 4),
  ])
  func lengths(_ body: String, _ length: Int) { #expect(read(body).length == length) }

  @Test func shownScalarsStandWhereTheyAreCounted() {
    let document = read("<p>ab <i>cd</i>\n ef</p> <p hidden='hidden'>xyz</p><p>gh<img src='i'/>ij</p>")
    // a b _ c d _ e f _ x y z g h * i j
    let expected: [(Unicode.Scalar, Int)] = [
      ("a", 0), ("b", 1), (" ", 2), ("c", 3), ("d", 4), (" ", 5), ("e", 6), ("f", 7), ("g", 12), ("h", 13),
      ("\u{FFFC}", 14), ("i", 15), ("j", 16),
    ]
    #expect(offsets(document).map(\.0) == expected.map(\.0))
    #expect(offsets(document).map(\.1) == expected.map(\.1))
    #expect(document.length == 17)
  }

  @Test func transformedTextKeepsItsOffsets() {
    let document = read("<p style='text-transform:uppercase'>straße ok</p>")
    #expect(lines(document) == ["STRASSE OK"])
    #expect(offsets(document).map(\.1) == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8])
    #expect(document.length == 9)
  }

  @Test func preformattedSpacesShareAnOffset() {
    let document = read("<pre>a  b\n c</pre>")
    #expect(offsets(document).map(\.1) == [0, 1, 1, 2, 3, 3, 4])
  }

  @Test func anchorsStandWhereTheirTextBegins() {
    let document = read(
      "<p id='p1'>ab <span id='s'>cd</span></p><p>ef<a name='old'/>gh<img id='i' src='x'/></p><div id='end'/>"
        + "<p hidden='hidden' id='h'>x<b id='inner'>y</b></p>")
    #expect(document.anchors == ["p1": 0, "s": 3, "old": 7, "i": 9, "end": 10, "h": 10, "inner": 11])
  }

  /// Ids as XML has them count, and one that differs in case is the one meant where there is no other.
  @Test func idsOfOtherSpellings() {
    let document = read("<p>a</p><p xml:id='x'>b</p><p id='Chap1'>c</p><p id='q'>d</p><p id='Q'>e</p>")
    #expect(document.offset(ofID: "x") == 1 && document.offset(ofID: "chap1") == document.anchors["Chap1"])
    #expect(document.offset(ofID: "q") == document.anchors["q"] && document.offset(ofID: "gone") == nil)
    #expect(document.offset(ofID: "CHAP1") != nil && document.anchors["Q"] != document.anchors["q"])
  }

  @Test func theFirstOfTwoEqualIdsCounts() {
    #expect(read("<p id='x'>a</p><p id='x'>b</p>").anchors == ["x": 0])
  }

  /// Blocks cover the source without gap or overlap, in order.
  @Test func rangesAreContiguous() {
    let document = read(
      "<h1>T</h1> <p>a <b>b</b></p><ul><li>x<ul><li>y</li></ul></li></ul><hr/><p><img src='i'/></p>"
        + "<table><tr><td>c</td><td>d</td></tr></table><p hidden='hidden'>zz</p><p>last</p>")
    var end = 0
    for block in document.blocks {
      #expect(block.range.lowerBound == end)
      #expect(block.range.upperBound >= end)
      end = block.range.upperBound
    }
    #expect(end == document.length)
  }

  @Test func headingsAreCountedAlike() {
    let source = "<body><p>ab <img src='x'/></p> <h1 id='t'>T</h1><script>xx</script><h2>U</h2></body>"
    let tree = MarkupParser.parse(Array(source.utf8), as: .html)
    let document = DocumentReader.read(tree)
    #expect(
      DocumentReader.headings(tree).map(\.offset) == [document.anchors["t"], document.blocks.last?.range.lowerBound])
  }
}
