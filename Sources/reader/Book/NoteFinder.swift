internal import Document

/// Finds the text of a note that a link leads to.
struct NoteFinder {
  let content: any BookContent
  /// The document that is shown, so that it is not parsed again.
  let current: (spineIndex: Int, document: Document)

  /// The blocks to show in place of a jump; nil when the link is none to a note.
  func note(_ link: Link, _ target: ReaderModel.LinkTarget) -> [Block]? {
    guard let fragment = target.fragment, link.kind != .backlink else { return nil }
    // Taken out of the flow: there is nowhere to jump to.
    if target.spineIndex == current.spineIndex, let note = current.document.notes[fragment] { return note }
    guard link.kind == .noteReference else { return nil }
    return shown(content.note(in: content.outline.spine[target.spineIndex].href, fragment: fragment))
  }

  /// The text of a note in a file that is no part of the reading order.
  func note(in path: String, fragment: String?) -> [Block]? {
    fragment.flatMap { shown(content.note(in: path, fragment: $0)) }
  }

  /// A popup without a word is of no use.
  private func shown(_ blocks: [Block]?) -> [Block]? {
    guard let blocks, blocks.contains(where: { !$0.flowText.isEmpty }) else { return nil }
    return blocks
  }
}
