/// Reads selectors of level 2 and the common ones of level 3.
struct SelectorParser {
  private let tokens: ArraySlice<CSSToken>
  private var index: Int
  /// Prefixes of `@namespace` -> namespace.
  private let namespaces: [String: String]

  /// - Parameter tokens: a rule's prelude.
  init(_ tokens: ArraySlice<CSSToken>, namespaces: [String: String]) {
    self.tokens = tokens
    self.namespaces = namespaces
    index = tokens.startIndex
  }

  /// The selectors of a list; one that is invalid takes the whole list with it, as CSS demands.
  mutating func list() -> [Selector]? {
    var selectors: [Selector] = []
    while true {
      guard let selector = complex() else { return nil }
      selectors.append(selector)
      skipSpace()
      guard let token = peek() else { return selectors }
      guard token == .comma, selectors.count < 4096 else { return nil }
      index += 1
    }
  }

  private func peek(_ ahead: Int = 0) -> CSSToken? {
    index + ahead < tokens.endIndex ? tokens[index + ahead] : nil
  }

  private mutating func skipSpace() {
    while peek() == .space { index += 1 }
  }

  private mutating func complex() -> Selector? {
    skipSpace()
    var compounds: [Selector.Compound] = []
    var specificity: UInt32 = 0
    var pseudo = Selector.PseudoElement.none
    // The combinator found before a compound says how the one at its left stands to it.
    var pending: Selector.Combinator?
    while true {
      guard pseudo == .none, let (compound, weight, element) = compound() else { return nil }
      if let pending, !compounds.isEmpty { compounds[compounds.count - 1].combinator = pending }
      compounds.append(compound)
      specificity = Self.add(specificity, weight)
      pseudo = element
      let hadSpace = peek() == .space
      skipSpace()
      guard let token = peek(), token != .comma else { break }
      switch token {
      case .delimiter(0x3e): pending = .child
      case .delimiter(0x2b): pending = .next
      case .delimiter(0x7e): pending = .following
      default:
        guard hadSpace else { return nil }
        pending = .descendant
        continue
      }
      index += 1
      skipSpace()
    }
    guard compounds.count <= Selector.maximumCompounds else { return nil }
    // Stored as "how this stands to its right", so the first from the right has nothing to say.
    let reversed = Array(compounds.reversed())
    var ancestorBits: UInt64 = 0
    for compound in reversed.dropFirst() {
      switch compound.combinator {
      case .descendant, .child: ancestorBits |= compound.bits
      case .next, .following: break
      }
    }
    return Selector(
      compounds: reversed, specificity: specificity, pseudoElement: pseudo, ancestorBits: ancestorBits)
  }

  private static func add(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    for shift in [UInt32(0), 8, 16] {
      let part = min(255, (left >> shift & 255) + (right >> shift & 255))
      sum |= part << shift
    }
    return sum
  }

  private mutating func compound() -> (Selector.Compound, UInt32, Selector.PseudoElement)? {
    var compound = Selector.Compound()
    var weight: UInt32 = 0
    var pseudo = Selector.PseudoElement.none
    var hasAny = false
    if let name = typeName() {
      hasAny = true
      if name != "*" {
        weight = 1
        let lower = name.lowercased()
        if let known = MarkupNames.elementIndex[name] ?? MarkupNames.elementIndex[lower], known != 0 {
          compound.type = .known(MarkupNames.tags[Int(known)])
        } else {
          compound.type = .named(name)
        }
      }
    }
    while let token = peek() {
      switch token {
      case .hash(let name):
        compound.ids.append(nameHash(name))
        weight = Self.add(weight, 0x1_0000)
        index += 1
      case .delimiter(0x2e):
        guard case .ident(let name)? = peek(1) else { return nil }
        compound.classes.append(nameHash(name))
        weight = Self.add(weight, 0x100)
        index += 2
      case .open(.square):
        guard let test = attribute() else { return nil }
        compound.tests.append(test)
        weight = Self.add(weight, 0x100)
      case .colon:
        guard pseudo == .none, let result = pseudoSelector() else { return nil }
        if let test = result.test { compound.tests.append(test) }
        pseudo = result.element
        weight = Self.add(weight, result.weight)
      default:
        return hasAny ? (compound, weight, pseudo) : nil
      }
      hasAny = true
    }
    return hasAny ? (compound, weight, pseudo) : nil
  }

  /// A type selector without its namespace prefix: prefixes do not tell elements apart here.
  private mutating func typeName() -> String? {
    var name: String?
    if case .ident(let text)? = peek() {
      name = text
      index += 1
    } else if peek() == .delimiter(0x2a) {
      name = "*"
      index += 1
    }
    guard peek() == .delimiter(0x7c), peek(1) != .delimiter(0x3d) else { return name }
    if case .ident(let text)? = peek(1) {
      index += 2
      return text
    }
    if peek(1) == .delimiter(0x2a) {
      index += 2
      return "*"
    }
    return name
  }

  // MARK: Attributes

  private mutating func attribute() -> Selector.Test? {
    index += 1
    skipSpace()
    var prefix: String?
    var name: String
    if peek() == .delimiter(0x2a) || peek() == .delimiter(0x7c) {
      if peek() == .delimiter(0x2a) { index += 1 }
      guard peek() == .delimiter(0x7c), case .ident(let text)? = peek(1) else { return nil }
      name = text
      index += 2
    } else if case .ident(let text)? = peek() {
      name = text
      index += 1
      if peek() == .delimiter(0x7c), case .ident(let local)? = peek(1) {
        prefix = text
        name = local
        index += 2
      }
    } else {
      return nil
    }
    if let prefix { name = qualified(prefix, name) }
    skipSpace()
    var match = Selector.AttributeMatch.exists
    switch peek() {
    case .close(.square)?:
      index += 1
      return .attribute(name: name, match: .exists, value: [], ignoresCase: false)
    case .delimiter(0x3d)?: match = .equals
    case .delimiter(0x7e)?: match = .word
    case .delimiter(0x7c)?: match = .language
    case .delimiter(0x5e)?: match = .prefix
    case .delimiter(0x24)?: match = .suffix
    case .delimiter(0x2a)?: match = .substring
    default: return nil
    }
    index += 1
    if match != .equals {
      guard peek() == .delimiter(0x3d) else { return nil }
      index += 1
    }
    skipSpace()
    let value: String
    switch peek() {
    case .ident(let text)?: value = text
    case .string(let text)?: value = text
    default: return nil
    }
    index += 1
    skipSpace()
    var ignoresCase = false
    if case .ident(let flag)? = peek(), flag.lowercased() == "i" {
      ignoresCase = true
      index += 1
      skipSpace()
    }
    guard peek() == .close(.square) else { return nil }
    index += 1
    return .attribute(name: name, match: match, value: Array(value.utf8), ignoresCase: ignoresCase)
  }

  private func qualified(_ prefix: String, _ name: String) -> String {
    switch namespaces[prefix] ?? prefix {
    case "http://www.idpf.org/2007/ops", "epub": "epub:" + name
    case "http://www.w3.org/XML/1998/namespace", "xml": "xml:" + name
    case "http://www.w3.org/1999/xlink", "xlink": "xlink:" + name
    default: name
    }
  }

  // MARK: Pseudo-classes and -elements

  private struct Pseudo {
    var test: Selector.Test?
    var element = Selector.PseudoElement.none
    var weight: UInt32 = 0x100
  }

  private mutating func pseudoSelector() -> Pseudo? {
    index += 1
    var isElement = false
    if peek() == .colon {
      isElement = true
      index += 1
    }
    switch peek() {
    case .ident(let text)?:
      index += 1
      return Self.named(text.lowercased(), isElement: isElement)
    case .function(let name)?:
      index += 1
      guard let arguments = arguments() else { return nil }
      return function(name, arguments)
    default: return nil
    }
  }

  private static func named(_ name: String, isElement: Bool) -> Pseudo? {
    switch name {
    case "before": return Pseudo(element: .before, weight: 1)
    case "after": return Pseudo(element: .after, weight: 1)
    case "first-letter", "first-line", "marker", "selection", "placeholder", "backdrop":
      return Pseudo(element: .other, weight: 1)
    default: break
    }
    guard !isElement else { return name.hasPrefix("-") ? Pseudo(element: .other, weight: 1) : nil }
    let test: Selector.Test
    switch name {
    case "root": test = .root
    case "empty": test = .empty
    case "link", "any-link": test = .link
    case "checked": test = .checked
    case "disabled": test = .disabled
    case "enabled": test = .enabled
    case "first-child": test = .nth(step: 0, start: 1, ofType: false, fromEnd: false)
    case "last-child": test = .nth(step: 0, start: 1, ofType: false, fromEnd: true)
    case "first-of-type": test = .nth(step: 0, start: 1, ofType: true, fromEnd: false)
    case "last-of-type": test = .nth(step: 0, start: 1, ofType: true, fromEnd: true)
    case "only-child": test = .only(ofType: false)
    case "only-of-type": test = .only(ofType: true)
    case "visited", "hover", "active", "focus", "target", "focus-within", "focus-visible": test = .never
    default: return nil
    }
    return Pseudo(test: test)
  }

  private mutating func arguments() -> ArraySlice<CSSToken>? {
    let start = index
    var depth = 1
    while let token = peek() {
      switch token {
      case .open(.round), .function: depth += 1
      case .close(.round): depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { return tokens[start..<(index - 1)] }
    }
    return nil
  }

  private func function(_ name: String, _ arguments: ArraySlice<CSSToken>) -> Pseudo? {
    switch name {
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      guard let (step, start) = Self.formula(arguments) else { return nil }
      return Pseudo(
        test: .nth(step: step, start: start, ofType: name.hasSuffix("of-type"), fromEnd: name.contains("last")))
    case "lang":
      let words = arguments.compactMap { token -> String? in
        switch token {
        case .ident(let text), .string(let text): text.lowercased()
        default: nil
        }
      }
      return words.first.map { Pseudo(test: .language($0)) }
    case "not", "is", "where", "matches", "-webkit-any", "-moz-any":
      guard let (compounds, weight) = compounds(arguments) else { return nil }
      return Pseudo(test: name == "not" ? .not(compounds) : .any(compounds), weight: name == "where" ? 0 : weight)
    default: return nil
    }
  }

  /// A list of compounds, without combinators; nesting deeper than the tokens allow ends by itself.
  private func compounds(_ arguments: ArraySlice<CSSToken>) -> ([Selector.Compound], UInt32)? {
    guard arguments.count < 512 else { return nil }
    var parser = SelectorParser(arguments, namespaces: namespaces)
    guard let selectors = parser.list() else { return nil }
    var compounds: [Selector.Compound] = []
    for selector in selectors {
      guard selector.compounds.count == 1, selector.pseudoElement == .none else { return nil }
      compounds.append(selector.compounds[0])
    }
    return (compounds, selectors.map(\.specificity).max() ?? 0)
  }

  /// "2n+1", "odd", "-n + 3", "4".
  private static func formula(_ arguments: ArraySlice<CSSToken>) -> (Int, Int)? {
    var text = ""
    for token in arguments {
      switch token {
      case .ident(let name): text += name.lowercased()
      case .number(let value):
        let sign = value >= 0 && !text.isEmpty && !text.hasSuffix("+") && !text.hasSuffix("-") ? "+" : ""
        text += sign + String(Int(max(-1e6, min(1e6, value))))
      case .dimension(let value, let unit):
        text += String(Int(max(-1e6, min(1e6, value)))) + unit
      case .delimiter(let byte): text += String(Character(Unicode.Scalar(byte)))
      case .space: break
      default: return nil
      }
    }
    if text == "odd" { return (2, 1) }
    if text == "even" { return (2, 0) }
    guard let letter = text.firstIndex(of: "n") else { return Int(text).map { (0, $0) } }
    let stepText = text[..<letter]
    let step: Int?
    switch stepText {
    case "", "+": step = 1
    case "-": step = -1
    default: step = Int(stepText)
    }
    let rest = text[text.index(after: letter)...]
    guard let step, let start = rest.isEmpty ? 0 : Int(rest) else { return nil }
    return (step, start)
  }
}
