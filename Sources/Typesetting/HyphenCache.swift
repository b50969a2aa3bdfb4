internal import Synchronization

/// Remembers where words were divided: a book says most of its words again and again. Safe from several threads.
///
/// One slot a hash, the last word wins. Two words with the same 64 bits would be divided alike, nothing worse.
final class HyphenCache: Sendable {
  private struct Slots {
    /// A word's hash, 0 in a free slot; and one bit for each of its letters that a hyphen may stand before.
    var keys: [UInt64] = []
    var values: [UInt64] = []
  }

  /// The words of a long book; a slot is sixteen bytes.
  private static let size = 32_768

  private let slots = Mutex(Slots())

  /// - Parameter search: finds the points of a word that is not known.
  func points(of word: [UInt32], search: () -> UInt64) -> UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for letter in word {
      hash = (hash ^ UInt64(letter)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 29
    }
    hash |= 1
    let slot = Int(truncatingIfNeeded: hash >> 40) & (Self.size - 1)
    return slots.withLock { slots in
      if slots.keys.isEmpty {
        slots.keys = [UInt64](repeating: 0, count: Self.size)
        slots.values = slots.keys
      }
      if slots.keys[slot] == hash { return slots.values[slot] }
      let found = search()
      slots.keys[slot] = hash
      slots.values[slot] = found
      return found
    }
  }
}
