/// What is looked for in a book.
public struct SearchQuery: Sendable, Hashable {
  public struct Options: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// "Ahab" does not find "AHAB".
    public static let matchCase = Options(rawValue: 1)
    /// "mas" does not find "más".
    public static let matchDiacritics = Options(rawValue: 2)
    /// "ship" does not find "worship".
    public static let wholeWords = Options(rawValue: 4)
    /// The text is a regular expression of PCRE2.
    public static let regularExpression = Options(rawValue: 8)
  }

  /// In scalars.
  public static let lengthLimit = 1000

  public let text: String
  public let options: Options

  /// - Throws: `empty` when nothing is left to look for, `tooLong` above `lengthLimit`.
  public init(_ text: String, options: Options = []) throws(SearchError) {
    guard text.unicodeScalars.count <= Self.lengthLimit else { throw .tooLong }
    self.text = text
    self.options = options
    if !options.contains(.regularExpression), FoldedText.fold(text, options).isEmpty { throw .empty }
    if text.isEmpty { throw .empty }
  }
}

/// A place where a query was found.
public struct SearchMatch: Sendable, Hashable {
  /// In offsets of the document's source; see `Document`.
  public var range: Range<Int>
  /// Up to 60 scalars of the same block before and after, and what was found, as the book has them.
  public var before: String
  public var text: String
  public var after: String
}

public enum SearchError: Error, Sendable, Equatable {
  case empty
  case tooLong
  /// A regular expression that PCRE2 does not take: why, and at which scalar from 0.
  case badExpression(reason: String, position: Int)
  /// The expression needs more steps than a search may take: nested repetitions, mostly.
  case tooExpensive
}

extension SearchError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "there is nothing to look for: give a word or a phrase"
    case .tooLong: "what is looked for is too long: at most \(SearchQuery.lengthLimit) characters"
    case .badExpression(let reason, let position):
      "the regular expression is wrong at character \(position + 1): \(reason)"
    case .tooExpensive: "the regular expression takes too long: write it without repetitions inside repetitions"
    }
  }
}
