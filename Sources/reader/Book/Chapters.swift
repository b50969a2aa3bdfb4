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
    guard !outline.isAppendix(place.spineIndex) else { return nil }
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
      return title(ofEntry: index)
    }
    return outline.item(at: place.spineIndex)?.title ?? document.title
  }

  /// An entry's title; a mere number says what it is a part of: "A Scandal in Bohemia · II".
  private func title(ofEntry index: Int) -> String {
    let entry = outline.contents[index]
    guard entry.level > 1, entry.title.count <= 5,
      let parent = outline.contents[..<index].last(where: { $0.level < entry.level })
    else { return entry.title }
    return "\(parent.title) · \(entry.title)"
  }

  /// Where chapters begin in a document, ascending; without any contents every document begins one.
  func starts(in document: Document, of spineIndex: Int) -> [Int] {
    if outline.contents.isEmpty { return [0] }
    return Set(outline.contents.filter { $0.spineIndex == spineIndex }.map { $0.offset(in: document) }).sorted()
  }

  func next(after spineIndex: Int) -> Int? {
    outline.spine.indices.first { $0 > spineIndex && beginsChapter($0) }
  }

  func previous(before spineIndex: Int) -> Int? {
    outline.isAppendix(spineIndex) ? nil : outline.spine.indices.last { $0 < spineIndex && beginsChapter($0) }
  }

  private func beginsChapter(_ spineIndex: Int) -> Bool {
    outline.isPaged(spineIndex)
      && (outline.contents.isEmpty || outline.contents.contains { $0.spineIndex == spineIndex })
  }
}
