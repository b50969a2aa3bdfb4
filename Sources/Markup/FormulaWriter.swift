/// Writes MathML as one line of readable text: a/b, x², √(a+b), [a b; c d].
struct FormulaWriter {
  private let tree: MarkupTree
  /// Offset of each text node's first scalar.
  private let starts: [Int32: Int]
  private let end: Int

  /// A scalar and where it stands in the source.
  typealias Text = [(Unicode.Scalar, Int)]

  private static let maximumDepth = 48

  init(tree: MarkupTree, starts: [Int32: Int], end: Int) {
    self.tree = tree
    self.starts = starts
    self.end = end
  }

  mutating func write(_ node: Int32) -> Text {
    var text = row(children(node), 0)
    while let last = text.last, last.0 == " " { text.removeLast() }
    return text
  }

  private func children(_ node: Int32) -> [Int32] { tree.children(of: node) }

  private func generated(_ string: String, near text: Text) -> Text {
    let place = text.first?.1 ?? end
    return string.unicodeScalars.map { ($0, place) }
  }

  private func row(_ nodes: [Int32], _ depth: Int) -> Text {
    var text: Text = []
    for node in nodes { text += element(node, depth) }
    return text
  }

  private func element(_ node: Int32, _ depth: Int) -> Text {
    guard depth < Self.maximumDepth else { return leaf(node) }
    let parts = children(node)
    func part(_ index: Int) -> Text { index < parts.count ? element(parts[index], depth + 1) : [] }
    switch tree.name(node) {
    case "mi", "mn", "mtext", "ms": return leaf(node)
    case "mo": return operation(node)
    case "mspace": return generated(" ", near: [])
    case "mfrac":
      let (top, bottom) = (part(0), part(1))
      let line = tree.attribute(node, .linethickness)
      let isBinomial = line == "0" || line == "0px" || line == "0pt"
      if isBinomial { return top + generated(" over ", near: bottom) + bottom }
      return group(top) + generated("/", near: bottom) + group(bottom)
    case "msqrt":
      let inner = row(parts, depth + 1)
      return generated("√", near: inner) + group(inner)
    case "mroot":
      let (base, index) = (part(0), part(1))
      let sign: Text
      switch plain(index) {
      case "3": sign = generated("∛", near: index)
      case "4": sign = generated("∜", near: index)
      default: sign = raised(index) + generated("√", near: base)
      }
      return sign + group(base)
    case "msup": return base(part(0)) + raised(part(1))
    case "msub": return base(part(0)) + lowered(part(1))
    case "msubsup": return base(part(0)) + lowered(part(1)) + raised(part(2))
    case "munder": return part(0) + lowered(part(1))
    case "mover": return over(part(0), part(1))
    case "munderover": return part(0) + lowered(part(1)) + raised(part(2))
    case "mmultiscripts": return scripts(parts, depth)
    case "mfenced": return fenced(node, parts, depth)
    case "mtable": return table(parts, depth)
    case "semantics": return part(0)
    case "annotation", "annotation-xml", "mphantom", "none", "mprescripts": return []
    case "menclose", "mrow", "mstyle", "mpadded", "merror", "maction", "math", "mtd", "mtr", "mlabeledtr":
      return row(parts, depth + 1)
    default: return parts.isEmpty ? leaf(node) : row(parts, depth + 1)
    }
  }

  /// All text below a node, without walking by recursion.
  private func leaf(_ node: Int32) -> Text {
    var text: Text = []
    var current = node
    while current >= 0 {
      if let start = starts[current] {
        var place = start
        var isSpace = false
        for scalar in tree.rawText(current).unicodeScalars {
          if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" {
            if !isSpace {
              if let last = text.last, last.0 != " " { text.append((" ", place)) }
              place += 1
            }
            isSpace = true
          } else {
            if !isInvisible(scalar) { text.append((scalar, place)) }
            place += 1
            isSpace = false
          }
        }
      }
      current = tree.next(after: current, within: node)
    }
    while let last = text.last, last.0 == " " { text.removeLast() }
    return text
  }

  /// Function application, invisible times and the like.
  private func isInvisible(_ scalar: Unicode.Scalar) -> Bool { (0x2061...0x2064).contains(scalar.value) }

  private func operation(_ node: Int32) -> Text {
    let text = leaf(node)
    guard text.count == 1, let sign = text.first else { return text }
    switch sign.0 {
    case "=", "≠", "<", ">", "≤", "≥", "≈", "≡", "→", "←", "↔", "⇒", "⇔", "∈", "∉", "⊂", "⊆", "∧", "∨", "±", "×", "÷",
      "⋅", ":":
      return generated(" ", near: text) + text + generated(" ", near: text)
    case "+", "-", "−", "∪", "∩":
      return isPrefix(node) ? text : generated(" ", near: text) + text + generated(" ", near: text)
    case ",", ";": return text + generated(" ", near: text)
    default: return text
    }
  }

  /// Whether a sign belongs to the term behind it: nothing but another operator stands before it.
  private func isPrefix(_ node: Int32) -> Bool {
    let parent = tree.parent(node)
    guard parent >= 0 else { return true }
    let siblings = tree.children(of: parent)
    guard let place = siblings.firstIndex(of: node), place > 0 else { return true }
    let before = siblings[place - 1]
    return tree.name(before) == "mo" && ![")", "]", "}", "|", "!", "′"].contains(plain(leaf(before)))
  }

  private func plain(_ text: Text) -> String {
    var string = String.UnicodeScalarView()
    for (scalar, _) in text { string.append(scalar) }
    return String(string)
  }

  /// In brackets, if it is more than one term.
  private func group(_ text: Text) -> Text {
    isSimple(text) ? text : generated("(", near: text) + text + generated(")", near: text.suffix(1).map { $0 })
  }

  private func base(_ text: Text) -> Text {
    text.contains { $0.0 == " " } && !isBracketed(text) ? group(text) : text
  }

  private func isBracketed(_ text: Text) -> Bool {
    guard let first = text.first?.0, let last = text.last?.0 else { return false }
    return (first == "(" && last == ")") || (first == "[" && last == "]") || (first == "|" && last == "|")
  }

  private func isSimple(_ text: Text) -> Bool {
    text.allSatisfy { scalar, _ in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "." || scalar == ","
        || Self.superscripts.values.contains(scalar) || Self.subscripts.values.contains(scalar) || scalar == "√"
        || scalar == "∞" || scalar == "%" || scalar == "′"
    } || isBracketed(text) && text.dropFirst().dropLast().allSatisfy { $0.0 != "(" && $0.0 != ")" }
  }

  private func raised(_ text: Text) -> Text { script(text, Self.superscripts, "^") }
  private func lowered(_ text: Text) -> Text { script(text, Self.subscripts, "_") }

  private func script(_ text: Text, _ table: [Unicode.Scalar: Unicode.Scalar], _ sign: String) -> Text {
    let dense = text.filter { $0.0 != " " }
    if dense.isEmpty { return [] }
    if dense.count == 1, "′″‴*∗†°".unicodeScalars.contains(dense[0].0) { return dense }
    let mapped = dense.compactMap { scalar, place in table[scalar].map { ($0, place) } }
    if mapped.count == dense.count { return mapped }
    return generated(sign, near: dense) + group(text)
  }

  private func over(_ base: Text, _ mark: Text) -> Text {
    let combining: Unicode.Scalar?
    switch plain(mark) {
    case "¯", "‾", "_", "―", "\u{0304}": combining = "\u{0305}"
    case "^", "ˆ", "\u{0302}": combining = "\u{0302}"
    case "~", "˜", "\u{0303}": combining = "\u{0303}"
    case "→", "⃗", "⇀": combining = "\u{20D7}"
    case "˙", ".": combining = "\u{0307}"
    case "¨", "..": combining = "\u{0308}"
    default: combining = nil
    }
    guard let combining, !base.isEmpty, base.count <= 3, let place = mark.first?.1 else { return base + raised(mark) }
    return base.flatMap { [$0, (combining, place)] }
  }

  private func scripts(_ parts: [Int32], _ depth: Int) -> Text {
    guard let first = parts.first else { return [] }
    var before: Text = []
    var after: Text = []
    var isBefore = false
    var isLower = true
    for part in parts.dropFirst() {
      if tree.name(part) == "mprescripts" {
        isBefore = true
        isLower = true
        continue
      }
      let text = element(part, depth + 1)
      let shown = isLower ? lowered(text) : raised(text)
      if isBefore { before += shown } else { after += shown }
      isLower.toggle()
    }
    return before + element(first, depth + 1) + after
  }

  private func fenced(_ node: Int32, _ parts: [Int32], _ depth: Int) -> Text {
    let open = tree.attribute(node, "open") ?? "("
    let close = tree.attribute(node, "close") ?? ")"
    let separators = Array((tree.attribute(node, .separators) ?? ",").filter { $0 != " " })
    var text: Text = []
    for (index, part) in parts.enumerated() {
      let shown = element(part, depth + 1)
      if index > 0, let separator = separators.isEmpty ? nil : separators[min(index - 1, separators.count - 1)] {
        text += generated(String(separator) + " ", near: shown)
      }
      text += shown
    }
    return generated(open, near: text) + text + generated(close, near: text.suffix(1).map { $0 })
  }

  /// Rows are divided by ";", cells by blanks.
  private func table(_ rows: [Int32], _ depth: Int) -> Text {
    var text: Text = []
    for (index, row) in rows.enumerated() {
      if index > 0 { text += generated("; ", near: []) }
      for (column, cell) in children(row).enumerated() {
        if column > 0 { text += generated(" ", near: []) }
        text += element(cell, depth + 2)
      }
    }
    return generated("[", near: text) + text + generated("]", near: text.suffix(1).map { $0 })
  }

  private static let superscripts = table(
    "0123456789+-−=()nixyabcdefghjklmoprstuvwzTk", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱˣʸᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷᶻᵀᵏ")
  private static let subscripts = table(
    "0123456789+-−=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ")

  private static func table(_ plain: String, _ shifted: String) -> [Unicode.Scalar: Unicode.Scalar] {
    Dictionary(zip(plain.unicodeScalars, shifted.unicodeScalars), uniquingKeysWith: { first, _ in first })
  }
}
