internal import Typesetting
internal import Document

extension Pager {
  /// What is kept of where somebody is: the place in the book and how much of it is read. From the appendix nothing
  /// leads on, so there it is the place that was left for it.
  var progress: (position: Position, fraction: Double) { left ?? (position, fraction) }

  /// The anchor with the words around it.
  var position: Position {
    let context = document.context(at: anchor.offset)
    return Position(
      spineIndex: anchor.spineIndex, idref: outline.item(at: anchor.spineIndex)?.idref ?? "", offset: anchor.offset,
      before: context.before, after: context.after)
  }

  /// How much of the book is read with the pages that are shown, 0...1: 1 on the last page.
  var fraction: Double {
    if let left { return left.fraction }
    let last = shownPages.last ?? page
    if let pages = map.pages, let number = map.number(ofPage: last, in: anchor.spineIndex) {
      return Double(number) / Double(pages)
    }
    let chapters = Double(max(1, outline.spine.count))
    let within = document.length > 0 ? Double(min(anchor.offset, document.length)) / Double(document.length) : 0
    return min(1, (Double(anchor.spineIndex) + within) / chapters)
  }

  /// Whether the chapter that the window shows begins and ends in it, and no other one does.
  var isChapterOfOnePage: Bool {
    let starts = Chapters(outline: outline).starts(in: document, of: anchor.spineIndex)
    return pagesLeftInChapter == 0 && starts.contains { layout.page(of: $0) == page }
  }

  /// Pages behind the window that hold something of this chapter; nil until they are known.
  var pagesLeftInChapter: Int? {
    guard layout.isComplete else { return nil }
    let last = shownPages.last ?? page
    let starts = Chapters(outline: outline).starts(in: document, of: anchor.spineIndex)
    guard let next = starts.first(where: { layout.page(of: $0) > last }) else { return layout.pageCount - last - 1 }
    let end = layout.page(of: next)
    // The next chapter may begin below the end of this one.
    return end - last - (next > layout.offset(ofPage: end) ? 0 : 1)
  }
}
