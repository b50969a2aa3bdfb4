internal import Document

/// Tells notes and the links to and from them by type, by role, and by how they look.
struct NoteFinder {
  let tree: MarkupTree

  static func isNote(_ tree: MarkupTree, _ node: Int32) -> Bool {
    tree.attribute(node, .epubType, holdsAnyOf: "footnote", "endnote", "rearnote", "note")
      || tree.attribute(node, .role, holdsAnyOf: "doc-footnote", "doc-endnote")
  }

  /// An element that a sheet hides and a link leads to, named like a note.
  static func looksLikeNote(_ tree: MarkupTree, _ node: Int32) -> Bool {
    for name in [AttributeName.class, .id] {
      guard let text = tree.attribute(node, name)?.lowercased() else { continue }
      if text.contains("note") || text.hasPrefix("fn") || text.contains(" fn") { return true }
    }
    return false
  }

  // MARK: Links

  /// - Parameter isStyledRaised: whether a sheet puts the link above the line.
  func kind(of link: Int32, target: String, isInNote: Bool, isAtStart: Bool, isStyledRaised: Bool) -> Link.Kind {
    if tree.attribute(link, .epubType, holdsAnyOf: "noteref", "annoref")
      || tree.attribute(link, .role, holdsAnyOf: "doc-noteref")
    {
      return .noteReference
    }
    if tree.attribute(link, .epubType, holdsAnyOf: "backlink", "referrer")
      || tree.attribute(link, .role, holdsAnyOf: "doc-backlink")
    {
      return .backlink
    }
    guard let hash = target.utf8.firstIndex(of: 0x23) else { return .plain }
    let fragment = target[target.index(after: hash)...].lowercased()
    guard !fragment.isEmpty else { return .plain }
    let label = shortText(link)
    if Self.arrows.contains(label) || isInNote && Self.backWords.contains(label.lowercased()) { return .backlink }
    guard let mark = Mark(label) else { return .plain }
    let isRaised = isStyledRaised || isRaised(link)
    let isNamed = Self.isNamedNote(fragment) || namedNote(link)
    guard isRaised || !mark.isLetter && (mark.isBracketed || mark.isSymbol || isNamed) else { return .plain }
    if isInList(link) { return .plain }
    if isAtStart, isInNote || startsNote(link) { return .backlink }
    return .noteReference
  }

  private static let arrows: Set<String> = [
    "↩", "↩︎", "↩\u{fe0e}", "↵", "⏎", "↑", "⇑", "⤴", "^", "«", "←", "⇦", "[↩]", "[^]",
  ]
  private static let backWords: Set<String> = [
    "back", "return", "[back]", "(back)", "zurück", "retour", "返回", "返回原文", "戻る",
  ]

  /// A note's mark: "3", "[3]", "(iv)", "*", "†".
  struct Mark {
    var isBracketed = false
    var isSymbol = false
    /// A bare letter, which is a mark only where it is raised.
    var isLetter = false

    init?(_ label: String) {
      var text = label[...]
      for (open, close) in [("[", "]"), ("(", ")"), ("{", "}"), ("［", "］"), ("（", "）"), ("〔", "〕"), ("【", "】")]
      where text.hasPrefix(open) && text.hasSuffix(close) && text.count > 2 {
        text = text.dropFirst().dropLast()
        isBracketed = true
      }
      guard !text.isEmpty, text.count <= 6 else { return nil }
      if text.allSatisfy({ "*†‡§¶#※＊".contains($0) }) {
        isSymbol = true
        return
      }
      for word in ["注", "註", "n.", "n", "fn"] where text.hasPrefix(word) && text.count > word.count {
        text = text.dropFirst(word.count)
        break
      }
      if text.count == 1, "注註".contains(text), isBracketed { return }
      let isNumber = text.allSatisfy { $0.isNumber || $0.isWholeNumber }
      isLetter = text.count == 1 && text.first?.isLetter == true && text.first?.isASCII == true && !isBracketed
      let isLettered = text.count == 1 && text.first?.isLetter == true && isBracketed
      let isRoman = text.count <= 5 && text.allSatisfy { "ivxlIVXL".contains($0) } && isBracketed
      if isNumber {
        let isSuperscript = text.unicodeScalars.allSatisfy { "⁰¹²³⁴⁵⁶⁷⁸⁹".unicodeScalars.contains($0) }
        if isSuperscript { isSymbol = true }
      }
      guard isNumber || isLetter || isLettered || isRoman else { return nil }
    }
  }

  /// "fn3", "note-12", "n2", "_ftn1", "r4": letters that stand for note or reference, then a number.
  private static func isNamedNote(_ fragment: String) -> Bool {
    if fragment.contains("note") || fragment.contains("ftn") || fragment.contains("edn") { return true }
    let prefix = fragment.prefix { !$0.isNumber }
    guard prefix.count < fragment.count else { return false }
    return [
      "n", "f", "fn", "en", "r", "ref", "nr", "rn", "fnref", "back", "fr", "rf", "n_", "fn_", "fn-", "n-", "en-", "r-",
      "ref-",
    ].contains(prefix)
  }

  private func namedNote(_ link: Int32) -> Bool {
    guard let text = tree.attribute(link, .class)?.lowercased() else { return false }
    return text.contains("note") || text.hasPrefix("fn")
  }

  /// Whether the link is in a `sup`, or holds one and nothing else.
  private func isRaised(_ link: Int32) -> Bool {
    var ancestor = tree.nodes[Int(link)].parent
    for _ in 0..<3 {
      guard ancestor >= 0 else { break }
      if tree.tag(ancestor) == .sup { return true }
      ancestor = tree.nodes[Int(ancestor)].parent
    }
    var child = tree.nodes[Int(link)].firstChild
    while child >= 0, tree.nodes[Int(child)].name == MarkupTree.textName { child = tree.nodes[Int(child)].nextSibling }
    return child >= 0 && tree.tag(child) == .sup
  }

  /// Whether two or more links of the same kind stand right beside this one: verse numbers, page numbers, an index.
  private func isInList(_ link: Int32) -> Bool {
    var unit = link
    let parent = tree.nodes[Int(link)].parent
    if parent >= 0, tree.tag(parent) == .sup, tree.text(parent) == tree.text(link) { unit = parent }
    var neighbours = 0
    var next = tree.nodes[Int(unit)].nextSibling
    var steps = 0
    while next >= 0, neighbours < 2, steps < 8 {
      steps += 1
      if tree.nodes[Int(next)].name == MarkupTree.textName {
        guard isSeparator(next) else { break }
      } else {
        guard isMarkedLink(next) else { break }
        neighbours += 1
      }
      next = tree.nodes[Int(next)].nextSibling
    }
    if neighbours >= 2 { return true }
    // Backwards there are no pointers: the parent's children are walked, a bounded number of them.
    var before: [Int32] = []
    guard tree.nodes[Int(unit)].parent >= 0 else { return false }
    var child = tree.nodes[Int(tree.nodes[Int(unit)].parent)].firstChild
    steps = 0
    while child >= 0, child != unit, steps < 2000 {
      steps += 1
      before.append(child)
      if before.count > 8 { before.removeFirst() }
      child = tree.nodes[Int(child)].nextSibling
    }
    for node in before.reversed() {
      if tree.nodes[Int(node)].name == MarkupTree.textName {
        guard isSeparator(node) else { break }
      } else {
        guard isMarkedLink(node) else { break }
        neighbours += 1
      }
    }
    return neighbours >= 2
  }

  private func isSeparator(_ node: Int32) -> Bool {
    let item = tree.nodes[Int(node)]
    return item.end - item.start < 16
      && tree.bytes[Int(item.start)..<Int(item.end)].allSatisfy {
        $0.isMarkupSpace || $0 == 0x2c || $0 == 0x7c || $0 == 0x3b || $0 == 0x2f || $0 == 0xc2 || $0 == 0xa0
          || $0 == 0xb7
      }
  }

  private func isMarkedLink(_ node: Int32) -> Bool {
    var link = node
    if tree.tag(link) == .sup {
      guard let inner = tree.children(of: link).first else { return false }
      link = inner
    }
    return tree.tag(link) == .a && tree.has(link, .href) && Mark(shortText(link)) != nil
  }

  /// Whether a link that opens a block is that note's own number: text follows it, and it can be linked to.
  private func startsNote(_ link: Int32) -> Bool {
    var node = link
    for _ in 0..<4 {
      guard node >= 0 else { return false }
      if tree.has(node, .id) || tree.tag(node) == .a && tree.has(node, .name) {
        return true
      }
      node = tree.nodes[Int(node)].parent
      if node >= 0, tree.tag(node) == .body { return false }
    }
    return false
  }

  /// The first scalars of an element's text.
  private func shortText(_ node: Int32) -> String {
    var bytes: [UInt8] = []
    var current = node
    var steps = 0
    while current >= 0, bytes.count < 48, steps < 64 {
      steps += 1
      let item = tree.nodes[Int(current)]
      if item.name == MarkupTree.textName {
        bytes += tree.bytes[Int(item.start)..<Int(item.end)].prefix(64)
      }
      current = tree.next(after: current, within: node)
    }
    return ContainerText.trim(String(decoding: bytes, as: UTF8.self))
  }

  // MARK: Targets

  /// The element that holds the whole note to which `id` belongs.
  func container(of id: String) -> Int32? {
    guard var node = find(id) else { return nil }
    for _ in 0..<16 {
      let tag = tree.tag(node)
      let parent = tree.nodes[Int(node)].parent
      guard parent >= 0, tag != .body, tag != .html else { return node }
      if Self.isBlock(tag), Self.isNote(tree, node) || !isMereMark(node) { return preferList(node) }
      // A term holds the number, its definition the text.
      if tag == .dt || tag == .td || tag == .th, let next = nextElement(node), !isMereMark(next) {
        return tag == .dt ? next : parent
      }
      if Self.isContainer(tree.tag(parent)) { return isMereMark(node) ? nextElement(node) ?? node : node }
      node = parent
    }
    return node
  }

  /// The paragraph of a list item or a note stands for all of it.
  private func preferList(_ node: Int32) -> Int32 {
    let parent = tree.nodes[Int(node)].parent
    guard parent >= 0 else { return node }
    let tag = tree.tag(parent)
    if Self.isNote(tree, parent) { return parent }
    let isFirst = tree.children(of: parent).first == node
    return isFirst && (tag == .li || tag == .dd) ? parent : node
  }

  private func find(_ id: String) -> Int32? {
    let wanted = Array(id.utf8)
    for place in tree.nodes.indices where tree.nodes[place].name != MarkupTree.textName {
      if let range = tree.range(Int32(place), .id), tree.bytes[range].elementsEqual(wanted) { return Int32(place) }
    }
    for place in tree.nodes.indices where tree.nodes[place].name == Tag.a.rawValue {
      if let range = tree.range(Int32(place), .name), tree.bytes[range].elementsEqual(wanted) { return Int32(place) }
    }
    return nil
  }

  /// Whether the element's text is nothing but a number or an arrow.
  private func isMereMark(_ node: Int32) -> Bool {
    let text = shortText(node)
    if text.isEmpty || Self.arrows.contains(text) { return true }
    let bare = text.hasSuffix(".") || text.hasSuffix(":") ? String(text.dropLast()) : text
    return Mark(bare) != nil
  }

  private func nextElement(_ node: Int32) -> Int32? {
    var next = tree.nodes[Int(node)].nextSibling
    while next >= 0 {
      if tree.nodes[Int(next)].name != MarkupTree.textName { return next }
      next = tree.nodes[Int(next)].nextSibling
    }
    return nil
  }

  private static func isBlock(_ tag: Tag) -> Bool {
    switch tag {
    case .p, .li, .div, .aside, .dd, .blockquote, .section, .article, .tr, .figure, .footer, .h1, .h2, .h3, .h4, .h5,
      .h6,
      .details, .pre:
      true
    default: false
    }
  }

  /// Elements that hold more than one note.
  private static func isContainer(_ tag: Tag) -> Bool {
    switch tag {
    case .body, .html, .section, .article, .main, .ol, .ul, .dl, .table, .tbody: true
    default: false
    }
  }
}
