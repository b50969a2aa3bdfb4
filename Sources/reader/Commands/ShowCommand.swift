internal import Terminal
internal import Typesetting

/// `reader show`: a page with the terminal's styles.
struct ShowCommand {
  let text: TextCommand
  let settings: ReaderSettings
  let depth: ColorDepth

  func output(page number: Int) throws(ReaderError) -> [UInt8] {
    var typesetting = settings.typesetting(language: text.content.outline.language, rows: text.window.height)
    typesetting.verticalMargin = 0
    let found = try text.layout(ofPage: number, settings: typesetting)
    let palette = settings.theme.palette(depth: depth)
    var output: [UInt8] = []
    for line in found.layout.page(at: found.page).lines {
      append(line, left: found.layout.frame.left, palette: palette, to: &output)
    }
    return output
  }

  private func append(_ line: PageLine, left: Int, palette: Palette, to output: inout [UInt8]) {
    var pen = palette.text
    palette.text.appendSequence(to: &output, depth: depth)
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: left))
    for run in line.runs {
      let style = RunStyle.style(of: run, palette: palette)
      if style != pen {
        style.appendSequence(to: &output, depth: depth)
        pen = style
      }
      for character in run.text where character.isDrawable {
        // A cluster may hide a control character behind a letter.
        let scalars = character.unicodeScalars.filter { Character($0).isDrawable || $0.value == 0x200D }
        output.append(contentsOf: String(String.UnicodeScalarView(scalars)).utf8)
      }
    }
    output.append(contentsOf: "\u{1B}[m\n".utf8)
  }
}
