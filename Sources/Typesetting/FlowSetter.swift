internal import Document

/// Turns blocks into rows, one block after the other.
struct FlowSetter: Sendable {
  var flow: Flow
  /// The block that comes next.
  private(set) var next = 0
  private var levels = ListLevels()
  private var startsPage = false
  /// Whether the boxed blocks at hand stand in a frame.
  private var isFramed = false
  private var scratch = TypeScratch()
  /// How many tables this flow lies in.
  private let depth: Int

  /// The level of the headings that open chapters in a document of several, which begin pages.
  private let chapterLevel: Int?

  init(flow: Flow, depth: Int = 0) {
    self.flow = flow
    self.depth = depth
    chapterLevel = depth == 0 ? Self.chapterLevel(flow.blocks) : nil
  }

  /// The highest level that occurs more than once, if a good deal of text stands between: else they are sections.
  private static func chapterLevel(_ blocks: [Block]) -> Int? {
    var counts = [Int](repeating: 0, count: 7)
    for block in blocks { if case .heading(let level) = block.role { counts[min(max(level, 0), 6)] += 1 } }
    guard let level = counts.firstIndex(where: { $0 > 1 }), let first = blocks.first, let last = blocks.last
    else { return nil }
    let length = last.range.upperBound - first.range.lowerBound
    return length / counts[level] >= 5000 ? level : nil
  }

  mutating func finish() {
    while setNext() {}
  }

  /// - Returns: false when no block is left.
  mutating func setNext() -> Bool {
    guard next < flow.blocks.count else { return false }
    let block = flow.blocks[next]
    let previous = next > 0 ? flow.blocks[next - 1] : nil
    let following = next + 1 < flow.blocks.count ? flow.blocks[next + 1] : nil
    var gap = previous.map { BlockGap.rows(from: $0, to: block, context: flow.context) } ?? 0
    if flow.lines.isEmpty { gap = 0 }
    let list = levels.indent(of: next, in: flow.blocks, metrics: flow.context.metrics)
    var box = BlockBox(
      block, previous: previous, gap: gap, list: list, measure: flow.measure, context: flow.context)
    let first = flow.lines.count
    if box.isBoxed {
      if !(previous?.style.isBoxed ?? false) { isFramed = fitsFrame() }
      if !isFramed { box.leaveFrame(measure: flow.measure) }
    }
    if box.isBoxed, !(previous?.style.isBoxed ?? false) {
      add(.boxTop, gap: gap, flags: .glued, at: block.range.lowerBound, to: block.range.lowerBound)
      gap = 0
    }
    let content = flow.lines.count
    switch block.content {
    case .text(let text): setText(text, block, &box, gap: gap)
    case .preformatted(let text): setPreformatted(text, block, &box, gap: gap)
    case .rule:
      add(.rule, gap: gap, flags: [.first, .last], at: block.range.lowerBound, to: block.range.upperBound)
    case .image(let image): setImage(image, block, box, gap: gap)
    case .table(let table): setTable(table, block, box, gap: gap)
    }
    flow.boxes.append(box)
    keepTogether(content, block: block, previous: previous, following: following)
    if box.isBoxed, !(following?.style.isBoxed ?? false) {
      if content < flow.lines.count { flow.lines[flow.lines.count - 1].flags.insert(.glued) }
      let end = Int(flow.lines.last?.offsetEnd ?? Int32(clamping: block.range.upperBound))
      add(.boxBottom, gap: 0, flags: [], at: end, to: end)
    }
    breakPages(first, block: block, previous: previous)
    next += 1
    return true
  }

  /// A frame around more than a page is no frame: it only takes room.
  private func fitsFrame() -> Bool {
    let most = flow.measure * flow.context.rows / 2
    var cells = 0
    for block in flow.blocks[next...] {
      guard block.style.isBoxed else { break }
      cells += max(block.range.count, flow.measure / 2)
      if cells > most { return false }
    }
    return true
  }

  // MARK: - Contents

  private mutating func setText(_ text: InlineText, _ block: Block, _ box: inout BlockBox, gap: Int) {
    let context = flow.context
    box.ruby = RubyRule.place(text, width: box.width, settings: context.settings, metrics: context.metrics)
    scratch.flat.fill(text, isPreformatted: false, ruby: box.ruby, metrics: context.metrics)
    if scratch.flat.hasRightToLeft || block.style.direction == .rightToLeft || context.direction == .rightToLeft {
      box.isRightToLeft = DirectionRule.isRightToLeft(block, scratch.flat, context: context)
      box.isBidirectional = scratch.flat.hasRightToLeft || box.isRightToLeft
    }
    let language = block.style.language ?? context.language
    let hyphenates = context.settings.hyphenation && Self.mayHyphenate(block.role) && box.width >= 16
    if !block.style.noWrap {
      BreakRules.find(
        in: scratch.flat, language: language, softHyphens: context.settings.hyphenation, into: &scratch.breaks)
    } else {
      BreakRules.find(in: scratch.flat, language: language, softHyphens: false, into: &scratch.breaks)
    }
    var shape = ParagraphBreaker.Shape.ragged
    if box.isJustified {
      shape = .justified
    } else if box.edge == .center || block.role.isHeading {
      shape = .balanced
    }
    scratch.breaker.divide(
      scratch.flat, breaks: scratch.breaks, first: max(box.width - box.firstIndent, 1),
      rest: max(box.width - box.hang, 1), hangs: block.role == .verse, shape: shape,
      patterns: { hyphenates && !language.isEmpty ? HyphenLibrary.shared.patterns(for: language) : nil })
    append(block, box, gap: gap)
  }

  private static func mayHyphenate(_ role: Block.Role) -> Bool {
    switch role {
    case .body, .listItem, .quote, .note, .caption: true
    case .heading, .sceneBreak, .verse, .code, .definitionTerm, .label: false
    }
  }

  /// The breaker's lines as records.
  private mutating func append(_ block: Block, _ box: BlockBox, gap: Int) {
    let lines = scratch.breaker.lines
    let flat = scratch.flat
    let number = Int32(next)
    let leading = max(min(flow.context.settings.lineSpacing, 3), 1) - 1
    if lines.isEmpty {
      guard let marker = block.marker, !marker.isEmpty else { return }
      add(.text, gap: gap, flags: [.first, .last, .ending], at: block.range.lowerBound, to: block.range.upperBound)
      return
    }
    var isFresh = true
    var span = 0
    func offset(_ index: Int) -> Int32 {
      guard index < flat.scalars.count else { return Int32(clamping: flat.offset(at: index)) }
      while span + 1 < flat.spans.count, flat.spans[span + 1].start <= index { span += 1 }
      return Int32(clamping: flat.offset(at: index, in: flat.spans[span]))
    }
    var start = offset(0)
    for (index, line) in lines.enumerated() {
      let end = max(index == lines.count - 1 ? offset(flat.scalars.count) : offset(line.next), start)
      var flags: LineRecord.Flags = []
      if index == 0 { flags.insert(.first) }
      if index == lines.count - 1 { flags.insert(.last) }
      if line.ending == .hyphen { flags.formUnion([.hyphen, .reluctant]) }
      if line.isStretched { flags.insert(.stretched) }
      if line.isLast { flags.insert(.ending) }
      let hasRuby = flat.rubies.contains { $0.range.overlaps(line.start..<line.end) }
      if hasRuby { flags.insert(.ruby) }
      let isFirstOfLine = index == 0 || (isFresh && block.role == .verse)
      flow.lines.append(
        LineRecord(
          kind: .text, flags: flags, gap: UInt8(clamping: index == 0 ? gap : leading), height: hasRuby ? 2 : 1,
          block: number, start: Int32(line.start), end: Int32(line.end), offset: start, offsetEnd: end,
          indent: Int16(clamping: isFirstOfLine ? box.firstIndent : box.hang)))
      start = end
      isFresh = line.isLast
    }
  }

  private mutating func setPreformatted(_ text: InlineText, _ block: Block, _ box: inout BlockBox, gap: Int) {
    scratch.flat.fill(text, isPreformatted: true, tab: box.tab, ruby: .brackets, metrics: flow.context.metrics)
    box.ruby = .brackets
    let flat = scratch.flat
    let count = flat.scalars.count
    let room = box.width
    // Room for the mark, where there is any.
    let markWidth = room >= 8 ? 2 : 0
    var start = 0
    var isFirst = true
    func add(_ from: Int, _ to: Int, next: Int, wrapped: Bool, ending: Bool) {
      var flags: LineRecord.Flags = ending ? .ending : []
      if isFirst { flags.insert(.first) }
      if wrapped { flags.insert(.wrapped) }
      flow.lines.append(
        LineRecord(
          kind: .text, flags: flags, gap: UInt8(clamping: isFirst ? gap : 0), height: 1, block: Int32(self.next),
          start: Int32(from), end: Int32(to), offset: Int32(clamping: flat.offset(at: from)),
          offsetEnd: Int32(clamping: flat.offset(at: next)), indent: Int16(clamping: wrapped ? markWidth : 0)))
      isFirst = false
    }
    while start < count {
      let end = flat.scalars[start...].firstIndex(of: 0x0A) ?? count
      var from = start
      while true {
        let wrapped = from > start
        let place = Self.fit(flat, from: from, to: end, room: room - (wrapped ? markWidth : 0))
        let isLast = place >= end
        add(from, min(place, end), next: isLast ? min(end + 1, count) : place, wrapped: wrapped, ending: isLast)
        if isLast { break }
        from = place
      }
      start = end + 1
    }
    if let last = flow.lines.indices.last, !isFirst { flow.lines[last].flags.insert(.last) }
  }

  /// How far a row of preformatted text goes: to a blank or a bracket in its last third, else as far as it can.
  private static func fit(_ flat: FlatText, from: Int, to end: Int, room: Int) -> Int {
    var width = 0
    var index = from
    var good = -1
    while index < end {
      let advance = Int(max(flat.advances[index], 0))
      if width + advance > room, index > from { return good > 0 ? good : index }
      width += advance
      index += 1
      while index < end, flat.advances[index] == TextAdvance.continuation { index += 1 }
      let last = flat.scalars[index - 1]
      if width * 3 >= room * 2, last == 0x20 || last == 0x2C || last == 0x3B { good = index }
    }
    return end
  }

  private mutating func setImage(_ image: ImageReference, _ block: Block, _ box: BlockBox, gap: Int) {
    let frame = ImageFrame(image, offset: block.range.lowerBound, box: box, context: flow.context)
    guard flow.frames.count < Int(Int16.max) else { return }
    flow.frames.append(frame)
    let end = max(block.range.upperBound, block.range.lowerBound + 1)
    for row in 0..<frame.rows {
      var flags: LineRecord.Flags = row == frame.rows - 1 ? .last : .glued
      if row == 0 { flags.insert(.first) }
      add(.image, gap: row == 0 ? gap : 0, flags: flags, at: row == 0 ? block.range.lowerBound : end, to: end)
      let last = flow.lines.count - 1
      flow.lines[last].start = Int32(row)
      flow.lines[last].index = Int16(flow.frames.count - 1)
    }
  }

  private mutating func setTable(_ table: Table, _ block: Block, _ box: BlockBox, gap: Int) {
    guard flow.tables.count < Int(Int16.max) else { return }
    let grid = TableGrid(table, block: block, width: box.width, context: flow.context, depth: depth)
    flow.tables.append(grid)
    // A blank row is a gap, which vanishes at the top of a page.
    var blank = gap
    for (row, line) in grid.rows.enumerated() {
      if line.kind == .blank {
        blank += 1
        if line.isGlued { flow.lines[flow.lines.count - 1].flags.insert(.glued) }
        continue
      }
      var flags: LineRecord.Flags = []
      if row == 0 { flags.insert(.first) }
      if row == grid.rows.count - 1 { flags.insert(.last) }
      if line.isGlued { flags.insert(.glued) }
      add(.table, gap: blank, flags: flags, at: line.range.lowerBound, to: line.range.upperBound)
      blank = 0
      let last = flow.lines.count - 1
      flow.lines[last].start = Int32(row)
      flow.lines[last].index = Int16(flow.tables.count - 1)
    }
  }

  private mutating func add(_ kind: LineRecord.Kind, gap: Int, flags: LineRecord.Flags, at offset: Int, to end: Int) {
    flow.lines.append(
      LineRecord(
        kind: kind, flags: flags, gap: UInt8(clamping: gap), height: 1, block: Int32(next), start: 0, end: 0,
        offset: Int32(clamping: offset), offsetEnd: Int32(clamping: max(end, offset)), indent: 0))
  }

  // MARK: - Breaks between pages

  private mutating func keepTogether(_ first: Int, block: Block, previous: Block?, following: Block?) {
    let last = flow.lines.count - 1
    guard last >= first else { return }
    func glue(_ index: Int) { flow.lines[index].flags.insert(.glued) }
    switch block.content {
    case .text, .preformatted:
      // Two lines at least on either side.
      if last > first {
        glue(first)
        glue(last - 1)
      }
    case .rule, .image, .table: break
    }
    var isWhole = block.style.breakInside == .avoid && last - first < flow.context.rows
    var isLeading = block.style.breakAfter == .avoid
    switch block.role {
    case .heading:
      isWhole = true
      isLeading = true
    case .sceneBreak, .label: isLeading = true
    // A list of nothing but terms is no chain.
    case .definitionTerm: isLeading = following?.role != .definitionTerm
    case .caption: if case .table = following?.content { isLeading = true }
    case .body, .listItem, .quote, .verse, .code, .note: break
    }
    if case .image = block.content, following?.role == .caption { isLeading = true }
    if isWhole, last > first { for index in first..<last { glue(index) } }
    if isLeading, following != nil { glue(last) }
    if first > 0, block.style.breakBefore == .avoid { glue(first - 1) }
    if first > 0, block.role == .sceneBreak || block.content == .rule {
      flow.lines[first - 1].flags.insert(.reluctant)
      glue(last)
    }
  }

  private mutating func breakPages(_ first: Int, block: Block, previous: Block?) {
    var starts = startsPage || block.style.breakBefore == .page
    if let chapterLevel, block.role == .heading(level: chapterLevel), let previous, !previous.role.isHeading {
      starts = true
    }
    if first < flow.lines.count {
      if starts, first > 0 { flow.lines[first].flags.insert(.newPage) }
      startsPage = false
    } else if starts {
      startsPage = true
      return
    }
    if block.style.breakAfter == .page { startsPage = true }
  }
}

/// Storage that one paragraph leaves to the next.
struct TypeScratch: Sendable {
  var flat = FlatText()
  var breaks: [Int8] = []
  var breaker = ParagraphBreaker()
}
