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
    return BookOutline(
      path: path, identity: book.identity, title: metadata.title, authors: metadata.authors,
      language: metadata.language, identifier: metadata.identifier, publisher: metadata.publisher,
      date: metadata.date, description: metadata.description, cover: book.coverHref,
      direction: book.direction.rawValue,
      spine: book.spine.map { item in
        BookOutline.Item(
          href: item.href, idref: item.idref, isLinear: item.linear && !item.isMissing, title: item.title)
      },
      contents: book.toc.map { entry in
        BookOutline.Entry(
          title: entry.title, href: entry.href, fragment: entry.fragment, level: entry.level,
          spineIndex: entry.spineIndex, offset: entry.offset)
      },
      publisherPages: book.pageList.count, warnings: book.warnings)
  }

  func document(at spineIndex: Int) throws(ReaderError) -> Document {
    do throws(PublicationError) {
      return try book.document(at: spineIndex)
    } catch {
      throw .book(path: outline.path, reason: error.description)
    }
  }

  func destination(of target: String, from spineIndex: Int) -> LinkDestination {
    switch book.destination(of: target, from: spineIndex) {
    case .place(let index, let fragment): .place(spineIndex: index, fragment: fragment)
    case .outside(let url): .external(url)
    case .file(let path, let fragment): .file(path: path, fragment: fragment)
    case .missing: .missing
    }
  }

  func note(in path: String, fragment: String) -> [Block]? {
    do throws(PublicationError) {
      return try book.note(path: path, fragment: fragment)
    } catch {
      return nil
    }
  }

  func resource(_ source: String, limit: Int) -> [UInt8]? {
    do throws(PublicationError) {
      return try book.resource(source, limit: limit)
    } catch {
      return nil
    }
  }

  func imageSize(_ source: String) -> ImageSize? { book.imageSize(source) }
}
