/// Matches selectors against the elements of one tree. Not copyable: copies would cost more than matching.
struct Matcher: ~Copyable {
  let tree: MarkupTree
  private let index: StyleIndex
  let selectors: CompiledSelectors
  /// Class hashes of all elements, and where each element's begin (one more entry than nodes).
  private var classes: [UInt64] = []
  private var classStart: [UInt32] = []
  private var ids: [UInt64] = []
  private var previousElement: [Int32] = []
  /// The attributes that each element has, see `CompiledSelectors.attributeBit`; empty if nobody asks for any.
  private var attributes: [UInt64] = []
  /// The numbers that the tree gives to the names of selectors' attributes and elements; -1: it has no such name.
  let attributeNumbers: [Int32]
  private let elementNumbers: [Int32]
  /// Compound tests that may still be made: hostile sheets end here, honest ones never come near.
  private var budget: Int

  init(tree: MarkupTree, index: StyleIndex) {
    self.tree = tree
    self.index = index
    selectors = index.selectors
    attributeNumbers = Self.numbers(of: selectors.attributeNames, in: tree.attributeNames)
    elementNumbers = Self.numbers(of: selectors.elementNames, in: tree.elementNames)
    budget = 4_000_000 + tree.nodes.count * 150
    guard !index.isEmpty else { return }
    collectNames()
    if !attributeNumbers.isEmpty { collectAttributes() }
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

  private static func numbers(of names: [String], in known: [String]) -> [Int32] {
    guard !names.isEmpty else { return [] }
    let places = Dictionary(known.enumerated().map { ($0.element, Int32($0.offset)) }) { first, _ in first }
    return names.map { places[$0] ?? -1 }
  }

  private mutating func collectAttributes() {
    var bits = [UInt64](repeating: 0, count: tree.attributeNames.count)
    for (place, number) in attributeNumbers.enumerated() where number >= 0 {
      bits[Int(number)] |= CompiledSelectors.attributeBit(place)
    }
    attributes = [UInt64](repeating: 0, count: tree.nodes.count)
    for node in tree.nodes.indices where tree.nodes[node].name != MarkupTree.textName {
      for place in Int(tree.nodes[node].start)..<Int(tree.nodes[node].end) {
        attributes[node] |= bits[Int(tree.attributes[place].name)]
      }
    }
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
    let own = attributes.isEmpty ? 0 : attributes[Int(node)]
    for number in list {
      let entry = index.entries[Int(number)]
      guard entry.ancestors & ~ancestors == 0, entry.attributes & ~own == 0, matches(entry.compounds, node)
      else { continue }
      let found = (weight: entry.weight, declarations: entry.declarations)
      switch entry.pseudoElement {
      case .none: result.element.append(found)
      case .before: result.before.append(found)
      case .after: result.after.append(found)
      case .other: break
      }
    }
  }

  // MARK: Matching

  /// Whether these compounds match from `node` on; recursion is bounded by the selector's length.
  private mutating func matches(_ compounds: Range<Int32>, _ node: Int32) -> Bool {
    guard matches(selectors.compounds[Int(compounds.lowerBound)], node) else { return false }
    let rest = (compounds.lowerBound + 1)..<compounds.upperBound
    guard !rest.isEmpty else { return true }
    switch selectors.compounds[Int(rest.lowerBound)].combinator {
    case .child:
      let parent = tree.nodes[Int(node)].parent
      return parent >= 0 && matches(rest, parent)
    case .descendant:
      var ancestor = tree.nodes[Int(node)].parent
      while ancestor >= 0, budget > 0 {
        if matches(rest, ancestor) { return true }
        ancestor = tree.nodes[Int(ancestor)].parent
      }
      return false
    case .next:
      let previous = previousElement[Int(node)]
      return previous >= 0 && matches(rest, previous)
    case .following:
      var previous = previousElement[Int(node)]
      while previous >= 0, budget > 0 {
        if matches(rest, previous) { return true }
        previous = previousElement[Int(previous)]
      }
      return false
    }
  }

  private mutating func matches(_ compound: CompiledSelectors.Compound, _ node: Int32) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    switch compound.type {
    case .any: break
    case .known(let name): if tree.nodes[Int(node)].name != name { return false }
    case .named(let place): if Int32(tree.nodes[Int(node)].name) != elementNumbers[Int(place)] { return false }
    }
    if compound.attributes != 0, compound.attributes & ~attributes[Int(node)] != 0 { return false }
    for place in compound.ids where ids[Int(node)] != selectors.hashes[Int(place)] { return false }
    for place in compound.classes where !hasClass(node, selectors.hashes[Int(place)]) { return false }
    for place in compound.tests where !passes(selectors.tests[Int(place)], node) { return false }
    return true
  }

  private func hasClass(_ node: Int32, _ name: UInt64) -> Bool {
    for place in classStart[Int(node)]..<classStart[Int(node) + 1] where classes[Int(place)] == name { return true }
    return false
  }

  private mutating func passes(_ test: CompiledSelectors.Test, _ node: Int32) -> Bool {
    switch test {
    case .attribute(let place): return attribute(node, selectors.attributeTests[Int(place)])
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
    case .language(let wanted): return language(node, selectors.languages[Int(wanted)])
    case .not(let compounds):
      for place in compounds where matches(selectors.compounds[Int(place)], node) { return false }
      return true
    case .any(let compounds):
      for place in compounds where matches(selectors.compounds[Int(place)], node) { return true }
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
}
