/// One property's value, without blanks, to what it declares; nothing if it is invalid or of no interest.
enum PropertyParser {
  static func parse(_ name: String, _ value: [CSSToken]) -> [Declaration] {
    guard !value.isEmpty else { return [] }
    if value.count == 1, let word = value[0].word, ["inherit", "initial", "unset", "revert"].contains(word) {
      return global(name, word)
    }
    let word = value[0].word
    switch name {
    case "display": return word.flatMap(display).map { [.display($0)] } ?? []
    case "visibility":
      switch word {
      case "visible": return [.visible(true)]
      case "hidden", "collapse": return [.visible(false)]
      default: return []
      }
    case "white-space": return word.flatMap(whiteSpace).map { [.whiteSpace($0)] } ?? []
    case "text-align": return word.flatMap(textAlign).map { [.textAlign($0)] } ?? []
    case "text-indent": return CSSLength.em(value[0]).map { [.textIndent($0)] } ?? []
    case "margin": return edges(value) { .margin($0, $1) }
    case "margin-top", "margin-right", "margin-bottom", "margin-left", "margin-inline-start", "margin-inline-end",
      "margin-block-start", "margin-block-end":
      return length(value[0]).map { [.margin(edge(name), $0.value)] } ?? []
    case "padding": return edges(value) { .padding($0, $1 ?? 0) }
    case "padding-top", "padding-right", "padding-bottom", "padding-left", "padding-inline-start":
      return CSSLength.em(value[0]).map { [.padding(edge(name), $0)] } ?? []
    case "border", "border-style", "border-width":
      return border(value).map { isDrawn in Declaration.Edge.allCases.map { .border($0, isDrawn) } } ?? []
    case "border-top", "border-right", "border-bottom", "border-left", "border-top-style", "border-right-style",
      "border-bottom-style", "border-left-style":
      let side = name.hasSuffix("-style") ? String(name.dropLast(6)) : name
      return border(value).map { [.border(edge(side), $0)] } ?? []
    case "font-style": return word.flatMap(fontStyle).map { [.italic($0)] } ?? []
    case "font-weight": return fontWeight(value[0]).map { [.bold($0)] } ?? []
    case "font-variant", "font-variant-caps": return smallCaps(value).map { [.smallCaps($0)] } ?? []
    case "font-family": return [.monospace(isMonospace(value))]
    case "font": return font(value)
    case "text-transform": return textTransform(value).map { [.transform($0)] } ?? []
    case "vertical-align": return verticalAlign(value[0]).map { [.verticalAlign($0)] } ?? []
    case "text-decoration", "text-decoration-line": return decoration(value)
    case "page-break-before", "break-before": return word.flatMap(pageBreak).map { [.breakBefore($0)] } ?? []
    case "page-break-after", "break-after": return word.flatMap(pageBreak).map { [.breakAfter($0)] } ?? []
    case "page-break-inside", "break-inside": return word.flatMap(pageBreak).map { [.breakInside($0)] } ?? []
    case "list-style-type", "list-style": return listStyle(value, isShorthand: name == "list-style")
    case "content": return ContentParser.items(value).map { [.content($0)] } ?? []
    case "quotes": return quotes(value)
    case "counter-reset": return [.counterReset(counters(value, standard: 0))]
    case "counter-increment": return [.counterIncrement(counters(value, standard: 1))]
    case "counter-set": return [.counterSet(counters(value, standard: 0))]
    case "direction": return word == "rtl" ? [.rightToLeft(true)] : word == "ltr" ? [.rightToLeft(false)] : []
    case "writing-mode": return word.map { [.vertical($0.hasPrefix("vertical") || $0.hasPrefix("tb"))] } ?? []
    case "float": return [.floatsRight(word == "right" || word == "inline-end")]
    default: return []
    }
  }

  private static func global(_ name: String, _ word: String) -> [Declaration] {
    guard let (property, isInherited) = property(name) else { return [] }
    switch word {
    case "inherit": return [.inherit(property)]
    case "initial": return [.initial(property)]
    case "unset": return [isInherited ? .inherit(property) : .initial(property)]
    default: return []
    }
  }

  private static func property(_ name: String) -> (Declaration.Property, isInherited: Bool)? {
    switch name {
    case "display": (.display, false)
    case "visibility": (.visibility, true)
    case "white-space": (.whiteSpace, true)
    case "text-align": (.textAlign, true)
    case "text-indent": (.textIndent, true)
    case "margin": (.margins, false)
    case "padding": (.padding, false)
    case "font-style": (.fontStyle, true)
    case "font-weight": (.fontWeight, true)
    case "font-variant": (.fontVariant, true)
    case "font-family": (.fontFamily, true)
    case "text-transform": (.textTransform, true)
    case "vertical-align": (.verticalAlign, false)
    case "text-decoration": (.textDecoration, false)
    case "list-style", "list-style-type": (.listStyleType, true)
    case "content": (.content, false)
    case "quotes": (.quotes, true)
    case "direction": (.direction, true)
    case "page-break-before", "page-break-after", "break-before", "break-after": (.breaks, false)
    case "counter-reset", "counter-increment", "counter-set": (.counters, false)
    default: nil
    }
  }

  private static func display(_ word: String) -> Declaration.Display? {
    switch word {
    case "none": Declaration.Display.none
    case "contents": .contents
    case "inline", "ruby", "ruby-base", "run-in", "oeb-column-number": .inline
    case "inline-block", "inline-table", "inline-flex", "inline-grid": .inlineBlock
    case "block", "flex", "grid", "flow-root", "-webkit-box", "oeb-page-head", "oeb-page-foot": .block
    case "list-item": .listItem
    case "table": .table
    case "table-row-group": .rowGroup
    case "table-header-group": .headerGroup
    case "table-footer-group": .footerGroup
    case "table-row": .row
    case "table-cell": .cell
    case "table-caption": .caption
    case "table-column", "table-column-group": .column
    default: nil
    }
  }

  private static func whiteSpace(_ word: String) -> Declaration.WhiteSpace? {
    switch word {
    case "normal", "collapse": .normal
    case "pre": .pre
    case "nowrap": .noWrap
    case "pre-wrap", "break-spaces", "preserve": .preWrap
    case "pre-line", "preserve-breaks": .preLine
    default: nil
    }
  }

  private static func textAlign(_ word: String) -> Declaration.TextAlign? {
    switch word {
    case "start", "match-parent": .start
    case "end": .end
    case "left", "-webkit-left": .left
    case "right", "-webkit-right": .right
    case "center", "-webkit-center", "-moz-center": .center
    case "justify": .justify
    default: nil
    }
  }

  private static func length(_ token: CSSToken) -> (value: Float?, Void)? {
    if token.word == "auto" { return (nil, ()) }
    return CSSLength.em(token).map { ($0, ()) }
  }

  private static func edges(
    _ value: [CSSToken], _ make: (Declaration.Edge, Float?) -> Declaration
  ) -> [Declaration] {
    let lengths = value.map(length)
    guard (1...4).contains(value.count), lengths.allSatisfy({ $0 != nil }) else { return [] }
    let values = lengths.map { $0?.value }
    let order: [Int]
    switch values.count {
    case 1: order = [0, 0, 0, 0]
    case 2: order = [0, 1, 0, 1]
    case 3: order = [0, 1, 2, 1]
    default: order = [0, 1, 2, 3]
    }
    return zip(Declaration.Edge.allCases, order).map { make($0, values[$1]) }
  }

  private static func edge(_ name: String) -> Declaration.Edge {
    if name.hasSuffix("top") || name.hasSuffix("block-start") { return .top }
    if name.hasSuffix("bottom") || name.hasSuffix("block-end") { return .bottom }
    if name.hasSuffix("right") || name.hasSuffix("inline-end") { return .right }
    return .left
  }

  /// Whether a line is drawn; nil if the value does not say.
  private static func border(_ value: [CSSToken]) -> Bool? {
    for token in value {
      switch token.word {
      case "none", "hidden": return false
      case "solid", "double", "dashed", "dotted", "groove", "ridge", "inset", "outset": return true
      default: if token == .number(0) { return false }
      }
    }
    return nil
  }

  private static func fontStyle(_ word: String) -> Bool? {
    switch word {
    case "normal": false
    case "italic", "oblique": true
    default: nil
    }
  }

  private static func fontWeight(_ token: CSSToken) -> Bool? {
    switch token {
    case .number(let weight): return weight >= 600
    case .ident:
      switch token.word {
      case "bold", "bolder": return true
      case "normal", "lighter": return false
      default: return nil
      }
    default: return nil
    }
  }

  private static func smallCaps(_ value: [CSSToken]) -> Bool? {
    let words = value.compactMap(\.word)
    if words.contains(where: { $0.hasSuffix("small-caps") || $0.hasSuffix("petite-caps") }) { return true }
    return words.isEmpty ? nil : false
  }

  private static func isMonospace(_ value: [CSSToken]) -> Bool {
    value.contains { token in
      switch token {
      case .ident(let name), .string(let name):
        let lower = name.lowercased()
        return lower == "monospace" || lower.contains("mono") || lower.contains("courier") || lower == "consolas"
      default: return false
      }
    }
  }

  /// `font`: everything that it does not name is reset.
  private static func font(_ value: [CSSToken]) -> [Declaration] {
    guard value.count > 1 else { return [] }
    var italic = false
    var bold = false
    var caps = false
    for token in value {
      switch token.word {
      case "italic", "oblique": italic = true
      case "bold", "bolder": bold = true
      case "small-caps": caps = true
      default:
        if case .number(let weight) = token, weight >= 600, weight <= 1000 { bold = true }
      }
    }
    return [.italic(italic), .bold(bold), .smallCaps(caps), .monospace(isMonospace(value))]
  }

  private static func textTransform(_ value: [CSSToken]) -> Declaration.TextTransform? {
    for word in value.compactMap(\.word) {
      switch word {
      case "none", "full-size-kana": return Declaration.TextTransform.none
      case "uppercase": return .uppercase
      case "lowercase": return .lowercase
      case "capitalize": return .capitalize
      case "full-width", "-epub-fullwidth", "fullwidth": return .fullWidth
      default: continue
      }
    }
    return nil
  }

  private static func verticalAlign(_ token: CSSToken) -> Declaration.VerticalAlign? {
    switch token.word {
    case "super", "text-top", "top": return token.word == "super" ? .superscript : .baseline
    case "sub": return .subscript
    case .some: return .baseline
    case nil: break
    }
    guard let raise = CSSLength.em(token) else { return nil }
    if raise >= 0.3 { return .superscript }
    return raise <= -0.2 ? .subscript : .baseline
  }

  private static func decoration(_ value: [CSSToken]) -> [Declaration] {
    let words = value.compactMap(\.word)
    guard words.contains(where: { ["none", "underline", "line-through", "overline", "blink"].contains($0) }) else {
      return []
    }
    return [.decoration(underline: words.contains("underline"), strikethrough: words.contains("line-through"))]
  }

  private static func pageBreak(_ word: String) -> Declaration.PageBreak? {
    switch word {
    case "auto": .auto
    case "avoid", "avoid-page", "avoid-column": .avoid
    case "always", "left", "right", "page", "recto", "verso": .page
    default: nil
    }
  }

  private static func listStyle(_ value: [CSSToken], isShorthand: Bool) -> [Declaration] {
    for token in value {
      switch token {
      case .ident(let name):
        let lower = name.lowercased()
        if isShorthand, lower == "inside" || lower == "outside" { continue }
        if let style = ListStyle(cssName: lower) { return [.listStyle(style)] }
      case .string(let text): return [.listStyle(.text(String(text.prefix(16))))]
      default: continue
      }
    }
    return []
  }

  private static func quotes(_ value: [CSSToken]) -> [Declaration] {
    if value[0].word == "none" { return [.quotes([])] }
    if value[0].word == "auto" { return [.initial(.quotes)] }
    let strings = value.compactMap { token -> String? in
      if case .string(let text) = token { return String(text.prefix(16)) }
      return nil
    }
    return strings.count == value.count && strings.count.isMultiple(of: 2) ? [.quotes(strings)] : []
  }

  private static func counters(_ value: [CSSToken], standard: Int) -> [Declaration.Counter] {
    var counters: [Declaration.Counter] = []
    for token in value.prefix(64) {
      switch token {
      case .ident(let name) where name.lowercased() != "none":
        counters.append(Declaration.Counter(name: name, value: standard))
      case .number(let number):
        if !counters.isEmpty { counters[counters.count - 1].value = Int(max(-1e9, min(1e9, number))) }
      default: break
      }
    }
    return counters
  }
}

/// Lengths of CSS in em of body text.
enum CSSLength {
  /// A line of a book is taken as 40 em, a pixel as 1/16 em; nil for what is no length (`calc()`, `auto`).
  static func em(_ token: CSSToken) -> Float? {
    let value: Double
    switch token {
    case .number(let number):
      guard number == 0 else { return nil }
      value = 0
    case .percentage(let number): value = number * 0.4
    case .dimension(let number, let unit):
      switch unit {
      case "em", "rem", "lh", "rlh", "ic": value = number
      case "ex", "ch": value = number / 2
      case "px": value = number / 16
      case "pt": value = number / 12
      case "pc": value = number
      case "in": value = number * 6
      case "cm": value = number * 2.36
      case "mm": value = number * 0.236
      case "q": value = number * 0.059
      case "vw", "vi": value = number * 0.4
      case "vh", "vb", "vmin", "vmax": value = number * 0.3
      default: return nil
      }
    default: return nil
    }
    return Float(max(-200, min(200, value)))
  }
}
