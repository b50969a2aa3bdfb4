/// Writes a chapter's pages as text in logical order.
///
/// Keeps the text of the block that it wrote last: the pages of a long paragraph, asked for in order, decode it once.
public struct PlainTextWriter {
  private let layout: ChapterLayout
  private var renderer: LineRenderer
  /// The rows of the page at hand, in UTF-8 without line breaks, and where each of them ends.
  private var rows: [UInt8] = []
  private var ends: [Int] = []

  public init(_ layout: ChapterLayout) {
    self.layout = layout
    renderer = LineRenderer(layout.flow, look: PageLook(isLogical: true))
  }

  /// Appends a page in UTF-8: lines joined by "\n", trailing blanks cut, no blank lines at the page's end.
  public mutating func append(page index: Int, to text: inout [UInt8]) {
    guard layout.entries.indices.contains(index) else { return }
    rows.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for row in layout.rows(of: index) {
      switch row {
      case .gap(let line): if renderer.isGapEmpty(above: line) { endRow() } else { append(renderer.gap(above: line)) }
      case .header(let line): appendDrawn(line)
      case .line(let line):
        if renderer.appendPlain(line, to: &rows) { endRow() } else { appendDrawn(line) }
      }
    }
    join(into: &text)
  }

  private mutating func appendDrawn(_ line: Int) {
    for drawn in renderer.rows(of: line) { append(drawn) }
  }

  private mutating func append(_ line: PageLine) {
    for run in line.runs { rows.append(contentsOf: run.text.utf8) }
    endRow()
  }

  private mutating func endRow() {
    let start = ends.last ?? 0
    while rows.count > start, rows.last == 0x20 { rows.removeLast() }
    ends.append(rows.count)
  }

  private func join(into text: inout [UInt8]) {
    var blank = 0
    let first = max(ends.count - layout.frame.rows, 0)
    for row in first..<ends.count {
      if row > first { blank += 1 }
      let start = row > 0 ? ends[row - 1] : 0
      guard ends[row] > start else { continue }
      text.append(contentsOf: repeatElement(0x0A, count: blank))
      text.append(contentsOf: rows[start..<ends[row]])
      blank = 0
    }
  }
}
