/// Divides a flow's rows into pages while the flow still grows.
struct PageBuilder: Sendable {
  struct Entry: Sendable {
    /// The first row of the page in the flow, and behind the last.
    var first: Int
    var end: Int
    /// The table whose header is repeated on top; -1: none.
    var header = -1
    var start = 0
    var range = 0..<0
  }

  private(set) var entries: [Entry] = []
  private let rows: Int
  /// Whether a page is so small that one without a place of its own is better left out: places and pages agree then.
  private let isTiny: Bool
  /// Where the next page begins, and which header it repeats.
  private var first = 0
  private var header = -1
  /// Behind the last place that pages so far have shown.
  private var offset = 0

  init(rows: Int, measure: Int) {
    self.rows = rows
    isTiny = rows * measure < 40
  }

  /// Adds every page that the rows so far decide.
  mutating func extend(_ flow: Flow, isComplete: Bool) {
    while let end = end(in: flow, isComplete: isComplete) {
      let lines = flow.lines[first..<end]
      // A page starts with the first place that no earlier page has shown.
      var start = offset
      if let line = lines.first(where: { Int($0.offsetEnd) > offset }) { start = max(offset, Int(line.offset)) }
      let last = lines.reduce(start) { max($0, Int($1.offsetEnd)) }
      if last > offset || !isTiny || offset == 0 {
        // Brackets, labels and the like have no place of their own: a page of nothing else has the last one before.
        if last <= offset, let before = entries.last { start = max(before.start, offset - 1) }
        entries.append(Entry(first: first, end: end, header: header, start: start, range: start..<max(last, offset)))
      }
      offset = max(offset, last)
      header = Self.header(flow, before: end, rows: rows)
      first = end
    }
  }

  /// Behind the last row of the next page; nil: not known yet, or there is none.
  private func end(in flow: Flow, isComplete: Bool) -> Int? {
    let lines = flow.lines
    guard first < lines.count else { return nil }
    let room = rows - (header >= 0 ? flow.tables[header].headerRows : 0)
    var used = 0
    var best: Int?
    var bestCost = Int.max
    // Where a page may end if it must: not inside a picture.
    var fallback: Int?
    var index = first
    while index < lines.count {
      let line = lines[index]
      if index > first, line.flags.contains(.newPage) { return index }
      used += (index > first ? Int(line.gap) : 0) + Int(line.height)
      if used > room { break }
      if !line.flags.contains(.glued) {
        let short = room - used
        let cost = short * short * 8 + (line.flags.contains(.reluctant) ? 60 : 0)
        if cost <= bestCost {
          bestCost = cost
          best = index + 1
        }
      } else if line.kind != .image {
        fallback = index + 1
      }
      index += 1
    }
    if index == lines.count, used <= room { return isComplete ? index : nil }
    // Everything is glued: break where the page is full.
    return best ?? fallback ?? max(index, first + 1)
  }

  /// Whether a page that begins at a row begins inside a table whose header it should repeat.
  private static func header(_ flow: Flow, before index: Int, rows: Int) -> Int {
    guard index < flow.lines.count, index > 0 else { return -1 }
    let line = flow.lines[index]
    guard line.kind == .table, flow.lines[index - 1].kind == .table, flow.lines[index - 1].block == line.block
    else { return -1 }
    let grid = flow.tables[Int(line.index)]
    guard grid.headerRows > 0, Int(line.start) >= grid.headerStart + grid.headerRows, rows - grid.headerRows >= 3
    else { return -1 }
    return Int(line.index)
  }
}
