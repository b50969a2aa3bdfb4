/// A set of event codes, 0 ... 767: one capability bitmap of a device.
public struct CodeSet: Sendable, Equatable {
  @usableFromInline var words: [UInt64]

  public init() {
    words = [UInt64](repeating: 0, count: CodeCount.key / 64)
  }

  /// Codes from 768 on are left out.
  public init(_ codes: some Sequence<UInt16>) {
    self.init()
    for code in codes { insert(code) }
  }

  /// - Returns: false also for codes that no set can hold.
  @inlinable public func contains(_ code: UInt16) -> Bool {
    let word = Int(code >> 6)
    return word < words.count && words[word] & (1 << UInt64(code & 63)) != 0
  }

  public mutating func insert(_ code: UInt16) {
    guard Int(code) < CodeCount.key else { return }
    words[Int(code >> 6)] |= 1 << UInt64(code & 63)
  }

  public mutating func remove(_ code: UInt16) {
    guard Int(code) < CodeCount.key else { return }
    words[Int(code >> 6)] &= ~(1 << UInt64(code & 63))
  }

  /// Unites this set with another.
  public mutating func formUnion(_ other: CodeSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  public mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// True if any code of the closed range is in the set.
  public func contains(anyOf codes: ClosedRange<UInt16>) -> Bool {
    codes.contains(where: contains)
  }

  /// The codes in ascending order. Allocates; not for the path of events.
  public var codes: [UInt16] {
    (0..<UInt16(CodeCount.key)).filter(contains)
  }
}

extension CodeSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral codes: UInt16...) {
    self.init(codes)
  }
}
