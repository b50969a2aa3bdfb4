/// Matches selectors against the elements of one tree.
struct Matcher {
  private let tree: MarkupTree
  private let index: StyleIndex
  /// Class hashes of all elements, and where each element's begin (one more entry than nodes).
  private var classes: [UInt64] = []
  private var classStart: [UInt32] = []
  private var ids: [UInt64] = []
  private var previousElement: [Int32] = []
  /// Compound tests that may still be made: hostile sheets end here, honest ones never come near.
  private var budget: Int

  init(tree: MarkupTree, index: StyleIndex) {
    self.tree = tree
    self.index = index
    budget = 4_000_000 + tree.nodes.count * 150
    guard !index.isEmpty else { return }
    collectNames()
    if index.needsSiblings { collectSiblings() }
  }

  var isExhausted: Bool { budget <= 0 }

  private mutating func collectNames() {
    let count = tree.nodes.count
    classStart.reserveCapacity(count + 1)
    ids = [UInt64](repeating: 0, count: count)
    tree.bytes.withUnsafeBufferPointer { bytes in
      for node in 0..<count {
        classStart.append(UInt32(classes.count))
        let item = tree.nodes[node]
        guard item.name != MarkupTree.textName else { continue }
        for place in Int(item.start)..<Int(item.end) {
          let attribute = tree.attributes[place]
          let range = Int(attribute.start)..<Int(attribute.end)
          if attribute.name == AttributeName.class.rawValue {
            Self.words(bytes, range) { classes.append(nameHash(bytes, $0)) }
          } else if attribute.name == AttributeName.id.rawValue {
            ids[node] = nameHash(bytes, range)
          }
        }
      }
    }
    classStart.append(UInt32(classes.count))
  }

  private static func words(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, !bytes[end].isMarkupSpace { end += 1 }
      if end > start { body(start..<end) }
      start = end + 1
    }
  }

  private mutating func collectSiblings() {
    previousElement = [Int32](repeating: -1, count: tree.nodes.count)
    // Nodes are in document order, so the last child seen of a parent is the previous one.
    var lastOfParent: [Int32: Int32] = [:]
    for node in tree.nodes.indices where tree.nodes[node].name != MarkupTree.textName {
      let parent = tree.nodes[node].parent
      previousElement[node] = lastOfParent[parent] ?? -1
      lastOfParent[parent] = Int32(node)
    }
  }

  // MARK: Collecting

  struct Matches {
    /// Indices of `StyleIndex.declarations`, the weakest first.
    var element: [(weight: UInt64, declarations: Int32)] = []
    var before: [(weight: UInt64, declarations: Int32)] = []
    var after: [(weight: UInt64, declarations: Int32)] = []

    mutating func removeAll() {
      element.removeAll(keepingCapacity: true)
      before.removeAll(keepingCapacity: true)
      after.removeAll(keepingCapacity: true)
    }
  }

  /// This element's own bits for the ancestor filter.
  func bits(_ node: Int32) -> UInt64 {
    guard !index.isEmpty else { return 0 }
    var bits = nameBit(UInt64(tree.nodes[Int(node)].name))
    if ids[Int(node)] != 0 { bits |= nameBit(ids[Int(node)]) }
    for place in classStart[Int(node)]..<classStart[Int(node) + 1] { bits |= nameBit(classes[Int(place)]) }
    return bits
  }

  mutating func match(_ node: Int32, ancestors: UInt64, into matches: inout Matches) {
    matches.removeAll()
    guard !index.isEmpty else { return }
    let place = Int(node)
    if ids[place] != 0, let list = index.byID[ids[place]] { consider(list, node, ancestors, &matches) }
    for item in classStart[place]..<classStart[place + 1] {
      let name = classes[Int(item)]
      // A class said twice would match twice.
      if let list = index.byClass[name], !isRepeated(Int(item), from: Int(classStart[place])) {
        consider(list, node, ancestors, &matches)
      }
    }
    let name = tree.nodes[place].name
    if name < MarkupNames.tagCount, name != 0 {
      consider(index.byTag[Int(name)], node, ancestors, &matches)
    } else if !index.byName.isEmpty, let list = index.byName[tree.elementNames[Int(name)]] {
      consider(list, node, ancestors, &matches)
    }
    consider(index.universal, node, ancestors, &matches)
    if matches.element.count > 1 { matches.element.sort { $0.weight < $1.weight } }
    if matches.before.count > 1 { matches.before.sort { $0.weight < $1.weight } }
    if matches.after.count > 1 { matches.after.sort { $0.weight < $1.weight } }
  }

  private func isRepeated(_ item: Int, from start: Int) -> Bool {
    for earlier in start..<item where classes[earlier] == classes[item] { return true }
    return false
  }

  private mutating func consider(_ list: [Int32], _ node: Int32, _ ancestors: UInt64, _ result: inout Matches) {
    for number in list {
      let selector = index.entries[Int(number)].selector
      guard selector.ancestorBits & ~ancestors == 0, matches(selector, 0, node) else { continue }
      let found = (weight: index.entries[Int(number)].weight, declarations: index.entries[Int(number)].declarations)
      switch selector.pseudoElement {
      case .none: result.element.append(found)
      case .before: result.before.append(found)
      case .after: result.after.append(found)
      case .other: break
      }
    }
  }

  // MARK: Matching

  /// Whether the compounds from `place` on match at `node`; recursion is bounded by the selector's length.
  private mutating func matches(_ selector: Selector, _ place: Int, _ node: Int32) -> Bool {
    guard matches(selector.compounds[place], node) else { return false }
    let next = place + 1
    guard next < selector.compounds.count else { return true }
    switch selector.compounds[next].combinator {
    case .child:
      let parent = tree.nodes[Int(node)].parent
      return parent >= 0 && matches(selector, next, parent)
    case .descendant:
      var ancestor = tree.nodes[Int(node)].parent
      while ancestor >= 0, budget > 0 {
        if matches(selector, next, ancestor) { return true }
        ancestor = tree.nodes[Int(ancestor)].parent
      }
      return false
    case .next:
      let previous = previousElement[Int(node)]
      return previous >= 0 && matches(selector, next, previous)
    case .following:
      var previous = previousElement[Int(node)]
      while previous >= 0, budget > 0 {
        if matches(selector, next, previous) { return true }
        previous = previousElement[Int(previous)]
      }
      return false
    }
  }

  private mutating func matches(_ compound: Selector.Compound, _ node: Int32) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    switch compound.type {
    case .any: break
    case .known(let tag): if tree.nodes[Int(node)].name != tag.rawValue { return false }
    case .named(let name): if tree.elementNames[Int(tree.nodes[Int(node)].name)] != name { return false }
    }
    for id in compound.ids where ids[Int(node)] != id { return false }
    for name in compound.classes where !hasClass(node, name) { return false }
    for test in compound.tests where !passes(test, node) { return false }
    return true
  }

  private func hasClass(_ node: Int32, _ name: UInt64) -> Bool {
    for place in classStart[Int(node)]..<classStart[Int(node) + 1] where classes[Int(place)] == name { return true }
    return false
  }

  private mutating func passes(_ test: Selector.Test, _ node: Int32) -> Bool {
    switch test {
    case .attribute(let name, let match, let value, let ignoresCase):
      return attribute(node, name, match, value, ignoresCase)
    case .root: return tree.nodes[Int(node)].parent < 0
    case .empty: return isEmpty(node)
    case .link: return tree.tag(node) == .a && tree.has(node, .href)
    case .checked: return tree.attribute(node, "checked") != nil || tree.attribute(node, "selected") != nil
    case .disabled: return tree.attribute(node, "disabled") != nil
    case .enabled: return tree.attribute(node, "disabled") == nil
    case .nth(let step, let start, let ofType, let fromEnd):
      guard tree.nodes[Int(node)].parent >= 0 else { return false }
      let position =
        fromEnd
        ? positionFromEnd(node, ofType, enough: step == 0 ? start : Int.max)
        : position(node, ofType, enough: step == 0 ? start : Int.max)
      if step == 0 { return position == start }
      let distance = position - start
      return distance.isMultiple(of: step) && distance / step >= 0
    case .only(let ofType):
      return tree.nodes[Int(node)].parent >= 0 && position(node, ofType, enough: 1) == 1
        && positionFromEnd(node, ofType, enough: 1) == 1
    case .language(let wanted): return language(node, wanted)
    case .not(let compounds):
      for compound in compounds where matches(compound, node) { return false }
      return true
    case .any(let compounds):
      for compound in compounds where matches(compound, node) { return true }
      return false
    case .never: return false
    }
  }

  /// Text that is only a comment or nothing at all does not count; white space does.
  private func isEmpty(_ node: Int32) -> Bool { tree.nodes[Int(node)].firstChild < 0 }

  /// Place among the siblings from 1; counting stops behind `enough`.
  private mutating func position(_ node: Int32, _ ofType: Bool, enough: Int) -> Int {
    var position = 1
    var previous = previousElement[Int(node)]
    while previous >= 0, position <= enough, budget > 0 {
      budget -= 1
      if !ofType || tree.nodes[Int(previous)].name == tree.nodes[Int(node)].name { position += 1 }
      previous = previousElement[Int(previous)]
    }
    return position
  }

  private mutating func positionFromEnd(_ node: Int32, _ ofType: Bool, enough: Int) -> Int {
    var position = 1
    var next = tree.nodes[Int(node)].nextSibling
    while next >= 0, position <= enough, budget > 0 {
      budget -= 1
      let name = tree.nodes[Int(next)].name
      if name != MarkupTree.textName, !ofType || name == tree.nodes[Int(node)].name { position += 1 }
      next = tree.nodes[Int(next)].nextSibling
    }
    return position
  }

  private mutating func language(_ node: Int32, _ wanted: String) -> Bool {
    var current = node
    while current >= 0, budget > 0 {
      budget -= 1
      if let tag = tree.attribute(current, .xmlLang) ?? tree.attribute(current, .lang) {
        let lower = tag.lowercased()
        return lower == wanted || lower.hasPrefix(wanted + "-")
      }
      current = tree.nodes[Int(current)].parent
    }
    return false
  }

  private func attribute(
    _ node: Int32, _ name: String, _ match: Selector.AttributeMatch, _ value: [UInt8], _ ignoresCase: Bool
  ) -> Bool {
    let item = tree.nodes[Int(node)]
    guard item.name != MarkupTree.textName else { return false }
    for place in Int(item.start)..<Int(item.end) where tree.attributeNames[Int(tree.attributes[place].name)] == name {
      let attribute = tree.attributes[place]
      var found = tree.bytes[Int(attribute.start)..<Int(attribute.end)]
      var value = value
      if ignoresCase {
        found = found.map(Self.lowercase)[...]
        value = value.map(Self.lowercase)
      }
      switch match {
      case .exists: return true
      case .equals: return found.elementsEqual(value)
      case .word:
        return !value.isEmpty && found.split(whereSeparator: \.isMarkupSpace).contains { $0.elementsEqual(value) }
      case .language: return found.elementsEqual(value) || found.starts(with: value + [0x2d])
      case .prefix: return !value.isEmpty && found.starts(with: value)
      case .suffix: return !value.isEmpty && found.reversed().starts(with: value.reversed())
      case .substring: return Self.contains(found, value)
      }
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte }

  private static func contains(_ text: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
    guard !part.isEmpty, text.count >= part.count else { return false }
    for start in text.startIndex...(text.endIndex - part.count)
    where text[start] == part[0] && text[start..<start + part.count].elementsEqual(part) {
      return true
    }
    return false
  }
}
