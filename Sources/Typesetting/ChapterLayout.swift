public import Document

/// A chapter's pages, as far as they are laid out.
public struct ChapterLayout: Sendable {
  public let document: Document
  public let geometry: Geometry
  public let settings: TypesettingSettings
  public let frame: PageFrame
  /// Whether the last page is known.
  public internal(set) var isComplete = false
  var lines: [PageLine] = []

  init(document: Document, geometry: Geometry, settings: TypesettingSettings) {
    self.document = document
    self.geometry = geometry
    self.settings = settings
    frame = PageFrame(geometry: geometry, settings: settings)
  }

  /// Pages so far, at least 1 when complete: an empty chapter is one empty page.
  public var pageCount: Int { max((lines.count + frame.rows - 1) / frame.rows, isComplete ? 1 : 0) }

  /// Windows full of pages: two pages each in a spread.
  public var screenCount: Int { (pageCount + frame.pagesPerScreen - 1) / frame.pagesPerScreen }

  /// A page's rows; pages count from 0.
  public func page(at index: Int, look: PageLook = PageLook()) -> Page {
    guard index >= 0, index < pageCount else { return Page(lines: [], range: 0..<0) }
    let slice = Array(lines.dropFirst(index * frame.rows).prefix(frame.rows))
    return Page(
      lines: slice, range: (slice.first?.range.lowerBound ?? 0)..<(slice.last?.range.upperBound ?? 0))
  }

  /// The page that shows a place; a place in hidden text is on the page of the next shown one.
  public func page(of offset: Int) -> Int {
    let line = lines.firstIndex { $0.range.upperBound > offset } ?? max(lines.count - 1, 0)
    return line / frame.rows
  }

  /// Where a page begins in the source. `page(of: offset(ofPage: n)) == n`.
  public func offset(ofPage index: Int) -> Int {
    guard !lines.isEmpty else { return 0 }
    return lines[min(max(index, 0) * frame.rows, lines.count - 1)].range.lowerBound
  }

  /// What a place on a page belongs to, for the mouse: rows and columns count from 0 at the page's corner.
  public func offset(onPage index: Int, row: Int, column: Int) -> Int? { nil }

  /// A page as text in logical order: lines joined by "\n", trailing blanks cut, no blank lines at its end.
  public func plainText(ofPage index: Int) -> String {
    page(at: index, look: PageLook(isLogical: true)).lines.map { line in
      var text = line.text
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }
}
