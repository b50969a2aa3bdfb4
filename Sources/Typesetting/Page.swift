/// One page as it is drawn: at most as many rows as the window has, each at most as wide as the page.
public struct Page: Sendable, Equatable {
  public var lines: [PageLine]
  /// The source's offsets that the page covers: from its first place to behind its last.
  public var range: Range<Int>

  public init(lines: [PageLine], range: Range<Int>) {
    self.lines = lines
    self.range = range
  }
}

/// What is asked of a page beyond its text.
public struct PageLook: Sendable, Equatable {
  /// Stretches of the source to set apart (marks, search results), ascending, without overlap; runs are divided at
  /// their ends, and `CellRun.highlight` is the index in this list.
  public var highlights: [Range<Int>]
  /// Logical order whatever the settings say: for pipes, speech and copying.
  public var isLogical: Bool

  public init(highlights: [Range<Int>] = [], isLogical: Bool = false) {
    self.highlights = highlights
    self.isLogical = isLogical
  }
}
