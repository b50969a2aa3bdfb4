/// The rules of all sheets of a document, sorted by what their rightmost compound asks for.
public struct StyleIndex: Sendable {
  struct Entry: Sendable {
    /// Places in `selectors.compounds`, from right to left.
    var compounds: Range<Int32>
    /// What must be among the ancestors, and what attributes the element must have.
    var ancestors: UInt64
    var attributes: UInt64
    var pseudoElement: Selector.PseudoElement
    /// Index into `declarations`.
    var declarations: Int32
    /// Origin, specificity and order: what wins is what is larger.
    var weight: UInt64
  }

  private(set) var entries: [Entry] = []
  private(set) var selectors = CompiledSelectors()
  private(set) var declarations: [DeclarationParser.Declarations] = []
  private(set) var byID: [UInt64: [Int32]] = [:]
  private(set) var byClass: [UInt64: [Int32]] = [:]
  private(set) var byTag: [[Int32]] = Array(repeating: [], count: Tag.allCases.count)
  private(set) var byName: [String: [Int32]] = [:]
  private(set) var universal: [Int32] = []
  private(set) var needsSiblings = false
  private(set) var hasPseudoElements = false

  static let maximumEntries = 60_000

  /// What is wrong with the sheets, if anything.
  public private(set) var warnings: [String] = []

  /// - Parameter author: the sheets of the document, in order.
  /// - Parameter user: the reader's own sheet, which wins where it speaks.
  init(author: [StyleSheet], user: StyleSheet? = nil) {
    for sheet in author { add(sheet, origin: 0) }
    if let user { add(user, origin: 1) }
  }

  public static let empty = StyleIndex(author: [])

  var isEmpty: Bool { entries.isEmpty }

  private mutating func add(_ sheet: StyleSheet, origin: UInt64) {
    for rule in sheet.rules {
      let place = Int32(declarations.count)
      declarations.append(rule.declarations)
      for selector in rule.selectors where selector.pseudoElement != .other {
        guard entries.count < Self.maximumEntries else {
          if warnings.isEmpty { warnings.append("the style sheets have more rules than can be applied") }
          return
        }
        let weight = origin << 56 | UInt64(selector.specificity) << 24 | UInt64(entries.count)
        register(selector, Int32(entries.count))
        let compounds = selectors.add(selector.compounds)
        entries.append(
          Entry(
            compounds: compounds, ancestors: selector.ancestorBits,
            attributes: selectors.compounds[Int(compounds.lowerBound)].attributes,
            pseudoElement: selector.pseudoElement, declarations: place, weight: weight))
      }
    }
  }

  private mutating func register(_ selector: Selector, _ entry: Int32) {
    if selector.pseudoElement != .none { hasPseudoElements = true }
    for compound in selector.compounds {
      if compound.combinator == .next || compound.combinator == .following { needsSiblings = true }
      for test in compound.tests {
        switch test {
        case .nth, .only, .not, .any: needsSiblings = true
        case .attribute, .root, .empty, .link, .checked, .disabled, .enabled, .language, .never: break
        }
      }
    }
    let subject = selector.compounds[0]
    if let id = subject.ids.first {
      byID[id, default: []].append(entry)
    } else if let name = subject.classes.first {
      byClass[name, default: []].append(entry)
    } else {
      switch subject.type {
      case .known(let tag): byTag[Int(tag.rawValue)].append(entry)
      case .named(let name): byName[name, default: []].append(entry)
      case .any: universal.append(entry)
      }
    }
  }
}
