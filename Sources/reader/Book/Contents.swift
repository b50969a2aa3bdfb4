internal import Document

/// The chapters of a book as a reader sees them: the entries of its contents, or its documents where it has none.
///
/// A chapter begins at an anchor, not at a file: many chapters may share one file, and one may span several.
struct Chapters {
  let outline: BookOutline

  /// The entry that a place belongs to: the last one that begins at or before it.
  ///
  /// - Parameter document: of the place's own spine item, which its anchors are looked up in.
  func entry(at place: Place, in document: Document) -> Int? {
    var best: (index: Int, place: Place)?
    for (index, entry) in outline.contents.enumerated() {
      guard let spineIndex = entry.spineIndex, spineIndex <= place.spineIndex else { continue }
      let offset = spineIndex == place.spineIndex ? entry.offset(in: document) : 0
      let start = Place(spineIndex: spineIndex, offset: offset)
      // Of entries that begin at one place the innermost, the later one, names it.
      if start <= place, best.map({ $0.place <= start }) ?? true { best = (index, start) }
    }
    return best?.index
  }

  /// The title to show for a place: of its chapter, else of its document; nil when neither has one.
  func title(at place: Place, in document: Document) -> String? {
    if let index = entry(at: place, in: document) {
      return outline.contents[index].title
    }
    return outline.spine[place.spineIndex].title ?? document.title
  }

  /// Where chapters begin in the document itself, ascending. A document that no entry leads to begins one.
  private func starts(in document: Document, of spineIndex: Int) -> [Int] {
    let offsets = outline.contents.filter { $0.spineIndex == spineIndex }.map { $0.offset(in: document) }
    if offsets.isEmpty { return outline.contents.isEmpty ? [0] : [] }
    return Array(Set(offsets)).sorted()
  }

  /// The start of the next chapter after the pages that are shown.
  func next(after range: Range<Int>, of spineIndex: Int, content: any BookContent, document: Document) -> Place? {
    let end = max(range.upperBound, range.lowerBound + 1)
    if let offset = starts(in: document, of: spineIndex).first(where: { $0 >= end }) {
      return Place(spineIndex: spineIndex, offset: offset)
    }
    var index = outline.nextPaged(after: spineIndex)
    while let candidate = index {
      let offsets = starts(in: content.readableDocument(at: candidate).document, of: candidate)
      if let offset = offsets.first { return Place(spineIndex: candidate, offset: offset) }
      index = outline.nextPaged(after: candidate)
    }
    return nil
  }

  /// The start of this chapter, or of the former one when the pages shown begin with it.
  func previous(
    before range: Range<Int>, of spineIndex: Int, content: any BookContent, document: Document
  ) -> Place? {
    if let offset = starts(in: document, of: spineIndex).last(where: { $0 < range.lowerBound }) {
      return Place(spineIndex: spineIndex, offset: offset)
    }
    var index = outline.previousPaged(before: spineIndex)
    while let candidate = index {
      let offsets = starts(in: content.readableDocument(at: candidate).document, of: candidate)
      if let offset = offsets.last { return Place(spineIndex: candidate, offset: offset) }
      index = outline.previousPaged(before: candidate)
    }
    let start = Place(spineIndex: outline.firstPaged, offset: 0)
    return start < Place(spineIndex: spineIndex, offset: range.lowerBound) ? start : nil
  }
}
