internal import Typesetting

/// The text of `reader.conf`: `name = value` lines, `#` begins a comment.
enum SettingsFile {
  /// A setting: how it is written, what it may be, and where it goes.
  struct Key {
    let name: String
    let values: String
    let meaning: String
    /// The values that a key press steps through.
    let choices: [String]
    /// Whether the first follows the last.
    let isCyclic: Bool
    let get: @Sendable (ReaderSettings) -> String
    /// nil when the value is none of those.
    let set: @Sendable (String, inout ReaderSettings) -> Void?
  }

  static let keys: [Key] = [
    choice("theme", "the colours of a page", \.theme),
    number("margin", 0...20, "cells that stay empty left and right", \.margin),
    number("width", 20...200, "the widest line in cells", \.width),
    number("line-spacing", 1...3, "rows from one line to the next", \.lineSpacing),
    choice("alignment", "how lines end", \.alignment),
    choice("paragraphs", "how paragraphs are told apart", \.paragraphs),
    flag("hyphenation", "whether words are divided", \.hyphenation),
    Key(
      name: "spread", values: "off, or 60 to 400", meaning: "from how many columns on two pages stand side by side",
      choices: ["off", "100", "120", "130", "140", "160"], isCyclic: true,
      get: {
        switch $0.spread {
        case .never: "off"
        case .from(let columns): "\(columns)"
        }
      },
      set: { text, settings in
        if text == "off" {
          settings.spread = .never
        } else {
          guard let columns = Int(text), (60...400).contains(columns) else { return nil }
          settings.spread = .from(columns: columns)
        }
        return ()
      }),
    choice(
      "bidi",
      "who puts right-to-left text in order: the reader, the reader but for the letters of a word, or the terminal",
      \.bidi),
    choice("ruby", "where annotations of characters stand", \.ruby),
    flag("images", "whether pictures are shown", \.showsImages),
    flag("status", "whether title, chapter and page number are shown", \.showsStatus),
    number("day-begins", 0...12, "the hour at which a day of reading begins", \.dayBegins),
  ]

  /// Reads a file's text.
  ///
  /// - Throws: `settings` with the line, what was expected and the nearest name.
  static func parse(_ text: String, path: String) throws(ReaderError) -> ReaderSettings {
    var settings = ReaderSettings()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let (name, value) = split(line) else {
        let content = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        if content.isEmpty { continue }
        throw .settings(path: path, line: index + 1, reason: "expected `name = value`")
      }
      guard let key = keys.first(where: { $0.name == name }) else {
        let nearest = Spelling.nearest(to: name, among: keys.map(\.name))
        throw .settings(path: path, line: index + 1, reason: "no setting `\(name)`; did you mean `\(nearest)`?")
      }
      if key.set(value, &settings) == nil {
        throw .settings(
          path: path, line: index + 1, reason: "`\(name)` cannot be `\(value)`; expected \(key.values)")
      }
    }
    return settings
  }

  private static func split(_ line: Substring) -> (name: String, value: String)? {
    let content = line.prefix { $0 != "#" }
    guard let equals = content.firstIndex(of: "=") else { return nil }
    let name = trim(content[..<equals])
    return name.isEmpty ? nil : (name, trim(content[content.index(after: equals)...]))
  }

  private static func trim(_ text: Substring) -> String {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The text with one setting changed: its line, or a new one at the end. Everything else stays as it was written.
  static func text(_ text: String, setting name: String, to value: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let line = "\(name) = \(value)"
    if let index = lines.lastIndex(where: { split($0[...])?.name == name }) {
      lines[index] = line
    } else {
      lines.append(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every setting with its value and what it may be.
  static func listing(_ settings: ReaderSettings) -> String {
    keys.map { key in "# \(key.meaning): \(key.values)\n\(key.name) = \(key.get(settings))\n" }.joined(separator: "\n")
  }

  static func value(of name: String, in settings: ReaderSettings) -> String? {
    keys.first { $0.name == name }?.get(settings)
  }

  private static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<ReaderSettings, Choice> & Sendable
  ) -> Key where Choice.RawValue == String {
    Key(
      name: name, values: Choice.allCases.map(\.rawValue).joined(separator: ", "), meaning: meaning,
      choices: Choice.allCases.map(\.rawValue), isCyclic: true,
      get: { $0[keyPath: path].rawValue },
      set: { text, settings in
        guard let value = Choice(rawValue: text) else { return nil }
        settings[keyPath: path] = value
        return ()
      })
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ meaning: String,
    _ path: any WritableKeyPath<ReaderSettings, Int> & Sendable
  ) -> Key {
    Key(
      name: name, values: "\(range.lowerBound) to \(range.upperBound)", meaning: meaning,
      choices: stride(from: range.lowerBound, through: range.upperBound, by: range.count > 100 ? 4 : 1).map(
        String.init),
      isCyclic: false,
      get: { "\($0[keyPath: path])" },
      set: { text, settings in
        guard let value = Int(text), range.contains(value) else { return nil }
        settings[keyPath: path] = value
        return ()
      })
  }

  private static func flag(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<ReaderSettings, Bool> & Sendable
  ) -> Key {
    Key(
      name: name, values: "on, off", meaning: meaning, choices: ["on", "off"], isCyclic: true,
      get: { $0[keyPath: path] ? "on" : "off" },
      set: { text, settings in
        guard text == "on" || text == "off" else { return nil }
        settings[keyPath: path] = text == "on"
        return ()
      })
  }
}

/// For messages about words that nobody knows.
enum Spelling {
  /// The word that takes the fewest changes.
  static func nearest(to word: String, among words: [String]) -> String {
    words.min { distance($0, word) < distance($1, word) } ?? ""
  }

  private static func distance(_ one: String, _ other: String) -> Int {
    let (first, second) = (Array(one.utf8.prefix(40)), Array(other.utf8.prefix(40)))
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in second.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == candidate ? 0 : 1))
        diagonal = above
      }
    }
    return row[second.count]
  }
}
