public import Document

/// Finds a query in documents, one after the other: each gives its matches as soon as it has been looked at.
public struct Searcher: ~Copyable {
  private let query: SearchQuery
  private let needle: [UInt8]
  private let expression: Expression?
  private var text: FoldedText

  /// - Throws: `badExpression`.
  public init(_ query: SearchQuery) throws(SearchError) {
    self.query = query
    if query.options.contains(.regularExpression) {
      // The expression tells cases apart itself; folding would turn `\D` into `\d`.
      let folding = query.options.union([.matchCase, .matchDiacritics])
      expression = try Expression(query.text, isCaseless: !query.options.contains(.matchCase))
      needle = []
      text = FoldedText(options: folding)
    } else {
      expression = nil
      needle = FoldedText.fold(query.text, query.options)
      text = FoldedText(options: query.options)
    }
  }

  /// The matches within the document's blocks, in reading order; a match never spans two blocks.
  ///
  /// - Parameter limit: at most so many.
  /// - Throws: `tooExpensive`, for a regular expression.
  public mutating func matches(in document: Document, limit: Int = .max) throws(SearchError) -> [SearchMatch] {
    var found: [SearchMatch] = []
    try search(document.blocks, limit, into: &found)
    let notes = document.notes.values.sorted { ($0.first?.range.lowerBound ?? 0) < ($1.first?.range.lowerBound ?? 0) }
    for blocks in notes { try search(blocks, limit, into: &found) }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
    return found
  }

  private mutating func search(_ blocks: [Block], _ limit: Int, into found: inout [SearchMatch]) throws(SearchError) {
    for block in blocks {
      switch block.content {
      case .text(let inline), .preformatted(let inline):
        try search(inline, limit, into: &found)
      case .image(let image):
        if let alt = image.alt, !alt.isEmpty {
          try search(
            InlineText(runs: [.init(text: alt, offsets: .all(block.range.lowerBound))]), limit, into: &found)
        }
      case .rule:
        break
      case .table(let table):
        if let caption = table.caption { try search(caption, limit, into: &found) }
        for row in table.rows {
          for cell in row.cells { try search(cell.blocks, limit, into: &found) }
        }
      }
      if found.count >= limit { return }
    }
  }

  private mutating func search(
    _ inline: InlineText, _ limit: Int, into found: inout [SearchMatch]
  ) throws(SearchError) {
    text.load(inline)
    var start = 0
    while start < text.bytes.count, found.count < limit, let range = try firstMatch(from: start) {
      if !query.options.contains(.wholeWords) || text.isWholeWord(range) { found.append(text.match(range)) }
      start = range.upperBound
    }
  }

  private func firstMatch(from start: Int) throws(SearchError) -> Range<Int>? {
    guard expression == nil else { return try expression?.firstMatch(in: text.bytes, from: start) }
    let last = text.bytes.count - needle.count
    guard start <= last else { return nil }
    return text.bytes.withUnsafeBytes { bytes in
      for place in start...last where bytes[place] == needle[0] {
        if bytes[place..<(place + needle.count)].elementsEqual(needle) { return place..<(place + needle.count) }
      }
      return nil
    }
  }
}
