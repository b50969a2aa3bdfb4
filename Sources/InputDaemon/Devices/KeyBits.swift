/// A set of key codes (0 to 767), as the kernel's bitmap of the keys that are down.
struct KeyBits: Sendable, Equatable {
  /// KEY_CNT bits.
  static let wordCount = 12
  static let byteCount = wordCount * 8

  private(set) var words: [UInt64]

  init() {
    words = [UInt64](repeating: 0, count: KeyBits.wordCount)
  }

  init(_ codes: some Sequence<UInt16>) {
    self.init()
    for code in codes { insert(code) }
  }

  var isEmpty: Bool {
    for word in words where word != 0 { return false }
    return true
  }

  func contains(_ code: UInt16) -> Bool {
    let index = Int(code >> 6)
    return index < KeyBits.wordCount && words[index] & (1 << UInt64(code & 63)) != 0
  }

  mutating func insert(_ code: UInt16) {
    let index = Int(code >> 6)
    guard index < KeyBits.wordCount else { return }
    words[index] |= 1 << UInt64(code & 63)
  }

  mutating func remove(_ code: UInt16) {
    let index = Int(code >> 6)
    guard index < KeyBits.wordCount else { return }
    words[index] &= ~(1 << UInt64(code & 63))
  }

  mutating func removeAll() {
    for index in 0..<KeyBits.wordCount { words[index] = 0 }
  }

  /// Takes away every key of `other`.
  mutating func subtract(_ other: KeyBits) {
    for index in 0..<KeyBits.wordCount { words[index] &= ~other.words[index] }
  }

  mutating func formIntersection(_ other: KeyBits) {
    for index in 0..<KeyBits.wordCount { words[index] &= other.words[index] }
  }

  /// The codes in ascending order. Allocates; not for the event path.
  var codes: [UInt16] {
    var result: [UInt16] = []
    for index in 0..<KeyBits.wordCount where words[index] != 0 {
      for bit in 0..<64 where words[index] & (1 << UInt64(bit)) != 0 {
        result.append(UInt16(index * 64 + bit))
      }
    }
    return result
  }

  /// Hands the bitmap out to be filled by a system call.
  mutating func withMutableBytes<R, E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> R) throws(E) -> R {
    var failure: E?
    let result = words.withUnsafeMutableBytes { buffer -> R? in
      do throws(E) {
        return try body(buffer)
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    return result!
  }
}
