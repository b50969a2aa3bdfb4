internal import Document
internal import Typesetting

/// How many pages each document of a book has, and on which of them its contents' entries stand, as far as is known.
struct BookMap: Sendable, Equatable {
  struct Chapter: Sendable, Equatable {
    var pages: Int
    /// Scalars of text.
    var length: Int
  }

  struct EntryPlace: Sendable, Equatable {
    var offset: Int
    /// Within its document, from 0.
    var page: Int
  }

  /// One for each itemref; nil: not counted yet.
  private(set) var chapters: [Chapter?]
  /// One for each entry of the contents.
  private(set) var entries: [EntryPlace?]
  /// What is wrong with its documents, one sentence each; at most `faultLimit`.
  private(set) var faults: [String] = []
  static let faultLimit = 200
  private let isPaged: [Bool]
  private let anchors: [BookOutline.Entry]

  init(outline: BookOutline) {
    chapters = Array(repeating: nil, count: outline.spine.count)
    entries = Array(repeating: nil, count: outline.contents.count)
    isPaged = outline.spine.indices.map(outline.isPaged)
    anchors = outline.contents
  }

  static func == (one: BookMap, other: BookMap) -> Bool {
    one.chapters == other.chapters && one.entries == other.entries && one.isPaged == other.isPaged
  }

  /// Whether all that is paged has been counted.
  var isComplete: Bool {
    chapters.indices.allSatisfy { chapters[$0] != nil || !isPaged[$0] }
  }

  /// The pages of the whole book, at least 1; nil until all are counted.
  var pages: Int? {
    guard isComplete else { return nil }
    return max(1, chapters.indices.reduce(0) { $0 + (isPaged[$1] ? chapters[$1]?.pages ?? 0 : 0) })
  }

  /// The scalars of the whole book; nil until all are counted.
  var length: Int? {
    guard isComplete else { return nil }
    return chapters.indices.reduce(0) { $0 + (isPaged[$1] ? chapters[$1]?.length ?? 0 : 0) }
  }

  /// A page's number in the book, from 1; nil until all documents before it are counted, or where it is not paged.
  func number(ofPage page: Int, in spineIndex: Int) -> Int? {
    guard chapters.indices.contains(spineIndex), isPaged[spineIndex] else { return nil }
    var number = page + 1
    for index in 0..<spineIndex where isPaged[index] {
      guard let chapter = chapters[index] else { return nil }
      number += chapter.pages
    }
    return number
  }

  /// Which document and page of it a number means; nil outside 1...pages.
  func location(ofPage number: Int) -> (spineIndex: Int, page: Int)? {
    var rest = number - 1
    guard rest >= 0 else { return nil }
    for index in chapters.indices where isPaged[index] {
      guard let chapter = chapters[index] else { return nil }
      if rest < chapter.pages { return (index, rest) }
      rest -= chapter.pages
    }
    return nil
  }

  mutating func record(_ layout: ChapterLayout, of spineIndex: Int) {
    guard chapters.indices.contains(spineIndex), chapters[spineIndex] == nil else { return }
    faults.append(contentsOf: layout.document.warnings.prefix(max(0, Self.faultLimit - faults.count)))
    chapters[spineIndex] = Chapter(pages: layout.pageCount, length: layout.document.length)
    for index in anchors.indices where anchors[index].spineIndex == spineIndex {
      let offset = anchors[index].offset(in: layout.document)
      entries[index] = EntryPlace(offset: offset, page: layout.page(of: offset))
    }
  }

  /// Puts kept counts back; false when they do not fit this book.
  mutating func restore(chapters: [Chapter?], entries: [EntryPlace?]) -> Bool {
    guard chapters.count == self.chapters.count, entries.count == self.entries.count else { return false }
    self.chapters = chapters
    self.entries = entries
    return true
  }
}

extension BookOutline.Entry {
  /// Where it stands in its document.
  func offset(in document: Document) -> Int {
    offset ?? fragment.flatMap { document.offset(ofID: $0) } ?? 0
  }
}
