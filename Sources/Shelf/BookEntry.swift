public import Document

/// What the library is told about a book when it is opened.
public struct BookFacts: Sendable, Equatable {
  /// The hex SHA-256 that names the book's text; see `Publication`.
  public var identity: String
  /// Absolute.
  public var path: String
  public var title: String
  public var authors: [String]
  public var language: String

  public init(identity: String, path: String, title: String, authors: [String], language: String = "") {
    self.identity = identity
    self.path = path
    self.title = title
    self.authors = authors
    self.language = language
  }
}

/// A book of the library.
public struct BookEntry: Sendable, Equatable {
  public struct ID: Sendable, Hashable {
    let row: Int64
  }

  public var id: ID
  public var facts: BookFacts
  /// nil before the first page turn.
  public var progress: Progress?
  public var marks: [Mark]
  /// Seconds since 1970; nil while the book is not finished.
  public var finishedAt: Int64?
}

/// Where somebody is in a book.
public struct Progress: Sendable, Equatable {
  public var position: Position
  /// 0...1: 1 is the last page.
  public var fraction: Double
  /// Seconds since 1970.
  public var updatedAt: Int64

  public init(position: Position, fraction: Double, updatedAt: Int64) {
    self.position = position
    self.fraction = fraction
    self.updatedAt = updatedAt
  }
}

/// A place that somebody has marked.
public struct Mark: Sendable, Equatable {
  public var position: Position
  public var note: String
  /// Seconds since 1970.
  public var createdAt: Int64

  public init(position: Position, note: String = "", createdAt: Int64) {
    self.position = position
    self.note = note
    self.createdAt = createdAt
  }
}

/// What the library knows of a book that was just opened.
public enum Opening: Sendable, Equatable {
  /// It was here before.
  case known(BookEntry)
  /// It is new.
  case new(BookEntry)
  /// It is new, but another edition of it was here before: at the same path, or of the same title and first author.
  /// Its places are to be found again by their words; then `inherit` writes them down.
  case edition(BookEntry, of: BookEntry)
}
