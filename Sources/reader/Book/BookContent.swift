internal import Document
internal import Typesetting

/// What the pages, the screens and the commands ask of a book.
protocol BookContent: AnyObject {
  var outline: BookOutline { get }
  /// One document of the spine or of the appendix, parsed anew at every call.
  func document(at spineIndex: Int) throws(ReaderError) -> Document
  /// Where a link of a document leads.
  func destination(of target: String, from spineIndex: Int) -> LinkDestination
  /// The whole text of the note that an id of a file belongs to; nil where there is none.
  func note(in path: String, fragment: String) -> [Block]?
  /// What is damaged in the book's file, one sentence an entry. Reads all of it.
  func damage() -> [String]
  /// The bytes of a resource of the book, e.g. an image; nil when it has none or it is larger than `limit`.
  func resource(_ source: String, limit: Int) -> [UInt8]?
  /// The natural size of an image of the book; nil when it has none or does not say.
  func imageSize(_ source: String) -> ImageSize?
}

/// Where a link leads.
enum LinkDestination: Sendable, Equatable {
  case place(spineIndex: Int, fragment: String?)
  /// A file of the book that is no document and cannot be shown.
  case file(path: String)
  /// Out of the book: a web address, mail.
  case external(String)
  /// Nowhere that exists.
  case missing
}

/// What a book says about itself.
struct BookOutline: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    var href: String
    var idref: String
    var isLinear: Bool
    var title: String?
  }

  struct Entry: Sendable, Equatable {
    var title: String
    var href: String
    var fragment: String?
    /// 1 is the outermost.
    var level: Int
    /// nil: a heading without a place of its own, or one whose file is missing.
    var spineIndex: Int?
    /// Known where the entry was made from a heading without an id.
    var offset: Int?
  }

  var path: String
  var identity: String
  var title: String
  var authors: [String] = []
  var language: String?
  var identifier: String?
  var publisher: String?
  var date: String?
  var description: String?
  var cover: String?
  /// page-progression-direction: ltr, rtl or default.
  var direction = "default"
  var spine: [Item]
  /// Documents and images that only links lead to. They are numbered behind those of the spine, and never paged.
  var appendix: [Item] = []
  var contents: [Entry] = []
  /// How many pages the publisher's list of pages has; 0 without one.
  var publisherPages = 0
  var warnings: [String] = []

  /// Whether a document is turned to by paging.
  func isPaged(_ spineIndex: Int) -> Bool {
    guard spine.indices.contains(spineIndex) else { return false }
    return hasLinearItem ? spine[spineIndex].isLinear : true
  }

  /// A document of the spine, or of the appendix behind it; nil: there is none of this number.
  func item(at index: Int) -> Item? {
    if spine.indices.contains(index) { return spine[index] }
    return isAppendix(index) ? appendix[index - spine.count] : nil
  }

  func isAppendix(_ index: Int) -> Bool { appendix.indices.contains(index - spine.count) }

  private var hasLinearItem: Bool { spine.contains(where: \.isLinear) }

  var firstPaged: Int { spine.indices.first(where: isPaged) ?? 0 }
  var lastPaged: Int { spine.indices.last(where: isPaged) ?? 0 }

  func nextPaged(after index: Int) -> Int? {
    spine.indices.first { $0 > index && isPaged($0) }
  }

  func previousPaged(before index: Int) -> Int? {
    isAppendix(index) ? nil : spine.indices.last { $0 < index && isPaged($0) }
  }

  /// For an arrow key: whether pages follow each other from right to left. Books in vertical script are set
  /// horizontally here, so their pages follow from left to right.
  var turnsToTheLeft: Bool {
    guard direction == "rtl" else { return false }
    let primary = (language ?? "").lowercased().prefix(2)
    return !["ja", "zh", "ko"].contains(String(primary))
  }
}

extension BookContent {
  /// Lays a document of the book out. Where pictures get boxes, their files are asked for their sizes.
  func typesetter(
    for document: Document, geometry: Geometry, settings: TypesettingSettings
  ) -> ChapterTypesetter {
    guard settings.images == .box else { return ChapterTypesetter(document, geometry: geometry, settings: settings) }
    var sizes: [String: ImageSize] = [:]
    for source in document.imageSources where sizes[source] == nil { sizes[source] = imageSize(source) }
    let known = sizes
    return ChapterTypesetter(document, geometry: geometry, settings: settings) { image in
      known[image.source].map { ($0.width, $0.height) }
    }
  }

  /// A document, or a notice in its place when it cannot be read.
  func readableDocument(at spineIndex: Int) -> (document: Document, fault: ReaderError?) {
    do throws(ReaderError) {
      return (try document(at: spineIndex), nil)
    } catch {
      let text = "This part of the book cannot be shown. \(error)"
      let block = Block(
        content: .text(InlineText(runs: [.init(text: text, style: .generated, offsets: .all(0))])), role: .note,
        range: 0..<0)
      return (Document(blocks: [block], warnings: [error.description]), error)
    }
  }
}

extension Document {
  /// The sources of the images that stand as blocks, those in tables too.
  var imageSources: [String] { blocks.flatMap(\.imageSources) }
}

extension Block {
  fileprivate var imageSources: [String] {
    switch content {
    case .image(let image): [image.source]
    case .table(let table): table.rows.flatMap { $0.cells.flatMap { $0.blocks.flatMap(\.imageSources) } }
    case .text, .preformatted, .rule: []
    }
  }
}
