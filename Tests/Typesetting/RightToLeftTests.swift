import Document
import Testing

@testable import Typesetting

/// Text that is read from the right, in the order of the screen and as it is read.
@Suite struct RightToLeftTests: PageSetting {
  private func visual(_ layout: ChapterLayout) -> [String] { layout.page(at: 0).lines.map(\.text) }

  @Test func rightToLeft() {
    let build: (inout BlockMaker) -> Void = { $0.text("שלום (abc) 12 עולם!") }
    #expect(text(24, 9, language: "he") { build(&$0) } == ["שלום (abc) 12 עולם!"])
    let screen = layout(24, 9, language: "he", build)
    // Numbers and Latin keep their order, brackets turn, the line stands right.
    #expect(visual(screen) == ["     !םלוע 12 (abc) םולש"])
    let terminal = layout(24, 9, language: "he", settings: { $0.bidi = .terminal }, build)
    #expect(visual(terminal) == ["     שלום (abc) 12 עולם!"])
  }

  @Test func rightToLeftInsideEnglish() {
    let layout = layout(40, 9) { $0.text("He said שלום עולם twice.") }
    #expect(visual(layout) == ["He said םלוע םולש twice."])
    #expect(layout.plainText(ofPage: 0) == "He said שלום עולם twice.")
  }

  /// For a terminal that turns words by itself, the letters of a word stay as they are read, unjoined.
  @Test(arguments: [
    ("שלום (abc) 12 עולם!", "he", "!עולם 12 (abc) שלום"),
    ("He said שלום עולם twice.", "en", "He said עולם שלום twice."),
    ("سلام", "ar", "سلام"), ("ב-1984", "he", "1984-ב"), ("בְּרֵא אב", "he", "אב בְּרֵא"),
    ("(سلام) عليكم.", "ar", "عليكم. (سلام)"), ("(שלום) לכם.", "he", ".לכם (שלום)"),
  ])
  func wordsThatTheTerminalTurns(_ source: String, _ language: String, _ expected: String) {
    let layout = layout(40, 9, language: language, settings: { $0.bidi = .words }) { $0.text(source) }
    #expect(visual(layout).map { String($0.drop { $0 == " " }) } == [expected])
    #expect(ScreenOrder.text(source, bidi: .words) == expected)
    #expect(layout.plainText(ofPage: 0) == source)
  }

  @Test(arguments: [
    ("plain", "plain"), ("שלום 12", "12 םולש"), ("a שלום", "a םולש"), ("", ""), ("  א", "א"), ("日本", "日本"),
  ])
  func titlesInTheOrderOfTheScreen(_ title: String, _ expected: String) {
    #expect(ScreenOrder.text(title, bidi: .reorder) == expected)
    #expect(ScreenOrder.text(title, bidi: .terminal) == title)
  }

  @Test(arguments: [
    ("1.", ".1 אב"), ("iv.", ".iv אב"), ("2)", "(2 אב"), ("(3)", "(3) אב"), ("•", "• אב"),
  ])
  func numbersOfLists(_ marker: String, _ expected: String) {
    let build: (inout BlockMaker) -> Void = { $0.text("אב", role: .listItem, marker: marker) { $0.listDepth = 1 } }
    let screen = visual(layout(20, 9, language: "he", direction: .rightToLeft, build))
    // From the right edge: the marker as it is read, a blank, the text.
    let words = screen[0].split(separator: " ")
    #expect(words.map(String.init) == ["בא", expected.split(separator: " ").first.map(String.init)])
    #expect(screen[0].count == 20)
  }

  /// The columns of a table follow each other from the right edge, and so do its rows' words.
  @Test func tablesReadFromTheRight() {
    let build: (inout BlockMaker) -> Void = { $0.table([["יום", "מספר"], ["שני", "2"]]) }
    let layout = layout(30, 9, language: "he", direction: .rightToLeft, build)
    #expect(
      visual(layout) == [
        "                     רפסמ  םוי", "                     ────  ───", "                        2  ינש",
      ])
    // As text, the first column stands first.
    #expect(layout.plainText(ofPage: 0).split(separator: "\n").first == "יום  מספר")
    #expect(layout.offset(onPage: 0, row: 0, column: 29) == 0 && layout.offset(onPage: 0, row: 2, column: 22) == 13)
  }

  @Test func arabicIsJoinedOnScreen() {
    let layout = layout(20, 9, language: "ar", direction: .rightToLeft) { $0.text("سلام") }
    #expect(layout.plainText(ofPage: 0) == "سلام")
    // Lam and alef are one letter.
    #expect(visual(layout) == ["                 ﻡﻼﺳ"])
  }
}
