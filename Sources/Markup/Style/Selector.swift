/// One complex selector, its compounds from right to left.
struct Selector: Sendable {
  var compounds: [Compound]
  /// Ids, classes and types counted in bytes: 0x00IICCTT.
  var specificity: UInt32
  var pseudoElement: PseudoElement
  /// What must be among the ancestors of an element for this to match it; one bit a name.
  var ancestorBits: UInt64

  /// Most compounds of a selector; longer ones match nothing.
  static let maximumCompounds = 24

  enum PseudoElement: UInt8, Sendable {
    case none, before, after
    /// Known, but of no use here: the rule is kept from matching the element itself.
    case other
  }

  enum Combinator: Sendable { case descendant, child, next, following }

  struct Compound: Sendable {
    /// How this compound stands to the one at its right.
    var combinator = Combinator.descendant
    var type: TypeTest = .any
    /// Hashes, see `nameHash`.
    var ids: [UInt64] = []
    var classes: [UInt64] = []
    var tests: [Test] = []
    var bits: UInt64 {
      var bits: UInt64 = 0
      for id in ids { bits |= nameBit(id) }
      for name in classes { bits |= nameBit(name) }
      if case .known(let tag) = type { bits |= nameBit(UInt64(tag.rawValue)) }
      return bits
    }
  }

  enum TypeTest: Sendable, Equatable {
    case any
    case known(Tag)
    case named(String)
  }

  enum Test: Sendable {
    case attribute(name: String, match: AttributeMatch, value: [UInt8], ignoresCase: Bool)
    case root, empty, link, checked, disabled, enabled
    case nth(step: Int, start: Int, ofType: Bool, fromEnd: Bool)
    case only(ofType: Bool)
    case language(String)
    /// None of the selectors (each one compound) matches.
    case not([Compound])
    case any([Compound])
    case never
  }

  enum AttributeMatch: Sendable { case exists, equals, word, language, prefix, suffix, substring }
}

/// FNV-1a of a class's or id's bytes: two names are the same if their hashes are. A collision would mis-style an
/// element, nothing more.
@inline(__always)
func nameHash(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
  return hash
}

func nameHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}

@inline(__always)
func nameBit(_ hash: UInt64) -> UInt64 {
  1 << ((hash ^ hash >> 17 ^ hash >> 37) & 63)
}
