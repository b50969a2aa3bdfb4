internal import Typesetting

/// What a reader has chosen, as `reader.conf` has it.
struct ReaderSettings: Sendable, Equatable {
  enum Alignment: String, Sendable, CaseIterable { case book, justify, left }
  enum Paragraphs: String, Sendable, CaseIterable { case book, indent, spacing }
  enum Bidi: String, Sendable, CaseIterable {
    /// What the terminal is known to need.
    case auto
    case reorder, words, terminal
  }
  enum Spread: Sendable, Equatable {
    case never
    case from(columns: Int)
  }

  var theme = Theme.terminal
  /// Cells left and right of a page.
  var margin = 4
  /// The widest line in cells.
  var width = 72
  var lineSpacing = 1
  var alignment = Alignment.book
  var paragraphs = Paragraphs.book
  var hyphenation = true
  var spread = Spread.from(columns: 130)
  var bidi = Bidi.auto
  var ruby = TypesettingSettings.Ruby.above
  var showsImages = true
  /// Title, chapter and page number around the page.
  var showsStatus = true
  /// The hour at which a day of reading begins.
  var dayBegins = 0

  /// The typesetter's settings for a book in a window.
  ///
  /// - Parameter turnsWords: whether the terminal turns right-to-left words by itself.
  func typesetting(language: String?, rows: Int, turnsWords: Bool = false) -> TypesettingSettings {
    var settings = TypesettingSettings()
    settings.horizontalMargin = margin
    settings.maximumMeasure = width
    settings.lineSpacing = lineSpacing
    settings.verticalMargin = rows >= 20 ? 1 : 0
    switch alignment {
    case .book: settings.alignment = nil
    case .justify: settings.alignment = .justify
    case .left: settings.alignment = .start
    }
    switch paragraphs {
    case .book: settings.paragraphStyle = nil
    case .indent: settings.paragraphStyle = .indent
    case .spacing: settings.paragraphStyle = .spacing
    }
    settings.hyphenation = hyphenation
    switch spread {
    case .never: settings.spreadThreshold = nil
    case .from(let columns): settings.spreadThreshold = columns
    }
    switch bidi {
    case .auto: settings.bidi = turnsWords ? .words : .reorder
    case .reorder: settings.bidi = .reorder
    case .words: settings.bidi = .words
    case .terminal: settings.bidi = .terminal
    }
    settings.ruby = ruby
    settings.language = language
    return settings
  }
}
