internal import Typesetting

/// What a reader has chosen, as `reader.conf` has it.
struct ReaderSettings: Sendable, Equatable {
  enum Alignment: String, Sendable, CaseIterable { case book, justify, left }
  enum Paragraphs: String, Sendable, CaseIterable { case book, indent, spacing }
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
  var bidi = TypesettingSettings.Bidi.reorder
  var ruby = TypesettingSettings.Ruby.automatic
  var showsImages = true
  /// Title, chapter and page number around the page.
  var showsStatus = true

  /// The typesetter's settings for a book in a window.
  func typesetting(language: String?, rows: Int) -> TypesettingSettings {
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
    settings.bidi = bidi
    settings.ruby = ruby
    settings.language = language
    return settings
  }
}
