internal import Document

/// The blank rows between two blocks.
enum BlockGap {
  static func rows(from previous: Block, to block: Block, context: Flow.Context) -> Int {
    let most = max(min(3, context.rows / 10), context.rows >= 6 ? 1 : 0)
    // A term and what it means belong together.
    if previous.role == .definitionTerm, case .text = block.content { return 0 }
    let before = margin(below: previous, context: context)
    let after = margin(above: block, context: context)
    let isProse = isParagraph(previous) && isParagraph(block)
    var rows = Int((min(max(before, after), 100) + 0.5).rounded(.down))
    // Paragraphs that neither an indent nor half a line tells apart would run into each other.
    if rows == 0, isProse, max(before, after) >= 0.2, (block.style.textIndent ?? 0) <= 0 { rows = 1 }
    switch context.settings.paragraphStyle {
    case .indent where isProse: rows = 0
    case .spacing where isProse: rows = 1
    case .indent, .spacing, nil: break
    }
    let isEdge =
      previous.style.quoteDepth != block.style.quoteDepth
      || (previous.style.listDepth == 0) != (block.style.listDepth == 0)
      || (previous.role == .verse) != (block.role == .verse) || previous.style.isBoxed != block.style.isBoxed
      || isProse && isInset(previous) != isInset(block)
    if rows == 0, isEdge, block.role != .caption, !previous.role.isHeading { rows = 1 }
    // The columns of a table would run into the text beside them.
    if rows == 0, previous.isTable && block.role != .caption || block.isTable && previous.role != .caption { rows = 1 }
    // One list behind another.
    if rows == 0, block.style.listDepth == 1, previous.style.listDepth == 1, let kind = block.isNumbered,
      let other = previous.isNumbered, kind != other
    {
      rows = 1
    }
    // A second paragraph inside a list's item.
    if rows == 0, block.style.listDepth > 0, block.marker == nil, previous.style.listDepth > 0,
      block.role != .definitionTerm
    {
      rows = 1
    }
    if previous.style.isBoxed, block.style.isBoxed { rows = min(rows, 1) }
    return min(rows, most)
  }

  /// Whether it stands in from both sides, as warnings and letters do; verse does so on one.
  private static func isInset(_ block: Block) -> Bool {
    block.style.marginLeft >= 1.5 && block.style.marginRight >= 1.5
  }

  private static func isParagraph(_ block: Block) -> Bool {
    guard case .text = block.content, block.style.listDepth == 0 else { return false }
    switch block.role {
    case .body, .note, .quote: return true
    case .heading, .caption, .sceneBreak, .listItem, .verse, .code, .definitionTerm, .label: return false
    }
  }

  private static func margin(above block: Block, context: Flow.Context) -> Double {
    let usual = self.usual(block, context: context).above
    guard let said = block.style.marginTop, said.isFinite else { return usual }
    return block.role.isHeading ? max(said, 1) : max(said, 0)
  }

  private static func margin(below block: Block, context: Flow.Context) -> Double {
    let usual = self.usual(block, context: context).below
    guard let said = block.style.marginBottom, said.isFinite else { return usual }
    return max(said, 0)
  }

  /// What a block keeps free where the book says nothing.
  private static func usual(_ block: Block, context: Flow.Context) -> (above: Double, below: Double) {
    switch block.content {
    case .image, .table, .rule, .preformatted: return (1, 1)
    case .text: break
    }
    switch block.role {
    case .heading(let level): return (level <= 2 ? 2 : 1, 1)
    case .sceneBreak: return (1, 1)
    case .caption: return (0, 1)
    case .label: return (1, 0)
    case .body, .note, .quote:
      if block.style.listDepth > 0 { return (0, 0) }
      // A book that takes the indent away means the browser's blank line.
      if let indent = block.style.textIndent, indent == 0, context.settings.paragraphStyle == nil { return (1, 1) }
      return (0, 0)
    case .listItem, .verse, .code, .definitionTerm: return (0, 0)
    }
  }
}

extension Block {
  fileprivate var isTable: Bool {
    if case .table = content { return true }
    return false
  }
}

extension Block.Role {
  var isHeading: Bool {
    if case .heading = self { return true }
    return false
  }
}
