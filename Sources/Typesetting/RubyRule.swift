internal import Document

/// Where a block's annotations go.
enum RubyRule {
  /// Above the lines if every one is hardly wider than its base, so that none leans over other words.
  static func place(_ text: InlineText, settings: TypesettingSettings, metrics: CellMetrics) -> FlatText.RubyPlace {
    switch settings.ruby {
    case .hidden: return .hidden
    case .brackets: return .brackets
    case .automatic: break
    }
    var isAbove = false
    // How far the annotation before reaches beyond its base, and how much unannotated text lies since.
    var overhang = 0
    var between = Int.max
    for run in text.runs {
      guard let ruby = run.ruby, !ruby.isEmpty else {
        between = between == .max ? .max : between + metrics.width(of: run.text)
        continue
      }
      let difference = metrics.width(of: ruby) - metrics.width(of: run.text)
      let reach = max((difference + 1) / 2, 0)
      if between == 0, overhang * 2 + difference > 2 { return .brackets }
      if difference > 2 || (between > 0 && between <= overhang + reach) { return .brackets }
      overhang = between == 0 ? max(overhang + reach, 0) : reach
      between = 0
      isAbove = true
    }
    return isAbove ? .above : .brackets
  }
}

/// Which way a paragraph runs.
enum DirectionRule {
  static func isRightToLeft(_ block: Block, _ flat: FlatText, context: Flow.Context) -> Bool {
    switch block.style.direction ?? (context.direction == .leftToRight ? .auto : context.direction) {
    case .rightToLeft: return true
    case .leftToRight: return false
    case .auto: break
    }
    // By the first strong letter.
    for scalar in flat.scalars {
      switch scalar {
      case 0x200F, 0x202B, 0x202E, 0x2067: return true
      default:
        if FlatText.isRightToLeft(scalar) { return true }
        if FlatText.isLetter(scalar) { return false }
      }
    }
    return false
  }
}
