internal import Document

extension Composer {
  /// Shows `::before` or `::after`.
  mutating func generate(_ generated: GeneratedStyle?) {
    guard let pseudo = generated?.style, let rare = pseudo.rare, let items = rare.content else { return }
    guard ruby?.isAnnotating != true else { return }
    counters.open(rare)
    defer { counters.close() }
    if pseudo.isBlockLevel { flush() }
    var text = ""
    for item in items {
      switch item {
      case .text(let string): text += string
      case .attribute(let name): text += tree.attribute(frames[frames.count - 1].node, name) ?? ""
      case .counter(let name, let style): text += style.counter(counters.value(name))
      case .counters(let name, let separator, let style):
        text += counters.values(name).map(style.counter).joined(separator: separator)
      case .openQuote:
        text += quoteMark(quoteLevel, isOpening: true, pseudo)
        quoteLevel += 1
      case .closeQuote:
        quoteLevel = max(0, quoteLevel - 1)
        text += quoteMark(quoteLevel, isOpening: false, pseudo)
      case .noOpenQuote: quoteLevel += 1
      case .noCloseQuote: quoteLevel = max(0, quoteLevel - 1)
      }
    }
    showGenerated(text, pseudo)
    if pseudo.isBlockLevel { flush() }
  }

  private mutating func showGenerated(_ text: String, _ style: ComputedStyle) {
    guard style.isVisible, !text.isEmpty else { return }
    var shown = ""
    var transformer = TextTransformer(style.transform, language: document.language)
    let keepsLines = style.whiteSpace.keepsLines
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\n" || scalar == "\t" {
        if keepsLines, scalar == "\n" {
          shown += "\n"
        } else if style.whiteSpace.keepsSpaces || !(shown.isEmpty && builder.isAtLineStart || shown.hasSuffix(" ")) {
          shown += " "
        }
        transformer.boundary()
      } else {
        shown.unicodeScalars.append(contentsOf: transformer.transform(scalar))
      }
    }
    generatedBudget -= shown.utf8.count
    guard generatedBudget > 0 else { return }
    setAttributes(style)
    builder.appendGenerated(shown, style: style.text, offset: offset)
  }

  mutating func setAttributes(_ style: ComputedStyle) {
    var attributes = InlineBuilder.Attributes(
      style: style.text, link: frames[frames.count - 1].link, language: -1)
    if style.language >= 0, style.language != documentLanguage { attributes.language = style.language }
    builder.set(attributes, links: links, languages: resolver.languages)
  }

  // MARK: Quotes

  mutating func openQuote() {
    let style = frames[frames.count - 1].style
    showGenerated(quoteMark(quoteLevel, isOpening: true, style), style)
    quoteLevel += 1
  }

  mutating func closeQuote() {
    let style = frames[frames.count - 1].style
    quoteLevel = max(0, quoteLevel - 1)
    showGenerated(quoteMark(quoteLevel, isOpening: false, style), style)
  }

  private func quoteMark(_ level: Int, isOpening: Bool, _ style: ComputedStyle) -> String {
    let marks: [String]
    if style.quotes >= 0 {
      marks = resolver.tables.quotes[Int(style.quotes)]
    } else {
      let tag = style.language >= 0 ? resolver.languages[Int(style.language)] : document.language
      marks = Self.quotes(of: tag)
    }
    guard marks.count >= 2 else { return "" }
    let pair = min(level, marks.count / 2 - 1)
    return marks[pair * 2 + (isOpening ? 0 : 1)]
  }

  private static func quotes(of language: String?) -> [String] {
    switch language?.lowercased().prefix(2) {
    case "de", "cs", "sk", "sl", "bg", "is", "da": ["„", "“", "‚", "‘"]
    case "fr": ["«\u{a0}", "\u{a0}»", "“", "”"]
    case "es", "it", "pt", "el", "ca", "no", "nb", "nn": ["«", "»", "“", "”"]
    case "ru", "uk": ["«", "»", "„", "“"]
    case "pl", "ro", "hu": ["„", "”", "«", "»"]
    case "fi", "sv": ["”", "”", "’", "’"]
    case "ja", "zh": ["「", "」", "『", "』"]
    default: ["“", "”", "‘", "’"]
    }
  }
}
