internal import Document

/// Finds a saved position in a book whose text may have changed: by its place, else by the words around it.
struct PositionFinder {
  let content: any BookContent

  /// The place in an edition of the same text: where the numbers say it is.
  func place(ofKnown position: Position) -> Place? {
    guard content.outline.spine.indices.contains(position.spineIndex) else { return nil }
    return Place(spineIndex: position.spineIndex, offset: position.offset)
  }

  /// The place in another edition, where the same words stand; nil where they do not.
  ///
  /// Documents are tried in the order in which they are likely: the same idref, the same index, its neighbours, all.
  func place(ofInherited position: Position) -> Place? {
    guard !position.before.isEmpty || !position.after.isEmpty else { return nil }
    for index in candidates(position) {
      let document = content.readableDocument(at: index).document
      if let offset = Self.offset(of: position, in: document) {
        return Place(spineIndex: index, offset: offset)
      }
    }
    return nil
  }

  private func candidates(_ position: Position) -> [Int] {
    let spine = content.outline.spine
    var order: [Int] = spine.indices.filter { !position.idref.isEmpty && spine[$0].idref == position.idref }
    order += spine.indices.sorted { abs($0 - position.spineIndex) < abs($1 - position.spineIndex) }
    var seen: Set<Int> = []
    return order.filter { seen.insert($0).inserted }
  }

  /// Where the words stand: all of them; else only those after, or only those before, if they stand there once.
  static func offset(of position: Position, in document: Document) -> Int? {
    let text = FlattenedText(document)
    let before = Array(position.before.unicodeScalars)
    let after = Array(position.after.unicodeScalars)
    let whole = text.starts(of: before + after)
    if !whole.isEmpty {
      // The nearest to where it was, when the words are repeated.
      let best = whole.min {
        abs(text.offset(at: $0 + before.count) - position.offset)
          < abs(text.offset(at: $1 + before.count) - position.offset)
      }
      return best.map { text.offset(at: $0 + before.count) }
    }
    let following = after.count >= 12 ? text.starts(of: after) : []
    if following.count == 1 { return text.offset(at: following[0]) }
    let leading = before.count >= 12 ? text.starts(of: before) : []
    if leading.count == 1 { return text.offset(at: leading[0] + before.count) }
    return nil
  }
}

/// A document's shown text in one piece, white space collapsed to single blanks, blocks divided by a blank.
struct FlattenedText {
  private(set) var scalars: [Unicode.Scalar] = []
  private var offsets: [Int] = []

  init(_ document: Document) {
    for block in document.blocks {
      if let first = block.flowText.first { append(" ", first.offset) }
      for place in block.flowText { append(place.scalar, place.offset) }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ offset: Int) {
    if scalar.properties.isWhitespace {
      guard let last = scalars.last, last != " " else { return }
      scalars.append(" ")
    } else {
      scalars.append(scalar)
    }
    offsets.append(offset)
  }

  func offset(at index: Int) -> Int {
    offsets.isEmpty ? 0 : offsets[min(max(0, index), offsets.count - 1)]
  }

  /// Where a sequence begins; at most a thousand places.
  func starts(of words: [Unicode.Scalar]) -> [Int] {
    guard let first = words.first, words.count <= scalars.count else { return [] }
    var found: [Int] = []
    for start in 0...(scalars.count - words.count) where scalars[start] == first {
      if words.indices.allSatisfy({ scalars[start + $0] == words[$0] }) {
        found.append(start)
        if found.count == 1000 { break }
      }
    }
    return found
  }
}
