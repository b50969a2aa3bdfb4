internal import Document
internal import Publication

/// An EPUB book as the pages see it.
final class PublicationContent: BookContent {
  let outline: BookOutline
  private let book: Book

  init(path: String) throws(ReaderError) {
    do throws(PublicationError) {
      book = try Book(path: path)
    } catch {
      throw .book(path: path, reason: error.description)
    }
    outline = Self.outline(of: book, path: path)
  }

  private static func outline(of book: Book, path: String) -> BookOutline {
    let metadata = book.metadata
    let appendix = book.outsideSpine
    let places = Dictionary(
      appendix.enumerated().map { ($1.href, book.spine.count + $0) }, uniquingKeysWith: { first, _ in first })
    return BookOutline(
      path: path, identity: book.identity, title: metadata.title, authors: metadata.authors,
      language: metadata.language, identifier: metadata.identifier, publisher: metadata.publisher,
      date: metadata.date, description: metadata.description, cover: book.coverHref,
      direction: book.direction.rawValue,
      spine: book.spine.map { item in
        BookOutline.Item(
          href: item.href, idref: item.idref, isLinear: item.linear && !item.isMissing, title: item.title)
      },
      appendix: appendix.map { item in
        BookOutline.Item(href: item.href, idref: item.idref, isLinear: false, title: nil)
      },
      contents: book.toc.map { entry in
        BookOutline.Entry(
          title: entry.title, href: entry.href, fragment: entry.fragment, level: entry.level,
          spineIndex: entry.spineIndex ?? places[entry.path], offset: entry.offset)
      },
      publisherPages: book.pageList.count, warnings: book.warnings)
  }

  func document(at spineIndex: Int) throws(ReaderError) -> Document {
    do throws(PublicationError) {
      guard outline.isAppendix(spineIndex), let item = outline.item(at: spineIndex) else {
        return try book.document(at: spineIndex)
      }
      return try book.document(path: item.href)
    } catch {
      throw .book(path: outline.path, reason: error.description)
    }
  }

  func destination(of target: String, from spineIndex: Int) -> LinkDestination {
    let base = outline.isAppendix(spineIndex) ? outline.item(at: spineIndex)?.href : nil
    switch base.map({ book.destination(of: target, fromDocument: $0) })
      ?? book.destination(of: target, from: spineIndex)
    {
    case .place(let index, let fragment): return .place(spineIndex: index, fragment: fragment)
    case .outside(let url): return .external(url)
    case .missing: return .missing
    case .file(let path, let fragment):
      guard let index = outline.appendix.firstIndex(where: { $0.href == path }) else { return .file(path: path) }
      return .place(spineIndex: outline.spine.count + index, fragment: fragment)
    }
  }

  func note(in path: String, fragment: String) -> [Block]? {
    do throws(PublicationError) {
      return try book.note(path: path, fragment: fragment)
    } catch {
      return nil
    }
  }

  func damage() -> [String] { book.damagedEntries() }

  func resource(_ source: String, limit: Int) -> [UInt8]? {
    do throws(PublicationError) {
      return try book.resource(source, limit: limit)
    } catch {
      return nil
    }
  }

  func imageSize(_ source: String) -> ImageSize? { book.imageSize(source) }
}
