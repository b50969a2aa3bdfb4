internal import Typesetting
internal import Document

extension Pager {
  /// The anchor with the words around it.
  var position: Position {
    let context = document.context(at: anchor.offset)
    return Position(
      spineIndex: anchor.spineIndex, idref: outline.spine[anchor.spineIndex].idref, offset: anchor.offset,
      before: context.before, after: context.after)
  }

  /// How much of the book is read with the pages that are shown, 0...1: 1 on the last page.
  var fraction: Double {
    let last = shownPages.last ?? page
    if let pages = map.pages, let number = map.number(ofPage: last, in: anchor.spineIndex) {
      return Double(number) / Double(pages)
    }
    let chapters = Double(max(1, outline.spine.count))
    let within = document.length > 0 ? Double(min(anchor.offset, document.length)) / Double(document.length) : 0
    return min(1, (Double(anchor.spineIndex) + within) / chapters)
  }

  /// Pages between the window and the next chapter of this document, or its end; nil until they are known.
  var pagesLeftInChapter: Int? {
    guard layout.isComplete else { return nil }
    let last = shownPages.last ?? page
    let starts = Chapters(outline: outline).starts(in: document, of: anchor.spineIndex)
    let next = starts.lazy.map { self.layout.page(of: $0) }.first { $0 > last } ?? layout.pageCount
    return next - last - 1
  }
}
