internal import Document
internal import Typesetting

/// `reader text` and `reader show`: pages for pipes and scripts.
struct TextCommand {
  let content: any BookContent
  let window: WindowArguments

  /// Bytes from which on pages are written.
  private static let portion = 65_536

  var geometry: Geometry { Geometry(columns: window.width, rows: window.height) }

  static func settings(for outline: BookOutline) -> TypesettingSettings {
    var settings = TypesettingSettings.plainText
    settings.language = outline.language
    return settings
  }

  /// One page's text, without a line break at its end.
  ///
  /// Only what stands before the page is laid out.
  func text(ofPage number: Int) throws(ReaderError) -> String {
    let found = try layout(ofPage: number, settings: Self.settings(for: content.outline))
    return found.layout.plainText(ofPage: found.page)
  }

  /// The layout that holds a page of the book, and the page's number in it, from 0.
  func layout(
    ofPage number: Int, settings: TypesettingSettings
  ) throws(ReaderError) -> (layout: ChapterLayout, page: Int) {
    var rest = max(number, 0) - 1
    var pages = 0
    for index in content.outline.spine.indices where content.outline.isPaged(index) {
      var typesetter = ChapterTypesetter(try document(at: index), geometry: geometry, settings: settings)
      if rest >= 0, typesetter.layOut(page: rest) { return (typesetter.layout, rest) }
      typesetter.finish()
      rest -= typesetter.layout.pageCount
      pages += typesetter.layout.pageCount
    }
    throw .noSuchPage(path: content.outline.path, page: number, pages: pages)
  }

  /// Hands all pages to `write` as soon as their chapter is laid out, each with a line break behind it and form feeds
  /// between them; stops when that returns false.
  func writePages(_ write: ([UInt8]) -> Bool) throws(ReaderError) {
    var text: [UInt8] = []
    var isFirst = true
    let settings = Self.settings(for: content.outline)
    for index in content.outline.spine.indices where content.outline.isPaged(index) {
      var typesetter = ChapterTypesetter(try document(at: index), geometry: geometry, settings: settings)
      typesetter.finish()
      let layout = typesetter.layout
      var writer = PlainTextWriter(layout)
      for page in 0..<layout.pageCount {
        if !isFirst { text.append(0x0C) }
        isFirst = false
        writer.append(page: page, to: &text)
        text.append(0x0A)
        guard page == layout.pageCount - 1 || text.count >= Self.portion else { continue }
        guard write(text) else { return }
        text.removeAll(keepingCapacity: true)
      }
    }
  }

  /// A document, or a notice in its place. A book of which nothing can be read is an error.
  private func document(at index: Int) throws(ReaderError) -> Document {
    let (document, fault) = content.readableDocument(at: index)
    guard let fault else { return document }
    let isAnythingReadable = content.outline.spine.indices.contains { other in
      other != index && content.readableDocument(at: other).fault == nil
    }
    guard isAnythingReadable else { throw fault }
    StandardStreams.complain(fault.description)
    return document
  }
}
