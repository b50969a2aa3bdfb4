internal import Document

extension BlockBox {
  /// Weighs what the book says of a block against what the reader wants.
  ///
  /// - Parameters:
  ///   - previous: the block before, nil at the start.
  ///   - gap: blank rows that will stand above the block.
  ///   - list: cells by which its lists move it, and those of its own level.
  init(
    _ block: Block, previous: Block?, gap: Int, list: (total: Int, own: Int), measure: Int, context: Flow.Context
  ) {
    let style = block.style
    isBoxed = style.isBoxed && measure >= 12 && context.rows >= 5
    bars = measure >= 12 ? min(max(style.quoteDepth, 0), max(measure / 8, 1)) : 0
    var marginLeft = Self.cells(style.marginLeft) + list.total
    var marginRight = Self.cells(style.marginRight)
    // Quotes are known by their bars: a margin of the usual size for them is not added.
    if bars > 0 {
      marginLeft = list.total + max(Self.cells(style.marginLeft) - bars * 6, 0)
      marginRight = max(marginRight - bars * 6, 0)
    }
    let room = measure - prefix - (isBoxed ? 2 : 0)
    let most = measure < 16 ? 0 : room * 2 / 5
    if marginLeft + marginRight > most {
      let sum = marginLeft + marginRight
      marginLeft = marginLeft * most / sum
      marginRight = marginRight * most / sum
    }
    left = prefix + marginLeft
    width = max(room - marginLeft - marginRight, 1)
    markerLeft = max(left - list.own, prefix)

    isRightToLeft = false
    alignText(block, context: context)
    indentText(block, previous: previous, gap: gap, context: context)
  }

  /// Takes the room that a frame would have.
  mutating func leaveFrame(measure: Int) {
    guard isBoxed else { return }
    isBoxed = false
    left -= 2
    markerLeft -= 2
    width += 4
  }

  static func cells(_ em: Double) -> Int {
    guard em.isFinite, em > 0 else { return 0 }
    return Int((min(em, 1000) * 2).rounded())
  }

  private mutating func alignText(_ block: Block, context: Flow.Context) {
    let user = context.settings.alignment
    let book = block.style.alignment
    var isFlowing = true
    switch block.role {
    case .body, .listItem, .quote, .note: break
    case .heading, .caption, .sceneBreak, .verse, .code, .definitionTerm, .label: isFlowing = false
    }
    switch book {
    case .center: edge = .center
    case .right: edge = .right
    case .end: edge = .end
    case .left:
      edge = .left
      isJustified = isFlowing && user == .justify
    case .start: isJustified = isFlowing && user == .justify
    case .justify: isJustified = isFlowing && user != .start
    case nil:
      isJustified = isFlowing && user != .start
      if block.role == .sceneBreak || block.role == .caption { edge = .center }
    }
    if width < 28 { isJustified = false }
    if isJustified, edge == .left { edge = .start }
  }

  private mutating func indentText(_ block: Block, previous: Block?, gap: Int, context: Flow.Context) {
    let style = block.style
    if block.role == .verse {
      // What does not fit hangs behind the lines' beginnings.
      hang = min(4, width / 4)
    }
    guard block.marker != nil || (edge != .center && edge != .right && edge != .end) else { return }
    var indent: Int?
    if let said = style.textIndent, said.isFinite {
      indent = Int((min(max(said, -100), 100) * 2).rounded())
    }
    if block.role == .body || block.role == .note || block.role == .quote {
      switch context.settings.paragraphStyle {
      case .spacing: indent = 0
      case .indent: indent = nil
      case nil:
        let margin = max(style.marginTop ?? 0, style.marginBottom ?? 0)
        if indent == nil, margin > 0 { indent = 0 }
      }
      if indent == nil { indent = Self.usualIndent(block, previous: previous, gap: gap, context: context) }
      if let first = block.firstScalar, Self.indentsItself(first) { indent = 0 }
    }
    let most = max(width / 3, 0)
    firstIndent = min(max(indent ?? 0, -(left - prefix)), most)
    if let marker = block.marker {
      // A marker that is wider than its level pushes its line.
      firstIndent = max(context.metrics.width(of: marker) + 1 - (left - markerLeft), 0)
      firstIndent = min(firstIndent, width / 2)
    }
    if firstIndent < 0, block.role == .verse { hang = 0 }
  }

  /// Two cells from the second paragraph on; in Chinese two ideographs, in Japanese one, in every paragraph.
  private static func usualIndent(_ block: Block, previous: Block?, gap: Int, context: Flow.Context) -> Int {
    guard block.marker == nil, block.style.listDepth == 0 else { return 0 }
    let language = block.style.language ?? context.language
    if language.hasPrefix("zh") { return 4 }
    if language.hasPrefix("ja") { return 2 }
    guard let previous, gap == 0, previous.role == block.role, case .text = previous.content else { return 0 }
    if previous.style.breakAfter == .page || block.style.breakBefore == .page { return 0 }
    // An address, a stanza: lines of its own, all of which begin alike.
    if case .text(let text) = block.content, text.runs.contains(where: { $0.text.utf8.contains(0x0A) }) { return 0 }
    return 2
  }

  /// An ideographic blank, or an opening bracket, whose left half is blank already.
  private static func indentsItself(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3000, 0x300C, 0x300E, 0x3010, 0x3014, 0xFF08: true
    default: false
    }
  }
}

extension Block {
  /// The first scalar of its text.
  var firstScalar: UInt32? {
    guard case .text(let text) = content else { return nil }
    for run in text.runs {
      if let scalar = run.text.unicodeScalars.first { return scalar.value }
    }
    return nil
  }
}
