internal import Search

/// A search through the book, document by document, while the screen stays alive.
final class SearchSession {
  struct Result: Equatable {
    var spineIndex: Int
    var match: SearchMatch
  }

  static let resultLimit = 5000
  let term: String
  private(set) var results: [Result] = []
  private(set) var isDone = false
  private(set) var fault: SearchError?
  private var nextIndex = 0
  private let query: SearchQuery

  init(_ term: String) throws(SearchError) {
    self.term = term
    // `/…/` is a regular expression, as people know it from elsewhere.
    if term.count > 2, term.hasPrefix("/"), term.hasSuffix("/") {
      query = try SearchQuery(String(term.dropFirst().dropLast()), options: .regularExpression)
    } else {
      query = try SearchQuery(term)
    }
    _ = try Searcher(query)
  }

  /// Looks through one more document.
  func step(_ content: any BookContent) {
    guard !isDone else { return }
    guard content.outline.spine.indices.contains(nextIndex), results.count < Self.resultLimit else {
      isDone = true
      return
    }
    do throws(SearchError) {
      var searcher = try Searcher(query)
      let document = content.readableDocument(at: nextIndex).document
      for match in try searcher.matches(in: document, limit: Self.resultLimit - results.count) {
        results.append(Result(spineIndex: nextIndex, match: match))
      }
    } catch {
      fault = error
      isDone = true
    }
    nextIndex += 1
  }

  /// The stretches of a document to set apart: ascending, without overlap.
  func highlights(of spineIndex: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for result in results where result.spineIndex == spineIndex {
      if result.match.range.lowerBound >= ranges.last?.upperBound ?? 0 { ranges.append(result.match.range) }
    }
    return ranges
  }

  /// The nearest result after (or before) a place.
  func neighbour(of place: Place, forward: Bool) -> Int? {
    func start(_ result: Result) -> Place {
      Place(spineIndex: result.spineIndex, offset: result.match.range.lowerBound)
    }
    return forward
      ? results.firstIndex { start($0) > place } : results.lastIndex { start($0) < place }
  }
}
