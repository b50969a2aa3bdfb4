internal import Document
internal import Typesetting

/// A book laid out for a window, and where somebody is in it.
///
/// The anchor is the place that the reader chose last: the start of a page that was turned to, the target of a jump.
/// Another size of the window shows the page that holds it and leaves it alone, so that any sequence of resizes ends
/// where it began.
final class Pager {
  /// What a turn came to.
  enum Turn: Sendable, Equatable {
    case moved
    /// Already the first page; nothing happened.
    case atStart
    /// Already the last page; nothing happened.
    case atEnd
  }

  let content: any BookContent
  private(set) var geometry: Geometry
  private(set) var settings: TypesettingSettings
  private(set) var anchor: Place
  /// The page of `anchor` within its chapter, from 0; in a spread the left one.
  private(set) var page = 0
  private(set) var map: BookMap
  /// Where `back` leads: the places that were left by a jump, newest last.
  private(set) var trail: [Place] = []
  private static let trailLimit = 100
  /// Where the book itself was left for its appendix: the place that is kept when reading ends there.
  private(set) var left: (position: Position, fraction: Double)?

  private var typesetter: ChapterTypesetter
  /// Chapters that were left or are likely to come, laid out for this window; at most two.
  private var neighbours: [(spineIndex: Int, typesetter: ChapterTypesetter)] = []

  init(content: any BookContent, geometry: Geometry, settings: TypesettingSettings, place: Place? = nil) {
    self.content = content
    self.geometry = geometry
    self.settings = settings
    let first = Place(spineIndex: content.outline.firstPaged, offset: 0)
    anchor = place.flatMap { content.outline.item(at: $0.spineIndex) == nil ? nil : $0 } ?? first
    map = BookMap(outline: content.outline)
    typesetter = content.typesetter(
      for: content.readableDocument(at: anchor.spineIndex).document, geometry: geometry, settings: settings)
    settle()
  }

  var outline: BookOutline { content.outline }
  var layout: ChapterLayout { typesetter.layout }
  var frame: PageFrame { typesetter.layout.frame }
  var document: Document { typesetter.layout.document }
  private var step: Int { frame.pagesPerScreen }

  /// The pages that the window shows, one or two.
  var shownPages: [Int] {
    (page..<(page + step)).filter { $0 < layout.pageCount || $0 == page }
  }

  /// The source's offsets that the window shows.
  var shownRange: Range<Int> {
    let start = layout.offset(ofPage: page)
    let end = shownPages.map { layout.range(ofPage: $0).upperBound }.max() ?? start
    return start..<max(start, end)
  }

  // MARK: Turning

  func next() -> Turn {
    if typesetter.layOut(page: page + step) {
      show(page: page + step)
      return .moved
    }
    note()
    guard let following = outline.nextPaged(after: anchor.spineIndex) else { return .atEnd }
    enter(following)
    show(page: 0)
    return .moved
  }

  func previous() -> Turn {
    if page > 0 {
      show(page: max(0, page - step))
      return .moved
    }
    guard let former = outline.previousPaged(before: anchor.spineIndex) else { return .atStart }
    enter(former)
    typesetter.finish()
    note()
    show(page: layout.pageCount - 1)
    return .moved
  }

  func first() -> Turn {
    let target = Place(spineIndex: outline.firstPaged, offset: 0)
    if anchor.spineIndex == target.spineIndex, page == 0 { return .atStart }
    jump(to: target)
    return .moved
  }

  func last() -> Turn {
    let before = (anchor.spineIndex, page)
    remember()
    enter(outline.lastPaged)
    typesetter.finish()
    note()
    show(page: layout.pageCount - 1)
    if before == (anchor.spineIndex, page) {
      trail.removeLast()
      return .atEnd
    }
    return .moved
  }

  /// The start of the next chapter that is not in the window yet.
  func nextChapter() -> Turn {
    let start = layout.offset(ofPage: page)
    for offset in chapters.starts(in: document, of: anchor.spineIndex) where offset > start {
      if typesetter.layOut(offset: offset) >= page + step {
        jump(to: Place(spineIndex: anchor.spineIndex, offset: offset))
        return .moved
      }
    }
    guard let following = chapters.next(after: anchor.spineIndex) else { return .atEnd }
    remember()
    enter(following)
    anchor.offset = chapters.starts(in: document, of: following).first ?? 0
    settle()
    return .moved
  }

  /// The start of this chapter, or of the former one when this one begins in the window.
  func previousChapter() -> Turn {
    let before = chapters.starts(in: document, of: anchor.spineIndex).last { layout.page(of: $0) < page }
    if let before {
      jump(to: Place(spineIndex: anchor.spineIndex, offset: before))
      return .moved
    }
    guard let former = chapters.previous(before: anchor.spineIndex) else {
      return first()
    }
    remember()
    enter(former)
    anchor.offset = chapters.starts(in: document, of: former).last ?? 0
    settle()
    return .moved
  }

  /// The title of the chapter that the window begins in.
  var chapterTitle: String? {
    // A chapter that begins on this page names it, wherever on the page that is.
    let end = layout.range(ofPage: page).upperBound
    let place = Place(spineIndex: anchor.spineIndex, offset: max(layout.offset(ofPage: page), end - 1))
    return chapters.title(at: place, in: document)
  }

  private var chapters: Chapters { Chapters(outline: outline) }

  /// Goes to a place and remembers the way back.
  func jump(to place: Place) {
    remember()
    go(to: place)
  }

  /// Goes to a place without remembering.
  func go(to place: Place) {
    guard outline.item(at: place.spineIndex) != nil else { return }
    enter(place.spineIndex)
    anchor = place
    settle()
  }

  /// Goes to a page of a document and remembers the way back.
  func jump(toPage index: Int, of spineIndex: Int) {
    guard outline.spine.indices.contains(spineIndex) else { return }
    remember()
    enter(spineIndex)
    typesetter.layOut(page: index)
    show(page: min(index, max(0, layout.pageCount - 1)))
  }

  /// Goes to where an id stands; to the start of the document when it is not there.
  func jump(toFragment fragment: String?, of spineIndex: Int) {
    guard outline.item(at: spineIndex) != nil else { return }
    remember()
    enter(spineIndex)
    anchor = Place(spineIndex: spineIndex, offset: fragment.flatMap { document.offset(ofID: $0) } ?? 0)
    settle()
  }

  /// Returns from the last jump; false when there was none.
  func back() -> Bool {
    guard let place = trail.popLast() else { return false }
    go(to: place)
    return true
  }

  func remember() {
    if trail.last != anchor { trail.append(anchor) }
    if trail.count > Self.trailLimit { trail.removeFirst() }
  }

  /// Another window or other settings; the anchor stays.
  func resize(geometry: Geometry, settings: TypesettingSettings) {
    guard geometry != self.geometry || settings != self.settings else { return }
    self.geometry = geometry
    self.settings = settings
    neighbours.removeAll()
    map = BookMap(outline: outline)
    typesetter = content.typesetter(for: document, geometry: geometry, settings: settings)
    settle()
  }

  // MARK: Chapters

  private func enter(_ spineIndex: Int) {
    guard spineIndex != anchor.spineIndex else { return }
    if !outline.isAppendix(spineIndex) {
      left = nil
    } else if !outline.isAppendix(anchor.spineIndex) {
      left = (position, fraction)
    }
    keep(anchor.spineIndex, typesetter)
    typesetter = prepared(spineIndex)
    anchor = Place(spineIndex: spineIndex, offset: 0)
    page = 0
  }

  private func prepared(_ spineIndex: Int) -> ChapterTypesetter {
    if let index = neighbours.firstIndex(where: { $0.spineIndex == spineIndex }) {
      return neighbours.remove(at: index).typesetter
    }
    return content.typesetter(
      for: content.readableDocument(at: spineIndex).document, geometry: geometry, settings: settings)
  }

  private func keep(_ spineIndex: Int, _ typesetter: ChapterTypesetter) {
    neighbours.removeAll { $0.spineIndex == spineIndex }
    // A large chapter is sooner laid out again than kept.
    guard typesetter.layout.document.length < 400_000 else { return }
    neighbours.append((spineIndex, typesetter))
    if neighbours.count > 2 { neighbours.removeFirst() }
  }

  private func show(page index: Int) {
    page = index - index % step
    // The other page of a spread, too.
    typesetter.layOut(page: page + step - 1)
    anchor.offset = layout.offset(ofPage: page)
    note()
  }

  /// Finds the page of the anchor.
  private func settle() {
    let index = typesetter.layOut(offset: anchor.offset)
    page = index - index % step
    // The other page of a spread.
    typesetter.layOut(page: page + step - 1)
    note()
  }

  /// A finished chapter is a counted one.
  private func note() {
    if layout.isComplete { map.record(layout, of: anchor.spineIndex) }
  }

  // MARK: In the background

  /// What is worth doing while nothing happens; each call is one small piece of it.
  ///
  /// - Returns: false when nothing is left to be done.
  func prepare(counter: inout PageCounter?) -> Bool {
    // The rest of this chapter first: the next page of it may be wanted any moment.
    if !layout.isComplete {
      typesetter.layOut(blocks: 8)
      note()
      return true
    }
    for neighbour in [outline.nextPaged(after: anchor.spineIndex), outline.previousPaged(before: anchor.spineIndex)] {
      if let neighbour, prepareNeighbour(neighbour) { return true }
    }
    if map.isComplete { return false }
    if counter == nil { counter = PageCounter(geometry: geometry, settings: settings) }
    counter?.step(content, into: &map, from: anchor.spineIndex)
    return true
  }

  private var refused: Set<Int> = []

  private func prepareNeighbour(_ spineIndex: Int) -> Bool {
    guard let index = neighbours.firstIndex(where: { $0.spineIndex == spineIndex }) else {
      if refused.contains(spineIndex) { return false }
      let typesetter = prepared(spineIndex)
      guard typesetter.layout.document.length < 400_000 else {
        refused.insert(spineIndex)
        return true
      }
      keep(spineIndex, typesetter)
      return true
    }
    if neighbours[index].typesetter.layout.isComplete { return false }
    if neighbours[index].typesetter.layOut(blocks: 8) {
      map.record(neighbours[index].typesetter.layout, of: spineIndex)
    }
    return true
  }

  /// Counts that were kept from an earlier time.
  func adopt(_ map: BookMap) {
    self.map = map
    note()
  }
}
