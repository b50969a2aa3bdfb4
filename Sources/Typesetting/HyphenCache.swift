/// Remembers where words were divided: a book says most of its words again and again.
///
/// One slot a hash, the last word wins. Two words with the same 64 bits would be divided alike, nothing worse.
struct HyphenCache: Sendable {
  /// The word's hash, 0 in a free slot; and one bit for each letter that a hyphen may stand before.
  private var keys: [UInt64] = []
  private var values: [UInt64] = []
  /// The patterns that all this comes from.
  private var fingerprint: UInt64 = 0
  private var found: [Int] = []

  private static let size = 1024

  /// Adds to `points` each index of `word` that a hyphen may stand before.
  ///
  /// - Parameter word: letters of lower case.
  mutating func find(in word: [UInt32], _ patterns: HyphenPatterns, points: inout [Int]) {
    guard word.count <= 64 else { return }
    if keys.isEmpty || fingerprint != patterns.fingerprint {
      keys = [UInt64](repeating: 0, count: Self.size)
      values = keys
      fingerprint = patterns.fingerprint
    }
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for letter in word {
      hash = (hash ^ UInt64(letter)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 29
    }
    hash |= 1
    let slot = Int(truncatingIfNeeded: hash >> 40) & (Self.size - 1)
    if keys[slot] != hash {
      found.removeAll(keepingCapacity: true)
      patterns.find(in: word, points: &found)
      keys[slot] = hash
      values[slot] = found.reduce(0) { $0 | 1 << UInt64($1) }
    }
    var bits = values[slot]
    while bits != 0 {
      points.append(bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }
}
