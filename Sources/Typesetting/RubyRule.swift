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
    var overhang = 0
    for run in text.runs {
      guard let ruby = run.ruby, !ruby.isEmpty else {
        overhang = 0
        continue
      }
      let difference = metrics.width(of: ruby) - metrics.width(of: run.text)
      if overhang + difference > 2 || ruby.unicodeScalars.contains("\n") { return .brackets }
      overhang = max(overhang + difference, 0)
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
      case 0x0590...0x065F, 0x066D...0x06EF, 0x06FA...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
        0x1E800...0x1EFFF, 0x200F, 0x202B, 0x202E, 0x2067:
        return true
      default: if FlatText.isLetter(scalar) { return false }
      }
    }
    return false
  }
}
