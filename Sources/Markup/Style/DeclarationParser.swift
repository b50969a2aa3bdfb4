/// Reads the declarations of a block: what is unknown or malformed is left out, one by one.
enum DeclarationParser {
  struct Declarations: Sendable {
    var normal: [Declaration] = []
    var important: [Declaration] = []
    var isEmpty: Bool { normal.isEmpty && important.isEmpty }
  }

  /// - Parameter tokens: what stands between the braces, or in a `style` attribute.
  static func parse(_ tokens: ArraySlice<CSSToken>) -> Declarations {
    var result = Declarations()
    var index = tokens.startIndex
    while index < tokens.endIndex {
      var end = index
      var depth = 0
      while end < tokens.endIndex {
        switch tokens[end] {
        case .open, .function: depth += 1
        case .close: depth -= 1
        default: break
        }
        if depth <= 0, tokens[end] == .semicolon { break }
        end += 1
      }
      declaration(tokens[index..<end], into: &result)
      index = end + 1
    }
    return result
  }

  private static func declaration(_ tokens: ArraySlice<CSSToken>, into result: inout Declarations) {
    var index = tokens.startIndex
    while index < tokens.endIndex, tokens[index] == .space { index += 1 }
    guard index < tokens.endIndex, case .ident(let rawName) = tokens[index] else { return }
    index += 1
    while index < tokens.endIndex, tokens[index] == .space { index += 1 }
    guard index < tokens.endIndex, tokens[index] == .colon else { return }
    var value = tokens[(index + 1)...].filter { $0 != .space }
    var isImportant = false
    if value.count >= 2, value[value.count - 2] == .delimiter(0x21), value[value.count - 1].word == "important" {
      value.removeLast(2)
      isImportant = true
    }
    var name = rawName.lowercased()
    for prefix in ["-epub-", "-webkit-", "-moz-", "adobe-"] where name.hasPrefix(prefix) {
      name = String(name.dropFirst(prefix.count))
    }
    let declarations = PropertyParser.parse(name, value)
    if isImportant {
      result.important += declarations
    } else {
      result.normal += declarations
    }
  }
}
