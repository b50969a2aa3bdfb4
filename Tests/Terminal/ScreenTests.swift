import TestSupport
import Testing

@testable import Terminal

@Suite struct ScreenTests {
  static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    return scalar.value >= 0x1100 ? 2 : 1
  }

  private func draw(_ text: String, on screen: inout Screen, row: Int, style: CellStyle = CellStyle()) {
    var column = 0
    for character in text {
      column = screen.put(character, width: Self.width(character), row: row, column: column, style: style)
    }
  }

  @Test func writesOnlyWhatChanged() {
    var screen = Screen(columns: 20, rows: 3, depth: .truecolor)
    draw("The quick brown fox", on: &screen, row: 1)
    var output: [UInt8] = []
    screen.render(into: &output)
    output.removeAll()
    screen.render(into: &output)
    #expect(output.isEmpty)
    screen.put("Q", width: 1, row: 1, column: 4, style: CellStyle())
    screen.render(into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "\u{1B}[?25l\u{1B}[2;5H\u{1B}[0mQ")
  }

  @Test(arguments: [ColorDepth.none, .sixteen, .palette, .truecolor])
  func whatIsShownIsWhatWasDrawn(depth: ColorDepth) {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let columns = Int.random(in: 1...24, using: &random)
      let rows = Int.random(in: 1...6, using: &random)
      var screen = Screen(columns: columns, rows: rows, depth: depth)
      var model = EmulatorModel(columns: columns, rows: rows) { Self.width($0) }
      for _ in 0..<30 {
        change(&screen, using: &random)
        var output: [UInt8] = []
        screen.render(into: &output, synchronized: Bool.random(using: &random))
        model.take(output)
        expectEqual(screen, model, "seed \(seed)")
        #expect(!model.modes.contains(2026))
      }
    }
  }

  private func change(_ screen: inout Screen, using random: inout SeededRandom) {
    let letters: [Character] = ["a", "b", " ", " ", "字", "漢", "é", "e\u{301}", "👩‍🚀", "\u{1B}", "\u{9B}"]
    if Int.random(in: 0..<6, using: &random) == 0 { screen.clear() }
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let style = CellStyle(
        foreground: [.standard, .rgb(0x4A3520), .palette(200)].randomElement(using: &random)!,
        background: [.standard, .standard, .rgb(0xF1E2C8)].randomElement(using: &random)!,
        attributes: [[], [.bold], [.underline], [.italic, .reverse]].randomElement(using: &random)!)
      let row = Int.random(in: -1...screen.rows, using: &random)
      let column = Int.random(in: -1...screen.columns, using: &random)
      let letter = letters.randomElement(using: &random)!
      switch Int.random(in: 0..<8, using: &random) {
      case 0: screen.fill(row: row, column: column, rows: 2, columns: 3, style: style)
      default: screen.put(letter, width: Self.width(letter), row: row, column: column, style: style)
      }
    }
    screen.cursor = Bool.random(using: &random) ? (0, 0) : nil
  }

  private func expectEqual(_ screen: Screen, _ model: EmulatorModel, _ comment: Comment) {
    #expect(model.faults.isEmpty, comment)
    for row in 0..<screen.rows {
      #expect(screen.text(ofRow: row) == model.text(row), comment)
      for column in 0..<screen.columns {
        let cell = screen.next[row * screen.columns + column]
        var sequence: [UInt8] = []
        cell.style.appendSequence(to: &sequence, depth: screen.depth)
        let style = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
        // A blank shows neither its colour nor whether it is bold.
        let isPlain =
          cell.glyph == .blank && screen.depth.nearest(to: cell.style.background) == .standard
          && cell.style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
        if cell.glyph != .rightHalf, !isPlain {
          #expect(model.cells[row][column].style == (style == "0" ? "" : style), comment)
        }
      }
    }
    #expect(model.modes.contains(25) == (screen.cursor != nil))
  }

  @Test(arguments: ["\u{1B}", "\u{7}", "\u{9B}", "\u{7F}", "\u{202E}", "\u{2066}", "\u{200B}", "\r", "\n", "\r\n"])
  func noControlCharacterReachesTheTerminal(text: String) {
    var screen = Screen(columns: 10, rows: 1, depth: .none)
    for character in "a" + text + "b" {
      screen.put(character, width: 1, row: 0, column: 0, style: CellStyle())
    }
    // Hidden behind a letter as part of one cluster, too.
    screen.put(Character("x\u{200D}\u{202E}"), width: 1, row: 0, column: 1, style: CellStyle())
    var output: [UInt8] = []
    screen.render(into: &output)
    var model = EmulatorModel(columns: 10, rows: 1) { Self.width($0) }
    model.take(output)
    #expect(model.faults.isEmpty)
    #expect(!String(decoding: output, as: UTF8.self).unicodeScalars.contains("\u{202E}"))
  }

  @Test func aTableFullOfClustersStartsAnew() {
    var screen = Screen(columns: 4, rows: 1, depth: .none)
    for number in 0..<(GlyphTable.limit + 100) {
      let scalar = Unicode.Scalar(UInt32(0x4E00 + number))!
      screen.put(Character("\(scalar)\u{301}"), width: 2, row: 0, column: 0, style: CellStyle())
    }
    screen.clear()
    draw("e\u{301}", on: &screen, row: 0)
    var output: [UInt8] = []
    screen.render(into: &output)
    #expect(screen.text(ofRow: 0) == "é")
  }

  @Test(arguments: [
    (ColorDepth.truecolor, "38;2;74;53;32"), (.palette, "38;5;237"), (.sixteen, "30"), (.none, ""),
  ])
  func coloursComeAsNearAsTheTerminalCan(depth: ColorDepth, expected: String) {
    var output: [UInt8] = []
    CellStyle(foreground: .rgb(0x4A3520)).appendSequence(to: &output, depth: depth)
    let expectedSequence = "\u{1B}[0" + (expected.isEmpty ? "" : ";" + expected) + "m"
    #expect(String(decoding: output, as: UTF8.self) == expectedSequence)
  }
}
