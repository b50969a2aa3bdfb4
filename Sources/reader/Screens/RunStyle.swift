internal import Document
internal import Terminal
internal import Typesetting

/// How a stretch of a page looks.
enum RunStyle {
  static func style(of run: CellRun, palette: Palette) -> CellStyle {
    var style = base(run, palette: palette)
    if run.style.contains(.bold) { style.attributes.insert(.bold) }
    if run.style.contains(.italic) { style.attributes.insert(.italic) }
    if run.style.contains(.underline) { style.attributes.insert(.underline) }
    if run.style.contains(.strikethrough) { style.attributes.insert(.strikethrough) }
    if run.link != nil, run.kind == .text {
      // Many words in the accent would shout; a note's sign would be overlooked without.
      if run.link?.kind == .plain {
        style.attributes.insert(.underline)
      } else {
        style.foreground = palette.accent.foreground
      }
    }
    if run.style.contains(.mark) || run.highlight != nil {
      if let mark = palette.mark { style.background = mark } else { style.attributes.insert(.reverse) }
    }
    return style
  }

  private static func base(_ run: CellRun, palette: Palette) -> CellStyle {
    switch run.kind {
    case .decoration: return palette.faint
    case .ruby, .alternative: return palette.quiet
    case .marker: return palette.quiet
    case .space: return palette.text
    case .text: break
    }
    switch run.role {
    case .heading: return palette.text.adding(.bold)
    case .caption, .label: return palette.quiet
    case .sceneBreak: return palette.quiet
    case .definitionTerm: return palette.text.adding(.bold)
    case .body, .listItem, .quote, .verse, .code, .note: return palette.text
    }
  }
}
