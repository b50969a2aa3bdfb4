public import Document

/// A chapter's pages, as far as they are laid out.
public struct ChapterLayout: Sendable {
  public let document: Document
  public let geometry: Geometry
  public let frame: PageFrame
  /// Whether the last page is known.
  public let isComplete: Bool
  let flow: Flow
  let entries: [PageBuilder.Entry]

  /// Lays a whole chapter out at once.
  public init(_ document: Document, geometry: Geometry, settings: TypesettingSettings = TypesettingSettings()) {
    var typesetter = ChapterTypesetter(document, geometry: geometry, settings: settings)
    typesetter.finish()
    self = typesetter.layout
  }

  init(
    document: Document, geometry: Geometry, frame: PageFrame, isComplete: Bool, flow: Flow,
    entries: [PageBuilder.Entry]
  ) {
    self.document = document
    self.geometry = geometry
    self.frame = frame
    self.isComplete = isComplete
    self.flow = flow
    self.entries = entries
  }

  public var settings: TypesettingSettings { flow.context.settings }

  /// Pages so far; an empty chapter is one empty page.
  public var pageCount: Int { max(entries.count, isComplete ? 1 : 0) }

  /// Windows full of pages: two pages each in a spread.
  public var screenCount: Int { (pageCount + frame.pagesPerScreen - 1) / frame.pagesPerScreen }

  /// A page's rows; pages count from 0.
  ///
  /// Draws them anew from their text, in well under a millisecond. Outside the range: a page without rows.
  public func page(at index: Int, look: PageLook = PageLook()) -> Page {
    guard entries.indices.contains(index) else { return Page(lines: [], range: 0..<0) }
    let entry = entries[index]
    var renderer = LineRenderer(flow, look: look)
    var lines: [PageLine] = []
    for row in rows(of: index) {
      switch row {
      case .gap(let line): lines.append(renderer.gap(above: line))
      case .header(let line):
        var repeated = renderer.rows(of: line)
        // It is shown again, not read again.
        for index in repeated.indices {
          repeated[index].range = entry.start..<entry.start
          for run in repeated[index].runs.indices { repeated[index].runs[run].range = 0..<0 }
        }
        lines += repeated
      case .line(let line): lines += renderer.rows(of: line)
      }
    }
    if lines.count > frame.rows { lines.removeFirst(lines.count - frame.rows) }
    return Page(lines: lines, range: entry.range)
  }

  /// The page that shows a place; a place in hidden text is on the page of the next shown one.
  public func page(of offset: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    var page = min(low, max(entries.count - 1, 0))
    // What has no place of its own at a chapter's beginning is read before what has.
    while page > 0, entries[page - 1].range.isEmpty, entries[page - 1].start == entries[page].start { page -= 1 }
    return page
  }

  /// What of the source a page shows; nothing outside the range of pages.
  public func range(ofPage index: Int) -> Range<Int> {
    entries.indices.contains(index) ? entries[index].range : 0..<0
  }

  /// Where a page begins in the source. `page(of: offset(ofPage: n)) == n`; of a page that shows nothing of the source
  /// but, say, a long label, the last place before it, which is on an earlier page.
  public func offset(ofPage index: Int) -> Int {
    guard !entries.isEmpty else { return 0 }
    return entries[min(max(index, 0), entries.count - 1)].start
  }

  /// What a place on a page belongs to, for the mouse: rows and columns count from 0 at the page's corner.
  /// - Returns: nil between lines and where nothing of the source stands.
  public func offset(onPage index: Int, row: Int, column: Int) -> Int? {
    guard entries.indices.contains(index), row >= 0 else { return nil }
    var renderer = LineRenderer(flow, look: PageLook())
    var top = 0
    for entry in rows(of: index) {
      switch entry {
      case .gap, .header: top += 1
      case .line(let line):
        top += Int(flow.lines[line].height)
        if row < top { return renderer.offset(of: line, column: column) }
      }
      if row < top { return nil }
    }
    return nil
  }

  /// A page as text in logical order: lines joined by "\n", trailing blanks cut, no blank lines at its end.
  public func plainText(ofPage index: Int) -> String {
    var writer = PlainTextWriter(self)
    var text: [UInt8] = []
    writer.append(page: index, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: - Rows

  enum Row {
    case gap(Int)
    case header(Int)
    case line(Int)
  }

  /// What stands on a page from top to bottom; a page that is a row or two short is let out above its headings.
  func rows(of index: Int) -> [Row] {
    let entry = entries[index]
    var rows: [Row] = []
    if entry.header >= 0 {
      let grid = flow.tables[entry.header]
      // The table's rows in the flow end before this page's first one.
      var line = entry.first
      while line > 0, flow.lines[line - 1].kind == .table, Int(flow.lines[line - 1].index) == entry.header { line -= 1 }
      while line < entry.first {
        let row = Int(flow.lines[line].start)
        if row >= grid.headerStart, row < grid.headerStart + grid.headerRows { rows.append(.header(line)) }
        if row >= grid.headerStart + grid.headerRows { break }
        line += 1
      }
    }
    var used = rows.count
    var gaps = 0
    for line in entry.first..<entry.end {
      let gap = line > entry.first ? Int(flow.lines[line].gap) : 0
      used += gap + Int(flow.lines[line].height)
      if gap > 0, opensSection(line) { gaps += 1 }
    }
    var missing = frame.rows - used
    let isFull = entry.end < flow.lines.count && !flow.lines[entry.end].flags.contains(.newPage)
    if !isFull || missing > 2 || missing > gaps || frame.rows < 10 { missing = 0 }
    for line in entry.first..<entry.end {
      let record = flow.lines[line]
      var gap = line > entry.first ? Int(record.gap) : 0
      if gap > 0, missing > 0, opensSection(line) {
        gap += 1
        missing -= 1
      }
      for _ in 0..<gap { rows.append(.gap(line)) }
      rows.append(.line(line))
    }
    return rows
  }

  private func opensSection(_ line: Int) -> Bool {
    let record = flow.lines[line]
    return record.kind == .text && record.flags.contains(.first) && flow.blocks[Int(record.block)].role.isHeading
  }
}
