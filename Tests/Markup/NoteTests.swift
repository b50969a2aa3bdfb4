import Document
import Markup
import Testing

/// Notes, and the links to and from them.
@Suite struct NoteTests {
  private func kinds(_ body: String, style: String = "") -> [Link.Kind] {
    read(body, style: style).blocks.flatMap { block -> [Link.Kind] in
      guard case .text(let text) = block.content else { return [] }
      var found: [Link.Kind] = []
      var last: Link?
      for run in text.runs {
        if let link = run.link, link != last { found.append(link.kind) }
        last = run.link
      }
      return found
    }
  }

  /// Body, the kinds of its links.
  @Test(arguments: [
    ("<p>x<a epub:type='noteref' href='#n'>see</a></p>", [Link.Kind.noteReference]),
    ("<p>x<a role='doc-noteref' href='#n'>1</a></p>", [.noteReference]),
    ("<p>x<sup><a href='#n1'>1</a></sup></p>", [.noteReference]),
    ("<p>x<a href='n.xhtml#n1'><sup>1</sup></a></p>", [.noteReference]),
    ("<p>x<a href='#k'>[3]</a></p>", [.noteReference]), ("<p>x<a href='#k'>*</a></p>", [.noteReference]),
    ("<p>x<a href='#fn3'>3</a></p>", [.noteReference]), ("<p>x<a href='#f3'>3</a></p>", [.noteReference]),
    ("<p>x<sup><a href='#k'>a</a></sup> y<a href='#k'>b</a></p>", [.noteReference, .plain]),
    ("<p>x<a style='vertical-align:super' href='#k'>3</a></p>", [.noteReference]),
    ("<p>x<a class='footnote' href='#k'>3</a></p>", [.noteReference]), ("<p>x <a href='#k'>3</a></p>", [.plain]),
    ("<p>see <a href='#note4'>the note</a></p>", [.plain]),
    ("<p>x<a href='c.xhtml'>[1]</a></p>", [.plain]),
    (
      "<p><a href='#v1'>1</a> <a href='#v2'>2</a> <a href='#v3'>3</a> <a href='#v4'>4</a></p>",
      [.plain, .plain, .plain, .plain]
    ),
    (
      "<p><sup><a href='#n1'>1</a></sup> <sup><a href='#n2'>2</a></sup> <sup><a href='#n3'>3</a></sup></p>",
      [.plain, .plain, .plain]
    ),
    ("<p>a<sup><a href='#n1'>1</a></sup> and b<sup><a href='#n2'>2</a></sup></p>", [.noteReference, .noteReference]),
    ("<p>x<a href='#k'>注</a> y<a href='#k2'>〔1〕</a></p>", [.plain, .noteReference]),
    ("<aside epub:type='footnote'><p>Note <a href='#r'>↩</a></p></aside>", [.backlink]),
    ("<aside epub:type='endnote'><p><a role='doc-backlink' href='#r'>go</a> Note</p></aside>", [.backlink]),
    ("<p><a id='n1' href='#r1'>1</a> First note.</p>", [.backlink]),
    ("<p id='n1'><a href='c.xhtml#ref1'>[1]</a> First note.</p>", [.backlink]),
    ("<li epub:type='footnote'>Note <a href='#r'>Back</a></li>", [.backlink]),
  ])
  func kindsOfLinks(_ body: String, _ expected: [Link.Kind]) { #expect(kinds(body) == expected, "\(body)") }

  @Test func asidesThatAreLinkedStandOutsideOfTheFlow() {
    let document = read(
      "<section><p>Text<a epub:type='noteref' href='#n44'>44</a> more<a epub:type='noteref' href='#n45'>45</a></p>"
        + "<aside epub:type='footnote' id='n44'><p>Note A</p><p>second</p></aside><aside epub:type='footnote' id='n45'>Note B</aside><p>end</p></section>"
    )
    #expect(lines(document) == ["Text44 more45", "end"])
    #expect(document.notes.mapValues { lines($0) } == ["n44": ["Note A", "second"], "n45": ["Note B"]])
    #expect(document.notes["n44"]?.first?.role == .note)
  }

  @Test func asidesThatNothingLinksToStayInTheFlow() {
    let document = read("<aside epub:type='footnote' id='n1'><p>Note</p></aside><aside><p>Box</p></aside>")
    #expect(lines(document) == ["Note", "Box"])
    #expect(document.notes.isEmpty)
  }

  @Test(arguments: ["display:none", "visibility:hidden;display:none"])
  func notesThatTheSheetHidesAreShownInThePopup(_ declaration: String) {
    let document = read(
      "<p>x<a epub:type='noteref' href='#n'>1</a></p><aside class='f' epub:type='footnote' id='n'><p>Note</p></aside><div class='f' id='footnote-2'>Two</div><p><a href='#footnote-2'>2</a></p>",
      style: "aside.f, div.f {\(declaration)}")
    #expect(lines(document) == ["x1", "2"])
    #expect(document.notes.mapValues { lines($0) } == ["n": ["Note"], "footnote-2": ["Two"]])
  }

  @Test func endnotesInAListStayInTheFlow() {
    let document = read(
      "<p>x<a epub:type='noteref' href='#n'>1</a></p><ol><li epub:type='endnote' id='n'>Note</li></ol>")
    #expect(lines(document) == ["x1", "1. Note"])
    #expect(document.notes.isEmpty)
  }

  /// Markup, id, the note's lines.
  @Test(arguments: [
    ("<p id='n'>A note.</p><p>other</p>", ["A note."]), ("<p><a id='n'/>A note.</p>", ["A note."]),
    ("<p><a id='n' href='#r'>1</a> A note.</p>", ["1 A note."]),
    ("<p>x</p><p><sup id='n'>1</sup> A note.</p>", ["1 A note."]),
    ("<div><p id='n'>1</p><p>A note.</p></div>", ["1", "A note."]),
    ("<dl><dt id='n'>1</dt><dd>A note.</dd><dt>2</dt><dd>b</dd></dl>", ["A note."]),
    ("<ol><li id='n'><p>A note.</p><p>More.</p></li><li>b</li></ol>", ["A note.", "More."]),
    ("<ol><li><p id='n'>A note.</p><p>More.</p></li></ol>", ["A note.", "More."]),
    ("<aside id='n' epub:type='footnote'><p>A note.</p></aside>", ["A note."]),
    ("<aside epub:type='footnote'><p><a id='n'>1</a> A note.</p><p>More.</p></aside>", ["1 A note.", "More."]),
    ("<table><tr><td id='n'>1</td><td>A note.</td></tr></table>", ["1", "A note."]),
    ("<div style='display:none'><p id='n'>A note.</p></div>", ["A note."]),
  ])
  func wholeNotes(_ body: String, _ expected: [String]) {
    let source =
      "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body><section>\(body)</section></body></html>"
    #expect(DocumentReader.note(id: "n", in: Array(source.utf8)).map { lines($0) } == expected)
    #expect(DocumentReader.note(id: "gone", in: Array(source.utf8)) == nil)
  }
}
