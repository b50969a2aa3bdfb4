internal import Document

/// A line of text that is no part of a page, such as a title, in the order of the screen.
public enum ScreenOrder {
  /// - Parameter text: one line in logical order, without control characters.
  /// - Returns: the same letters as the terminal is to get them; as wide as before, but where Arabic letters join.
  public static func text(_ text: String, bidi: TypesettingSettings.Bidi) -> String {
    guard bidi != .terminal, text.utf8.contains(where: { $0 >= 0xD6 }) else { return text }
    guard text.unicodeScalars.contains(where: { FlatText.isRightToLeft($0.value) }) else { return text }
    // A paragraph of its own, set by the very code that sets pages.
    let block = Block(
      content: .text(InlineText(runs: [.init(text: text, offsets: .all(0))])), range: 0..<0)
    var settings = TypesettingSettings.plainText
    settings.bidi = bidi
    settings.alignment = .start
    settings.paragraphStyle = .spacing
    settings.hyphenation = false
    let lines = ChapterLayout.lines(of: [block], columns: 4096, settings: settings)
    guard lines.count == 1 else { return text }
    return lines[0].runs.drop { $0.kind == .space }.map(\.text).joined()
  }
}
