/// Selectors in flat arrays: to match them is to follow numbers, and no reference is counted on the way.
struct CompiledSelectors: Sendable {
  struct Compound {
    /// How this compound stands to the one at its right.
    var combinator: Selector.Combinator
    var type: Kind
    /// Places in `hashes` and `tests`.
    var ids: Range<Int32>
    var classes: Range<Int32>
    var tests: Range<Int32>
    /// The attributes that an element must have, see `attributeBit`.
    var attributes: UInt64
  }

  enum Kind {
    case any
    case known(UInt16)
    /// Place in `elementNames`.
    case named(Int32)
  }

  enum Test {
    /// Place in `attributeTests`.
    case attribute(Int32)
    case root, empty, link, checked, disabled, enabled
    case nth(step: Int, start: Int, ofType: Bool, fromEnd: Bool)
    case only(ofType: Bool)
    /// Place in `languages`.
    case language(Int32)
    /// None of these compounds matches.
    case not(Range<Int32>)
    case any(Range<Int32>)
    case never
  }

  struct AttributeTest {
    /// Place in `attributeNames`.
    var name: Int32
    var match: Selector.AttributeMatch
    /// Place in `bytes`; in small letters if case does not count.
    var value: Range<Int32>
    var ignoresCase: Bool
  }

  private(set) var compounds: [Compound] = []
  private(set) var hashes: [UInt64] = []
  private(set) var tests: [Test] = []
  private(set) var attributeTests: [AttributeTest] = []
  private(set) var bytes: [UInt8] = []
  private(set) var attributeNames: [String] = []
  private(set) var elementNames: [String] = []
  private(set) var languages: [String] = []
  private var attributePlaces: [String: Int32] = [:]
  private var elementPlaces: [String: Int32] = [:]

  /// The bit that stands for an attribute in a mask; several names share one where there are many.
  static func attributeBit(_ place: Int) -> UInt64 { 1 << UInt64(place & 63) }

  /// Adds compounds that stand one behind the other.
  mutating func add(_ list: [Selector.Compound]) -> Range<Int32> {
    // What stands in `:not()` and its like comes first, so that the list's own are neighbours.
    let prepared = list.map { prepare($0) }
    let start = Int32(compounds.count)
    compounds += prepared
    return start..<Int32(compounds.count)
  }

  private mutating func prepare(_ compound: Selector.Compound) -> Compound {
    var attributes: UInt64 = 0
    var own: [Test] = []
    for test in compound.tests {
      let compiled = compile(test)
      if case .attribute(let place) = compiled {
        attributes |= Self.attributeBit(Int(attributeTests[Int(place)].name))
      }
      own.append(compiled)
    }
    let ids = append(compound.ids)
    let classes = append(compound.classes)
    let first = Int32(tests.count)
    tests += own
    return Compound(
      combinator: compound.combinator, type: kind(compound.type), ids: ids, classes: classes,
      tests: first..<Int32(tests.count), attributes: attributes)
  }

  private mutating func append(_ names: [UInt64]) -> Range<Int32> {
    let start = Int32(hashes.count)
    hashes += names
    return start..<Int32(hashes.count)
  }

  private mutating func kind(_ type: Selector.TypeTest) -> Kind {
    switch type {
    case .any: .any
    case .known(let tag): .known(tag.rawValue)
    case .named(let name): .named(Self.intern(name, &elementNames, &elementPlaces))
    }
  }

  private mutating func compile(_ test: Selector.Test) -> Test {
    switch test {
    case .attribute(let name, let match, let value, let ignoresCase):
      let start = Int32(bytes.count)
      bytes += ignoresCase ? value.map(\.lowercasedASCII) : value
      attributeTests.append(
        AttributeTest(
          name: Self.intern(name, &attributeNames, &attributePlaces), match: match, value: start..<Int32(bytes.count),
          ignoresCase: ignoresCase))
      return .attribute(Int32(attributeTests.count - 1))
    case .root: return .root
    case .empty: return .empty
    case .link: return .link
    case .checked: return .checked
    case .disabled: return .disabled
    case .enabled: return .enabled
    case .nth(let step, let start, let ofType, let fromEnd):
      return .nth(step: step, start: start, ofType: ofType, fromEnd: fromEnd)
    case .only(let ofType): return .only(ofType: ofType)
    case .language(let tag):
      languages.append(tag)
      return .language(Int32(languages.count - 1))
    case .not(let list): return .not(add(list))
    case .any(let list): return .any(add(list))
    case .never: return .never
    }
  }

  private static func intern(_ name: String, _ names: inout [String], _ places: inout [String: Int32]) -> Int32 {
    if let place = places[name] { return place }
    let place = Int32(names.count)
    names.append(name)
    places[name] = place
    return place
  }
}

extension UInt8 {
  @inline(__always)
  var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5a ? self + 32 : self }
}
