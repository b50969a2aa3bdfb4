internal import Document

/// Finds the text of a note that a link leads to.
struct NoteFinder {
  let content: any BookContent
  /// The document that is shown, so that it is not parsed again.
  let current: (spineIndex: Int, document: Document)

  /// The blocks to show in place of a jump; nil when the link is none to a note.
  func note(_ link: Link, _ target: ReaderModel.LinkTarget) -> [Block]? {
    guard let fragment = target.fragment, link.kind != .backlink else { return nil }
    let document =
      target.spineIndex == current.spineIndex
      ? current.document : content.readableDocument(at: target.spineIndex).document
    if let note = document.notes[fragment], !note.isEmpty { return note }
    guard link.kind == .noteReference, let offset = document.anchors[fragment] else { return nil }
    return blocks(at: offset, of: document)
  }

  /// The paragraph in which the anchor stands, and the following ones until the next note begins. One that holds only
  /// the note's number is followed by its text.
  private func blocks(at offset: Int, of document: Document) -> [Block]? {
    guard let first = document.blocks.firstIndex(where: { $0.range.upperBound > offset }) else { return nil }
    let others = document.anchors.values.filter { $0 > offset }.min() ?? Int.max
    var found = [document.blocks[first]]
    for block in document.blocks[(first + 1)...] {
      let isLabelOnly = letters(found) < 4
      guard isLabelOnly || block.role == .note && block.range.lowerBound < others, found.count < 50 else { break }
      found.append(block)
    }
    return found
  }

  private func letters(_ blocks: [Block]) -> Int {
    blocks.reduce(0) { count, block in
      count + block.flowText.prefix(10).count { $0.scalar.properties.isAlphabetic }
    }
  }
}
