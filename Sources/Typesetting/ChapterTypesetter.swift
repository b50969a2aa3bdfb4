public import Document

/// Lays a chapter out step by step: the first page is there long before the last.
///
///     var typesetter = ChapterTypesetter(document, geometry: Geometry(columns: 80, rows: 24))
///     typesetter.layOut(page: 0)
///     let first = typesetter.layout.page(at: 0)
///     while !typesetter.layOut(blocks: 200) { /* look at the keyboard */ }
///     typesetter.layout.pageCount
///
/// A value: a copy goes on by itself, so it may be finished on another thread and handed back.
public struct ChapterTypesetter: Sendable {
  /// What is laid out so far.
  public private(set) var layout: ChapterLayout
  private var nextBlock = 0
  private let metrics = CellMetrics()

  public init(_ document: Document, geometry: Geometry, settings: TypesettingSettings = TypesettingSettings()) {
    layout = ChapterLayout(document: document, geometry: geometry, settings: settings)
  }

  /// Lays out until the page exists or the chapter ends.
  /// - Returns: whether the page exists.
  @discardableResult
  public mutating func layOut(page: Int) -> Bool {
    while page >= layout.pageCount - (layout.isComplete ? 0 : 1), !layOut(blocks: 1) {}
    return page < layout.pageCount
  }

  /// Lays out until the place is on a page.
  /// - Returns: that page.
  @discardableResult
  public mutating func layOut(offset: Int) -> Int {
    while layout.lines.last.map({ $0.range.upperBound <= offset }) ?? true, !layOut(blocks: 1) {}
    layOut(page: layout.page(of: offset))
    return layout.page(of: offset)
  }

  /// Goes on for about so many blocks.
  /// - Returns: whether the chapter is finished.
  @discardableResult
  public mutating func layOut(blocks count: Int) -> Bool {
    for _ in 0..<count {
      guard nextBlock < layout.document.blocks.count else {
        layout.isComplete = true
        return true
      }
      set(layout.document.blocks[nextBlock])
      nextBlock += 1
    }
    return false
  }

  public mutating func finish() {
    while !layOut(blocks: .max) {}
  }

  private mutating func set(_ block: Block) {
    let runs: [InlineText.Run]
    switch block.content {
    case .text(let text), .preformatted(let text): runs = text.runs
    case .image(let image):
      runs = [.init(text: "[\(image.alt ?? "image")]", offsets: .all(block.range.lowerBound), image: image)]
    case .rule: runs = [.init(text: "───", offsets: .all(block.range.lowerBound))]
    case .table(let table):
      for row in table.rows { for cell in row.cells { cell.blocks.forEach { set($0) } } }
      return
    }
    if !layout.lines.isEmpty { layout.lines.append(PageLine(range: block.range.lowerBound..<block.range.lowerBound)) }
    var line = PageLine(range: block.range.lowerBound..<block.range.lowerBound)
    var width = 0
    func flush() {
      layout.lines.append(line)
      line = PageLine(range: line.range.upperBound..<line.range.upperBound)
      width = 0
    }
    for run in runs {
      var index = 0
      for character in run.text {
        let wide = metrics.width(of: character)
        let start = run.offsets.offset(ofScalar: index)
        index += character.unicodeScalars.count
        let end = max(start + 1, run.offsets.offset(ofScalar: index))
        if character == "\n" || width + wide > layout.frame.measure { flush() }
        if character == "\n" { continue }
        if character == " " && width == 0 { continue }
        width += wide
        line.runs.append(
          CellRun(
            text: String(character), width: wide, kind: .text, style: run.style, role: block.role, link: run.link,
            range: start..<end))
        line.range = line.range.lowerBound..<max(end, line.range.lowerBound)
      }
    }
    flush()
  }
}
