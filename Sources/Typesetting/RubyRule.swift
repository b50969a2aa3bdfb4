internal import Document

/// Where a block's annotations go.
enum RubyRule {
  /// Cells of a line in which letters are not moved apart, and of an annotation that is an explanation, no reading.
  private static let narrow = 24
  private static let widest = 12

  /// Above the lines if every one is hardly wider than its base, so that none leans over other words.
  static func place(
    _ text: InlineText, width: Int, settings: TypesettingSettings, metrics: CellMetrics
  ) -> FlatText.RubyPlace {
    switch settings.ruby {
    case .above where width >= narrow:
      let isAbove = text.runs.allSatisfy { run in
        metrics.width(of: run.ruby ?? "") - metrics.width(of: run.text) <= widest
      }
      return isAbove ? .apart : .brackets
    case .hidden: return .hidden
    case .brackets: return .brackets
    case .automatic, .above: break
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

extension FlatText {
  /// Moves letters apart where annotations would run into each other: one may lean over three cells of the text on
  /// either side, and over fewer where the next one is near.
  mutating func moveApart() {
    for (number, ruby) in rubies.enumerated() {
      let before = number > 0 ? rubies[number - 1].range.upperBound : nil
      let after = number + 1 < rubies.count ? rubies[number + 1].range.lowerBound : nil
      func lean(over range: Range<Int>) -> Int { max(0, (range.count > 8 ? 8 : min(cells(range), 8)) / 2 - 1) }
      let left = before.map { lean(over: $0..<ruby.range.lowerBound) } ?? 3
      let right = after.map { lean(over: ruby.range.upperBound..<$0) } ?? 3
      let missing = ruby.width - cells(ruby.range) - 2 * min(left, right)
      let letters = ruby.range.filter { advances[$0] > 0 }
      guard missing > 0, !letters.isEmpty else { continue }
      // One share between two letters, half a one before the first and behind the last.
      let share = missing / letters.count
      let outside = missing - share * (letters.count - 1)
      for letter in letters.dropLast() where share > 0 { pads[letter, default: 0] += share }
      var behind = outside
      if let before = letterBefore(ruby.range.lowerBound) {
        behind -= outside / 2
        if outside > 1 { pads[before, default: 0] += outside / 2 }
      }
      pads[letters[letters.count - 1], default: 0] += behind
    }
    guard !pads.isEmpty else { return }
    // Only now: until here the widths are those of the letters alone.
    for (letter, share) in pads { advances[letter] += Int16(clamping: share) }
    traits.isSimple = false
    traits.isASCII = false
  }

  /// The letter that blanks may be put behind, so that they stand before `index`; nil at a beginning and behind a blank.
  private func letterBefore(_ index: Int) -> Int? {
    guard let letter = scalars[..<index].indices.last(where: { advances[$0] != TextAdvance.continuation }) else {
      return nil
    }
    let scalar = scalars[letter]
    return advances[letter] > 0 && scalar > 0x20 && !TextRuns.isBlank(scalar) ? letter : nil
  }

  private func cells(_ range: Range<Int>) -> Int { range.reduce(0) { $0 + max(Int(advances[$1]), 0) } }
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
