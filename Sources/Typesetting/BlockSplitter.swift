internal import Document

/// Divides blocks that are longer than any page needs: a book in one `pre`, a chapter in one paragraph. Then a page is
/// drawn from as much text as it shows, and not from megabytes.
enum BlockSplitter {
  /// Scalars from which on a block is divided, and about how many a part has.
  private static let limit = 32_768

  static func split(_ blocks: [Block]) -> [Block] {
    guard blocks.contains(where: isLong) else { return blocks }
    return blocks.flatMap { isLong($0) ? parts(of: $0) : [$0] }
  }

  private static func isLong(_ block: Block) -> Bool {
    switch block.content {
    case .text(let text), .preformatted(let text):
      return text.runs.reduce(0) { $0 + $1.text.utf8.count } > limit * 2
    case .image, .rule, .table: return false
    }
  }

  private static func parts(of block: Block) -> [Block] {
    let text: InlineText
    let isPreformatted: Bool
    switch block.content {
    case .text(let content): (text, isPreformatted) = (content, false)
    case .preformatted(let content): (text, isPreformatted) = (content, true)
    case .image, .rule, .table: return [block]
    }
    var groups: [[InlineText.Run]] = [[]]
    var count = 0
    for run in text.runs {
      var rest = run
      while count + rest.text.utf8.count > limit, let (head, tail) = cut(rest, after: limit - count, isPreformatted) {
        if !head.text.isEmpty { groups[groups.count - 1].append(head) }
        groups.append([])
        count = 0
        rest = tail
      }
      groups[groups.count - 1].append(rest)
      count += rest.text.utf8.count
    }
    return blocks(groups.filter { !$0.isEmpty }, like: block, isPreformatted)
  }

  private static func blocks(_ groups: [[InlineText.Run]], like block: Block, _ isPreformatted: Bool) -> [Block] {
    groups.indices.map { index in
      var part = block
      let inline = InlineText(runs: groups[index])
      part.content = isPreformatted ? .preformatted(inline) : .text(inline)
      if index > 0 {
        part.marker = nil
        part.style.marginTop = 0
        part.style.textIndent = 0
        part.style.breakBefore = .auto
      }
      if index < groups.count - 1 {
        part.style.marginBottom = 0
        part.style.breakAfter = .auto
      }
      part.style.breakInside = .auto
      return part
    }
  }

  /// Cuts a run behind the last line or word that ends within so many scalars; by force where none does.
  /// - Returns: nil if the run is not longer.
  private static func cut(
    _ run: InlineText.Run, after most: Int, _ isPreformatted: Bool
  ) -> (InlineText.Run, InlineText.Run)? {
    let scalars = run.text.unicodeScalars
    var index = scalars.startIndex
    var count = 0
    var good: (index: String.UnicodeScalarView.Index, count: Int)?
    while index < scalars.endIndex, count < max(most, 1) {
      let scalar = scalars[index]
      index = scalars.index(after: index)
      count += 1
      if scalar == "\n" || (scalar == " " && !isPreformatted) { good = (index, count) }
    }
    // The end of a run is no place for a cut by force: the word may go on in the next.
    guard index < scalars.endIndex else { return nil }
    let place = good ?? (index, count)
    var head = run
    var tail = run
    head.text = String(scalars[..<place.index])
    tail.text = String(scalars[place.index...])
    switch run.offsets {
    case .from(let start): tail.offsets = .from(start + place.count)
    case .all: break
    case .each(let offsets):
      head.offsets = .each(Array(offsets.prefix(place.count)))
      tail.offsets = .each(Array(offsets.dropFirst(place.count)))
    }
    return (head, tail)
  }
}
