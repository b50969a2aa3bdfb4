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
  private var setter: FlowSetter
  private var builder: PageBuilder
  private let document: Document
  private let geometry: Geometry
  private let frame: PageFrame
  private var isComplete = false

  /// - Parameter sizes: a picture's size in pixels, where somebody has looked; else what the book declares counts.
  public init(
    _ document: Document, geometry: Geometry, settings: TypesettingSettings = TypesettingSettings(),
    sizes: @escaping @Sendable (ImageReference) -> (width: Int, height: Int)? = { _ in nil }
  ) {
    self.document = document
    self.geometry = geometry
    frame = PageFrame(geometry: geometry, settings: settings)
    let context = Flow.Context(
      settings: settings, language: document.language ?? settings.language ?? "", direction: document.direction,
      rows: frame.rows, sizes: sizes, metrics: CellMetrics(countsClusters: settings.countsClusters))
    setter = FlowSetter(
      flow: Flow(blocks: BlockSplitter.split(document.blocks), measure: frame.measure, context: context))
    builder = PageBuilder(rows: frame.rows, measure: frame.measure)
  }

  /// What is laid out so far.
  public var layout: ChapterLayout {
    ChapterLayout(
      document: document, geometry: geometry, frame: frame, isComplete: isComplete, flow: setter.flow,
      entries: builder.entries)
  }

  /// Whether the last page is known.
  public var isFinished: Bool { isComplete }

  /// Lays out until the page exists or the chapter ends.
  /// - Returns: whether the page exists.
  @discardableResult
  public mutating func layOut(page: Int) -> Bool {
    while page >= builder.entries.count, !layOut(blocks: 4) {}
    return page < max(builder.entries.count, 1)
  }

  /// Lays out until the place is on a page.
  /// - Returns: that page.
  @discardableResult
  public mutating func layOut(offset: Int) -> Int {
    while builder.entries.last.map({ $0.range.upperBound <= offset }) ?? true, !layOut(blocks: 16) {}
    return layout.page(of: offset)
  }

  /// Goes on for so many blocks.
  /// - Returns: whether the chapter is finished.
  @discardableResult
  public mutating func layOut(blocks count: Int) -> Bool {
    guard !isComplete else { return true }
    for _ in 0..<max(count, 1) {
      guard setter.setNext() else {
        isComplete = true
        break
      }
    }
    builder.extend(setter.flow, isComplete: isComplete)
    return isComplete
  }

  public mutating func finish() {
    while !layOut(blocks: .max) {}
  }
}
