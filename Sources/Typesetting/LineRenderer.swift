internal import Document

/// Draws rows of a flow from their records. Keeps the text of the block that it drew last.
struct LineRenderer {
  /// A cluster in the order of the screen.
  struct Placed {
    var index: Int
    var end: Int
    /// Cells, the blanks that a stretched gap gains included.
    var width: Int
    /// Read from right to left.
    var isReversed: Bool
  }

  let flow: Flow
  let look: PageLook
  private var block = -1
  private(set) var flat = FlatText()
  private var levels: [Int8]?
  private var shaped: [UInt32]?
  var children: [Int: LineRenderer] = [:]
  /// The line at hand: the scalars that are its gaps, the cells that each of them gains, and its clusters.
  var gaps: [Int] = []
  private(set) var extras: [Int] = []
  var clusterCount = 0
  private var isWide: [Bool] = []

  init(_ flow: Flow, look: PageLook) {
    self.flow = flow
    self.look = look
  }

  /// Whether text is put into the order of the screen.
  private var reorders: Bool { !look.isLogical && flow.context.settings.bidi != .terminal }

  /// One row, or two where annotations stand above.
  mutating func rows(of index: Int) -> [PageLine] {
    let record = flow.lines[index]
    let box = flow.boxes[Int(record.block)]
    let range = Int(record.offset)..<max(Int(record.offsetEnd), Int(record.offset))
    var canvas = LineCanvas()
    var annotations = LineCanvas()
    let isMirrored = box.isRightToLeft && !look.isLogical
    switch record.kind {
    case .text: drawText(record, box, isMirrored: isMirrored, on: &canvas, annotations: &annotations)
    case .rule: drawRule(box, on: &canvas)
    case .table: return [drawTable(record, box, range: range)]
    case .image: return [drawImage(record, box, range: range)]
    case .boxTop, .boxBottom:
      let inner = String(repeating: "─", count: max(flow.measure - 2, 0))
      let text = record.kind == .boxTop ? "┌\(inner)┐" : "└\(inner)┘"
      canvas.place(text, width: flow.measure, kind: .decoration, role: .body, at: 0)
      return [PageLine(runs: canvas.finish(measure: flow.measure), range: range)]
    }
    var lines: [PageLine] = []
    if record.flags.contains(.ruby) {
      drawSides(box, isMirrored: isMirrored, on: &annotations)
      lines.append(
        PageLine(runs: annotations.finish(measure: flow.measure), range: range.lowerBound..<range.lowerBound))
    }
    drawSides(box, isMirrored: isMirrored, on: &canvas)
    lines.append(PageLine(runs: canvas.finish(measure: flow.measure), range: range))
    return lines
  }

  /// A blank row above a line: bars and frames go on through it.
  func gap(above index: Int) -> PageLine {
    let offset = Int(flow.lines[index].offset)
    var canvas = LineCanvas()
    if index > 0 {
      let box = flow.boxes[Int(flow.lines[index].block)]
      let before = flow.boxes[Int(flow.lines[index - 1].block)]
      var shared = BlockBox()
      shared.bars = min(box.bars, before.bars)
      shared.isBoxed =
        box.isBoxed && before.isBoxed && flow.lines[index].kind != .boxTop && flow.lines[index - 1].kind != .boxBottom
      drawSides(shared, isMirrored: box.isRightToLeft && !look.isLogical, on: &canvas)
    }
    return PageLine(runs: canvas.finish(measure: flow.measure), range: offset..<offset)
  }

  /// Frames and quotation bars.
  func drawSides(_ box: BlockBox, isMirrored: Bool, on canvas: inout LineCanvas) {
    var column = 0
    if box.isBoxed {
      canvas.place("│", width: 1, kind: .decoration, role: .body, at: 0)
      canvas.place("│", width: 1, kind: .decoration, role: .body, at: flow.measure - 1)
      column = 2
    }
    for _ in 0..<box.bars {
      canvas.place(
        "│", width: 1, kind: .decoration, role: .quote, at: isMirrored ? flow.measure - 1 - column : column)
      column += 2
    }
  }

  private func drawRule(_ box: BlockBox, on canvas: inout LineCanvas) {
    let length = min(max(box.width / 3, min(box.width, 3)), 24)
    canvas.place(
      String(repeating: "─", count: length), width: length, kind: .decoration, role: .sceneBreak,
      at: box.left + (box.width - length) / 2)
  }

  private func drawImage(_ record: LineRecord, _ box: BlockBox, range: Range<Int>) -> PageLine {
    let frame = flow.frames[Int(record.index)]
    let row = Int(record.start)
    let slice = ImageSlice(
      image: frame.image, column: frame.column, columns: frame.columns, rows: frame.rows, row: row)
    var canvas = LineCanvas()
    if look.isLogical || flow.context.settings.images == .frame {
      let text = frame.text(row: row, metrics: flow.context.metrics)
      canvas.place(
        CellRun(
          text: text, width: flow.context.metrics.width(of: text), kind: .alternative, link: frame.image.link,
          image: frame.image, range: range), at: frame.column)
    }
    drawSides(box, isMirrored: false, on: &canvas)
    return PageLine(
      runs: canvas.finish(measure: flow.measure), range: range,
      image: flow.context.settings.images == .box ? slice : nil)
  }

  // MARK: - Text

  mutating func load(_ number: Int) {
    guard block != number else { return }
    block = number
    levels = nil
    shaped = nil
    let box = flow.boxes[number]
    switch flow.blocks[number].content {
    case .text(let text):
      flat.fill(text, isPreformatted: false, ruby: box.ruby, metrics: flow.context.metrics)
    case .preformatted(let text):
      flat.fill(text, isPreformatted: true, tab: box.tab, ruby: .brackets, metrics: flow.context.metrics)
    case .image, .rule, .table:
      flat.fill(InlineText(), isPreformatted: false, ruby: .hidden, metrics: flow.context.metrics)
    }
    guard box.isBidirectional, reorders else { return }
    // A forced break ends no paragraph.
    let scalars = flat.scalars.map { $0 == 0x0A ? 0x2028 : $0 }
    levels = BidiHandle.levels(scalars[...], isRightToLeft: box.isRightToLeft)
    if let levels, flow.context.settings.bidi == .reorder {
      var forms = flat.scalars
      BidiHandle.shape(&forms, levels: levels)
      shaped = forms
    }
  }

  /// The clusters of a line in the order of the screen, blanks stretched.
  private mutating func clusters(of record: LineRecord, room: Int) -> [Placed] {
    load(Int(record.block))
    let box = flow.boxes[Int(record.block)]
    var placed: [Placed] = []
    var width = 0
    var gaps = 0
    var index = Int(record.start)
    let end = min(Int(record.end), flat.scalars.count)
    placed.reserveCapacity(end - index + 1)
    while index < end {
      var next = index + 1
      while next < end, flat.advances[next] == TextAdvance.continuation { next += 1 }
      var advance = Int(max(flat.advances[index], 0))
      if let shaped, shaped[index] == 0xFEFF { advance = 0 }
      if flat.scalars[index] == 0x0A { advance = 0 }
      placed.append(Placed(index: index, end: next, width: advance, isReversed: false))
      width += advance
      if isGap(index, from: Int(record.start)) { gaps += 1 }
      index = next
    }
    if levels != nil { reorder(&placed, isRightToLeft: box.isRightToLeft) }
    let hyphen = record.flags.contains(.hyphen) ? 1 : 0
    let extra = room - width - hyphen
    if record.flags.contains(.stretched), gaps > 0, extra > 0 {
      stretch(&placed, by: extra, from: Int(record.start))
    }
    return placed
  }

  /// The last blank of a stretch of blanks inside a line, or a blank that does not break.
  @inline(__always)
  func isGap(_ index: Int, from start: Int) -> Bool {
    let scalar = flat.scalars[index]
    if scalar == 0xA0 { return true }
    return scalar == 0x20 && index + 1 < flat.scalars.count && flat.scalars[index + 1] != 0x20 && index > start
  }

  private mutating func stretch(_ placed: inout [Placed], by extra: Int, from start: Int) {
    let found = placed.indices.filter { isGap(placed[$0].index, from: start) }
    gaps.removeAll(keepingCapacity: true)
    for index in found { gaps.append(placed[index].index) }
    spread(extra, clusters: placed.count, from: start)
    for (number, index) in found.enumerated() { placed[index].width += extras[number] }
  }

  /// Spreads cells over `gaps` evenly, behind punctuation rather than beside it. Where the row of wider gaps begins
  /// changes from line to line, so that no river of blanks forms.
  mutating func spread(_ extra: Int, clusters: Int, from start: Int) {
    let count = gaps.count
    extras.removeAll(keepingCapacity: true)
    isWide.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    let rest = extra % count
    extras.append(contentsOf: repeatElement(extra / count, count: count))
    isWide.append(contentsOf: repeatElement(false, count: count))
    let shift = (start &* 31 &+ clusters &* 17) % count
    for number in 0..<rest {
      var gap = (number * count * 2 + count + shift * 2 / rest) / (rest * 2) % count
      if !isFreeBehindPunctuation(gap) {
        if isFreeBehindPunctuation(gap + 1) { gap += 1 } else if isFreeBehindPunctuation(gap - 1) { gap -= 1 }
      }
      while isWide[gap] { gap = (gap + 1) % count }
      isWide[gap] = true
      extras[gap] += 1
    }
  }

  private func isFreeBehindPunctuation(_ gap: Int) -> Bool {
    gap >= 0 && gap < gaps.count && !isWide[gap] && isPunctuation(before: gaps[gap])
  }

  private func isPunctuation(before index: Int) -> Bool {
    guard index > 0 else { return false }
    switch flat.scalars[index - 1] {
    case 0x2E, 0x2C, 0x3B, 0x3A, 0x3F, 0x21, 0x201D, 0x2019, 0x2014, 0x29, 0xBB: return true
    default: return false
    }
  }

  /// Rules L1 and L2 of the bidirectional algorithm.
  private func reorder(_ placed: inout [Placed], isRightToLeft: Bool) {
    guard let levels, !placed.isEmpty else { return }
    let base: Int8 = isRightToLeft ? 1 : 0
    var line = placed.map { levels[$0.index] }
    var index = placed.count - 1
    while index >= 0, flat.scalars[placed[index].index] == 0x20 || flat.scalars[placed[index].index] == 0xA0 {
      line[index] = base
      index -= 1
    }
    for index in placed.indices { placed[index].isReversed = line[index] & 1 == 1 }
    guard var level = line.max(), let lowest = line.filter({ $0 & 1 == 1 }).min() else { return }
    while level >= lowest {
      var start = 0
      while start < placed.count {
        guard line[start] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < placed.count, line[end] >= level { end += 1 }
        placed[start..<end].reverse()
        line[start..<end].reverse()
        start = end
      }
      level -= 1
    }
    if flow.context.settings.bidi == .words { turnWords(&placed) }
  }

  private mutating func drawText(
    _ record: LineRecord, _ box: BlockBox, isMirrored: Bool, on canvas: inout LineCanvas,
    annotations: inout LineCanvas
  ) {
    let source = flow.blocks[Int(record.block)]
    let indent = Int(record.indent)
    let room = max(box.width - indent, 1)
    let placed = clusters(of: record, room: room)
    var runs = TextRuns(flat: flat, shaped: shaped, role: source.role, look: look, context: flow.context)
    let hyphenAtLeft = record.flags.contains(.hyphen) && box.isRightToLeft && levels != nil
    if hyphenAtLeft { runs.appendHyphen(after: Int(record.end) - 1) }
    for cluster in placed { runs.append(cluster, room: room) }
    if record.flags.contains(.hyphen), !hyphenAtLeft { runs.appendHyphen(after: Int(record.end) - 1) }
    let drawn = runs.finish()
    let width = drawn.reduce(0) { $0 + $1.width }
    let column = self.column(box, indent: indent, free: room - width, width: width, isMirrored: isMirrored)
    if let far = farEnd(of: drawn, box) {
      canvas.place(Array(drawn[..<far.first]), at: column)
      canvas.place(Array(drawn[far.first...]), at: far.column)
    } else {
      canvas.place(drawn, at: column)
    }
    if record.flags.contains(.wrapped), indent >= 2 {
      canvas.place("↪", width: 1, kind: .decoration, role: source.role, at: box.left)
    }
    if record.flags.contains(.first), let text = source.marker,
      let marker = marker(text, box, text: column, width: width, isMirrored: isMirrored)
    {
      canvas.place(marker.run, at: marker.column)
    }
    if record.flags.contains(.ruby) { annotate(placed, at: column, record: record, on: &annotations) }
  }

  /// The runs that end a line at its far edge, and where; nil where there are none, or they would tear a line apart.
  private func farEnd(of runs: [CellRun], _ box: BlockBox) -> (first: Int, column: Int)? {
    guard flat.hasFarEnd, !box.isRightToLeft, box.edge == .start || box.edge == .left,
      let first = runs.firstIndex(where: { $0.style.contains(.farEnd) }),
      runs[first...].allSatisfy({ $0.style.contains(.farEnd) })
    else { return nil }
    return (first, box.left + box.width - runs[first...].reduce(0) { $0 + $1.width })
  }

  func column(_ box: BlockBox, indent: Int, free: Int, width: Int, isMirrored: Bool) -> Int {
    let free = max(free, 0)
    let edge: BlockBox.Edge
    switch box.edge {
    case .left: edge = isMirrored ? .end : .start
    case .right: edge = isMirrored ? .start : .end
    case .start, .center, .end: edge = box.edge
    }
    let shift: Int
    switch edge {
    case .center: shift = free / 2
    case .end: shift = free
    case .start, .left, .right: shift = 0
    }
    let column = box.left + indent + shift
    return isMirrored ? max(flow.measure - column - width, 0) : column
  }

  /// The place in the source at a column of a line, or the nearest one to it.
  mutating func offset(of index: Int, column: Int) -> Int {
    let record = flow.lines[index]
    guard record.kind == .text else {
      if record.kind == .table { return tableOffset(record, column: column) }
      return Int(record.offset)
    }
    let box = flow.boxes[Int(record.block)]
    let room = max(box.width - Int(record.indent), 1)
    let placed = clusters(of: record, room: room)
    let width = placed.reduce(0) { $0 + $1.width }
    var left = self.column(
      box, indent: Int(record.indent), free: room - width, width: width,
      isMirrored: box.isRightToLeft && !look.isLogical)
    for cluster in placed {
      left += cluster.width
      if column < left { return flat.offset(at: cluster.index) }
    }
    return placed.last.map { flat.offset(at: $0.index) } ?? Int(record.offset)
  }
}
