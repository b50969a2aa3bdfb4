/// How a reader wants pages to look. An optional that is nil leaves the choice to the book.
public struct TypesettingSettings: Sendable, Hashable {
  public enum Alignment: String, Sendable, Hashable, CaseIterable {
    /// Both edges straight: blanks are widened.
    case justify
    /// Straight where lines begin, ragged where they end.
    case start
  }

  public enum ParagraphStyle: String, Sendable, Hashable, CaseIterable {
    /// The first line begins two cells in (two ideographs in Chinese and Japanese), no blank line between.
    case indent
    /// A blank line between, no indent.
    case spacing
  }

  public enum Bidi: String, Sendable, Hashable, CaseIterable {
    /// Right-to-left text is put into the order of the screen, for terminals that draw what they get.
    case reorder
    /// The same, but each word of right-to-left letters stays as it is read: for terminals that turn words by
    /// themselves, and join their letters, but leave them where they are.
    case words
    /// Text stays as it is read, aligned right where it belongs there, for terminals that reorder by themselves.
    case terminal
  }

  public enum Ruby: String, Sendable, Hashable, CaseIterable {
    /// Above the line in blocks where every annotation fits, else in brackets behind its base.
    case automatic
    /// Above the line; where annotations are wider than what they belong to, its letters are moved apart.
    case above
    case brackets
    case hidden
  }

  public enum Images: String, Sendable, Hashable, CaseIterable {
    /// A small frame with the alternative text.
    case frame
    /// Room for the picture itself: a box of cells that the screen fills.
    case box
  }

  /// nil: as the book says, and justified where it says nothing.
  public var alignment: Alignment?
  /// Divide words where a paragraph has no good lines without.
  public var hyphenation = true
  /// nil: as the book says, and indented where it says nothing.
  public var paragraphStyle: ParagraphStyle?
  /// Rows from one line of text to the next: 1...3.
  public var lineSpacing = 1
  /// Cells that stay empty left and right of a page; given up in windows too narrow for them.
  public var horizontalMargin = 2
  /// Rows that stay empty above and below a page; given up in windows too low for them.
  public var verticalMargin = 0
  /// The widest line in cells; nil: as wide as the window.
  public var maximumMeasure: Int? = 76
  /// From how many columns on two pages stand side by side; nil: never.
  public var spreadThreshold: Int? = 120
  /// Cells between two pages side by side.
  public var gutter = 4
  public var bidi = Bidi.reorder
  public var ruby = Ruby.automatic
  public var images = Images.frame
  /// A cell in pixels, from which the box of a picture follows.
  public var cellWidth = 10
  public var cellHeight = 20
  /// Whether the terminal counts grapheme clusters (mode 2027): an emoji of several parts is two cells then.
  public var countsClusters = false
  /// The book's language as BCP 47, for documents that do not say theirs.
  public var language: String?

  public init() {}

  /// For pipes, screen readers and tests: the window's whole width, one page at a time.
  public static var plainText: TypesettingSettings {
    var settings = TypesettingSettings()
    settings.horizontalMargin = 0
    settings.maximumMeasure = nil
    settings.spreadThreshold = nil
    return settings
  }
}
