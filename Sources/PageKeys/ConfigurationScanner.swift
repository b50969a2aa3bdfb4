/// A word of a configuration line and where it stands.
struct ConfigurationWord: Sendable, Equatable {
  var text: String
  /// From 1, in characters.
  var column: Int
  var isQuoted = false
}

/// Splits a line into words, `=`, `+` and brackets; a `#` begins a comment, quotes keep everything together.
enum ConfigurationScanner {
  /// - Returns: nil, with the column, if a quote is not closed.
  static func words(of line: Substring) -> (words: [ConfigurationWord], openQuote: Int?) {
    var words: [ConfigurationWord] = []
    var text = ""
    var start = 0
    var column = 0
    var quote: Int?
    func isAlone(_ character: Character) -> Bool { character == "=" || character == "[" || character == "]" }
    var isEscaped = false
    for character in line {
      column += 1
      if let opened = quote {
        if isEscaped {
          text.append(character)
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          words.append(ConfigurationWord(text: text, column: opened, isQuoted: true))
          text = ""
          quote = nil
        } else {
          text.append(character)
        }
        continue
      }
      let ends = character.isWhitespace || character == "#" || character == "\"" || isAlone(character)
      if ends, !text.isEmpty {
        words.append(ConfigurationWord(text: text, column: start))
        text = ""
      }
      if character == "#" { return (words, nil) }
      if character == "\"" {
        quote = column
      } else if isAlone(character) {
        words.append(ConfigurationWord(text: String(character), column: column))
      } else if !character.isWhitespace {
        if text.isEmpty { start = column }
        text.append(character)
      }
    }
    if let quote { return (words, quote) }
    if !text.isEmpty { words.append(ConfigurationWord(text: text, column: start)) }
    return (words, nil)
  }
}
