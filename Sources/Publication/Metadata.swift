/// What the package says about the book.
public struct Metadata: Sendable, Equatable {
  /// All titles, the main one first, otherwise in the package's order.
  public var titles: [Title] = []
  /// Who made it, in the package's order (or by display-seq).
  public var creators: [Contributor] = []
  public var contributors: [Contributor] = []
  /// BCP 47, the first is the main one.
  public var languages: [String] = []
  /// The unique identifier first.
  public var identifiers: [Identifier] = []
  public var publisher: String?
  /// Of publication, as the package writes it: "1851-10-18", "1851".
  public var date: String?
  public var modified: String?
  /// Plain text; markup in it is removed.
  public var description: String?
  public var subjects: [String] = []
  public var rights: String?
  public var series: Series?
  /// Whether the whole book is laid out in fixed pages.
  public var isPrePaginated = false
  /// "2.0", "3.0", or whatever the package claims.
  public var version: String?

  /// The main title; "" if the package has none.
  public var title: String { titles.first?.text ?? "" }
  public var subtitle: String? { titles.first { $0.kind == "subtitle" }?.text }
  public var language: String? { languages.first }
  public var identifier: String? { identifiers.first?.value }

  /// The names of those who wrote it: creators of role author, or of no role, else all creators.
  public var authors: [String] {
    let writers = creators.filter { $0.roles.isEmpty || $0.roles.contains("aut") }
    return (writers.isEmpty ? creators : writers).map(\.name)
  }

  public struct Title: Sendable, Equatable {
    public var text: String
    /// "main", "subtitle", "short", "collection", "edition", "expanded", if the package says so.
    public var kind: String?
    /// For sorting: "Bough, The Golden".
    public var fileAs: String?
    /// Base direction for bidi: "ltr", "rtl", "auto", from the element or the package; nil if neither says.
    public var direction: String?
  }

  public struct Contributor: Sendable, Equatable {
    public var name: String
    /// MARC relators: "aut", "trl", "ill"; empty if the package does not say.
    public var roles: [String]
    public var fileAs: String?
  }

  public struct Identifier: Sendable, Equatable {
    public var value: String
    /// "ISBN", "UUID", "DOI", if the package says so.
    public var scheme: String?
  }

  public struct Series: Sendable, Equatable {
    public var name: String
    /// 1, 2, 2.5.
    public var position: String?
  }
}
