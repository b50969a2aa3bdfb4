/// One style sheet, parsed: its rules in order, and the sheets that it imports before them.
struct StyleSheet: Sendable {
  struct Rule: Sendable {
    var selectors: [Selector]
    var declarations: DeclarationParser.Declarations
  }

  private(set) var rules: [Rule] = []
  /// Addresses as the sheet has them.
  private(set) var imports: [String] = []

  static let maximumRules = 20_000
  static let maximumImports = 32
  static let maximumDepth = 16

  private var namespaces: [String: String] = [:]

  init(_ source: [UInt8]) {
    let tokens = CSSTokenizer.tokens(source)
    readRules(tokens[...])
  }

  private mutating func readRules(_ tokens: ArraySlice<CSSToken>) {
    // Conditional groups nest; a list of ranges instead of recursion keeps any depth harmless.
    var pending = [(tokens: tokens, depth: 0)]
    while let (current, depth) = pending.popLast() {
      var index = current.startIndex
      while index < current.endIndex, rules.count < Self.maximumRules {
        switch current[index] {
        case .space, .semicolon, .close: index += 1
        case .atKeyword(let name):
          let end = Self.endOfStatement(current, from: index + 1)
          // Deeper groups than anybody writes are skipped: each level looks for its end anew.
          if let block = atRule(name, current[(index + 1)..<end]), depth < Self.maximumDepth {
            // What follows comes after what is inside.
            pending.append((current[end...], depth))
            pending.append((block, depth + 1))
            index = current.endIndex
          } else {
            index = end
          }
        default: index = rule(current, from: index)
        }
      }
    }
  }

  /// A qualified rule: prelude and block.
  private mutating func rule(_ tokens: ArraySlice<CSSToken>, from start: Int) -> Int {
    guard let open = tokens[start...].firstIndex(of: .open(.curly)) else { return tokens.endIndex }
    let end = Self.endOfBlock(tokens, from: open)
    let bodyEnd = Self.bodyEnd(tokens, open, end)
    var parser = SelectorParser(tokens[start..<open], namespaces: namespaces)
    if let selectors = parser.list(), !selectors.isEmpty {
      let declarations = DeclarationParser.parse(tokens[(open + 1)..<bodyEnd])
      if !declarations.isEmpty { rules.append(Rule(selectors: selectors, declarations: declarations)) }
    }
    return end
  }

  /// Reads the statement; the tokens of its block if its rules count.
  private mutating func atRule(_ name: String, _ tokens: ArraySlice<CSSToken>) -> ArraySlice<CSSToken>? {
    let open = tokens.firstIndex(of: .open(.curly))
    let prelude = tokens[..<(open ?? tokens.endIndex)].filter { $0 != .space && $0 != .semicolon }
    switch name {
    case "import":
      guard imports.count < Self.maximumImports, rules.isEmpty else { return nil }
      let rest = Array(prelude.dropFirst())
      switch prelude.first {
      case .url(let address)?, .string(let address)?:
        if MediaQuery.matches(rest) { imports.append(address) }
      default: break
      }
    case "namespace":
      if prelude.count == 2, case .ident(let prefix) = prelude[0] {
        switch prelude[1] {
        case .url(let uri), .string(let uri): namespaces[prefix] = uri
        default: break
        }
      }
    case "media":
      guard let open, MediaQuery.matches(prelude) else { return nil }
      return tokens[(open + 1)..<Self.bodyEnd(tokens, open, tokens.endIndex)]
    case "supports":
      guard let open, prelude.first?.word == "not" else { return nil }
      return tokens[(open + 1)..<Self.bodyEnd(tokens, open, tokens.endIndex)]
    case "layer":
      guard let open else { return nil }
      return tokens[(open + 1)..<Self.bodyEnd(tokens, open, tokens.endIndex)]
    default: break
    }
    return nil
  }

  /// Behind the ";" or the block that ends a statement.
  private static func endOfStatement(_ tokens: ArraySlice<CSSToken>, from start: Int) -> Int {
    var index = start
    while index < tokens.endIndex {
      switch tokens[index] {
      case .semicolon: return index + 1
      case .open(.curly): return endOfBlock(tokens, from: index)
      default: index += 1
      }
    }
    return tokens.endIndex
  }

  /// Where the block between `open` and `end` ends: at its "}", or where the sheet does.
  private static func bodyEnd(_ tokens: ArraySlice<CSSToken>, _ open: Int, _ end: Int) -> Int {
    end > open + 1 && tokens[end - 1] == .close(.curly) ? end - 1 : max(open + 1, end)
  }

  /// Behind the "}" that closes the "{" at `open`.
  private static func endOfBlock(_ tokens: ArraySlice<CSSToken>, from open: Int) -> Int {
    var depth = 0
    var index = open
    while index < tokens.endIndex {
      switch tokens[index] {
      case .open(.curly): depth += 1
      case .close(.curly):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return tokens.endIndex
  }
}

/// Media queries, for a screen about 800 pixels wide and 600 high.
enum MediaQuery {
  /// - Parameter tokens: a query list without blanks; an empty one matches.
  static func matches(_ tokens: [CSSToken]) -> Bool {
    if tokens.isEmpty { return true }
    return tokens.split(separator: .comma).contains { query(Array($0)) }
  }

  private static func query(_ tokens: [CSSToken]) -> Bool {
    var index = 0
    var isNegated = false
    var result = true
    while index < tokens.count {
      switch tokens[index] {
      case .ident:
        switch tokens[index].word {
        case "not": isNegated = true
        case "only", "and", "layer": break
        case "all", "screen": break
        default: result = false
        }
      case .open(.round):
        let end = tokens[index...].firstIndex(of: .close(.round)) ?? tokens.count
        if !feature(Array(tokens[(index + 1)..<end])) { result = false }
        index = end
      case .function: return false
      default: break
      }
      index += 1
    }
    return result != isNegated
  }

  private static func feature(_ tokens: [CSSToken]) -> Bool {
    guard let name = tokens.first?.word else { return false }
    let pixels = tokens.last.flatMap(CSSLength.em).map { $0 * 16 }
    switch name {
    case "min-width", "min-device-width": return pixels.map { $0 <= 800 } ?? false
    case "max-width", "max-device-width": return pixels.map { $0 >= 800 } ?? false
    case "min-height", "min-device-height": return pixels.map { $0 <= 600 } ?? false
    case "max-height", "max-device-height": return pixels.map { $0 >= 600 } ?? false
    case "orientation": return tokens.last?.word == "landscape"
    case "color", "hover": return tokens.count == 1
    default: return false
    }
  }
}
