internal import Document
internal import Search
internal import Typesetting

/// `reader search`: every place of a text, with what stands around it.
struct SearchCommand {
  let content: any BookContent
  let term: String
  let options: SearchArguments
  let window: WindowArguments

  /// Hands over each match, its document, its page and its chapter as soon as it is found.
  private func forEachMatch(_ body: (Found) -> Void) throws(ReaderError) {
    let settings = TextCommand.settings(for: content.outline)
    let geometry = Geometry(columns: window.width, rows: window.height)
    let chapters = Chapters(outline: content.outline)
    var pagesBefore = 0
    var count = 0
    do throws(SearchError) {
      var searcher = try Searcher(try SearchQuery(term, options: options.options))
      for index in content.outline.spine.indices where count < options.limit {
        let document = content.readableDocument(at: index).document
        let matches = try searcher.matches(in: document, limit: options.limit - count)
        var typesetter = ChapterTypesetter(document, geometry: geometry, settings: settings)
        typesetter.finish()
        let isPaged = content.outline.isPaged(index)
        for match in matches {
          let offset = match.range.lowerBound
          body(
            Found(
              match: match, spineIndex: index,
              page: isPaged ? pagesBefore + typesetter.layout.page(of: offset) + 1 : nil,
              chapter: chapters.title(at: Place(spineIndex: index, offset: offset), in: document)))
        }
        count += matches.count
        if isPaged { pagesBefore += typesetter.layout.pageCount }
      }
    } catch {
      throw .search(error.description)
    }
  }

  private struct Found {
    var match: SearchMatch
    var spineIndex: Int
    var page: Int?
    var chapter: String?
  }

  func json() throws(ReaderError) -> String {
    var json = JSONText()
    var results: [Found] = []
    try forEachMatch { results.append($0) }
    json.object { json in
      json.field("term", term)
      json.key("results")
      json.array { json in
        for found in results {
          json.object { json in
            json.field("page", found.page)
            json.field("chapter", found.chapter)
            json.field("spineIndex", found.spineIndex)
            json.field("href", content.outline.spine[found.spineIndex].href)
            json.field("offset", found.match.range.lowerBound)
            json.field("end", found.match.range.upperBound)
            json.field("before", found.match.before)
            json.field("match", found.match.text)
            json.field("after", found.match.after)
          }
        }
      }
      json.field("complete", results.count < options.limit)
    }
    return json.text + "\n"
  }

  /// One line a match.
  func lines(_ body: (String) -> Void) throws(ReaderError) {
    try forEachMatch { found in
      let number = found.page.map(String.init) ?? "-"
      body("\(number): \(found.match.before)\(found.match.text)\(found.match.after)".withoutControls)
    }
  }
}
