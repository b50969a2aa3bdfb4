/// The hyphenation patterns of one language after Liang, from a file in libhyphen's format.
///
/// Read here and not by libhyphen because that takes a second for the German patterns, which a first page has not:
/// one pass over the file fills one hash table, in a few milliseconds.
struct HyphenPatterns: Sendable {
  /// At least so many letters stand before and behind a hyphen.
  private(set) var leftMinimum = 2
  private(set) var rightMinimum = 2

  /// The upper half of a pattern's hash, 0 in a free slot; and where its digits are: offset << 5 | letters.
  private var keys: [UInt32]
  private var values: [UInt32]
  private var digits: [UInt8] = []
  /// Bits that say which letters some pattern may begin with: most of a word's stretches end there.
  private var prefixes: [UInt64]
  private var longest = 0
  private let mask: Int
  private let cache = HyphenCache()

  /// - Parameter text: the file's patterns in UTF-8, the line that names its character set included.
  init(_ text: [UInt8]) {
    var size = 1024
    // Two slots for each pattern; a line of a pattern has six bytes or more on average.
    while size * 3 < text.count { size *= 2 }
    mask = size - 1
    keys = [UInt32](repeating: 0, count: size)
    values = keys
    prefixes = [UInt64](repeating: 0, count: size / 8)
    digits.reserveCapacity(text.count)
    var letters: [UInt32] = []
    var scores: [UInt8] = []
    text.withUnsafeBufferPointer { text in
      var line = 0
      var count = 0
      while line < text.count, count < size / 2 {
        var end = line
        while end < text.count, text[end] != 0x0A { end += 1 }
        var last = end
        while last > line, text[last - 1] <= 0x20 { last -= 1 }
        let bytes = UnsafeBufferPointer(rebasing: text[line..<last])
        line = end + 1
        guard let first = bytes.first, first != 0x25, first != 0x23 else { continue }
        if first >= 0x41, first <= 0x5A {
          readDirective(Array(bytes))
        } else if Self.read(bytes, &letters, &scores) {
          insert(letters, scores)
          count += 1
        }
      }
    }
  }

  /// Adds to `points` each index of `word` that a hyphen may stand before.
  ///
  /// - Parameter word: letters of lower case.
  func find(in word: [UInt32], points: inout [Int]) {
    guard word.count >= leftMinimum + rightMinimum, word.count <= 64 else { return }
    var bits = cache.points(of: word) { search(word) }
    while bits != 0 {
      points.append(bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }

  /// One bit for each letter of a word that a hyphen may stand before.
  private func search(_ word: [UInt32]) -> UInt64 {
    word.withUnsafeBufferPointer { word in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: word.count + 3) { scores in
        scores.initialize(repeating: 0)
        score(word, scores)
        var bits: UInt64 = 0
        // scores[i + 1] stands before letter i.
        for index in leftMinimum...(word.count - rightMinimum) where scores[index + 1] & 1 == 1 {
          bits |= 1 << UInt64(index)
        }
        return bits
      }
    }
  }

  private func score(_ word: UnsafeBufferPointer<UInt32>, _ scores: UnsafeMutableBufferPointer<UInt8>) {
    for start in 0...(word.count + 1) {
      var hash = Self.seed
      for end in start..<min(start + longest, word.count + 2) {
        hash = Self.mix(hash, end == 0 || end > word.count ? 0x2E : word[end - 1])
        guard isPrefix(hash) else { break }
        let value = lookUp(hash)
        guard value != 0 else { continue }
        let first = Int(value >> 5)
        for index in 0...Int(value & 31) where digits[first + index] > scores[start + index] {
          scores[start + index] = digits[first + index]
        }
      }
    }
  }

  private mutating func readDirective(_ line: [UInt8]) {
    let parts = line.split(separator: 0x20)
    guard parts.count == 2, let number = Int(String(decoding: parts[1], as: UTF8.self)), (1...20).contains(number)
    else { return }
    switch String(decoding: parts[0], as: UTF8.self) {
    case "LEFTHYPHENMIN": leftMinimum = number
    case "RIGHTHYPHENMIN": rightMinimum = number
    default: break
    }
  }

  /// "a2ch4" is the letters a, c, h and the scores 0, 2, 0, 4.
  private static func read(
    _ line: UnsafeBufferPointer<UInt8>, _ letters: inout [UInt32], _ scores: inout [UInt8]
  ) -> Bool {
    letters.removeAll(keepingCapacity: true)
    scores.removeAll(keepingCapacity: true)
    var score: UInt8 = 0
    var changesSpelling = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      index += 1
      if byte >= 0x30, byte <= 0x39 {
        score = byte - 0x30
        continue
      }
      if byte == 0x2F {
        changesSpelling = true
        break
      }
      var scalar = UInt32(byte)
      if byte >= 0xC0 {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        scalar &= length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07
        for _ in 1..<length where index < line.count {
          scalar = scalar << 6 | UInt32(line[index] & 0x3F)
          index += 1
        }
      }
      scores.append(score)
      score = 0
      letters.append(scalar)
    }
    scores.append(score)
    // A hyphen here would change the spelling, which cells cannot undo for search and places: none, then.
    if changesSpelling { for index in scores.indices where scores[index] & 1 == 1 { scores[index] += 1 } }
    return (1...30).contains(letters.count)
  }

  private mutating func insert(_ letters: [UInt32], _ scores: [UInt8]) {
    var hash = Self.seed
    for letter in letters {
      hash = Self.mix(hash, letter)
      prefixes[prefixWord(hash)] |= 1 &<< (hash >> 40 & 63)
    }
    let key = UInt32(truncatingIfNeeded: hash >> 32) | 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    keys[slot] = key
    values[slot] = UInt32(digits.count) << 5 | UInt32(letters.count)
    digits.append(contentsOf: scores)
    longest = max(longest, letters.count)
  }

  @inline(__always)
  private func prefixWord(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 46) & (mask >> 3) }

  @inline(__always)
  private func isPrefix(_ hash: UInt64) -> Bool { prefixes[prefixWord(hash)] &>> (hash >> 40 & 63) & 1 != 0 }

  @inline(__always)
  private func lookUp(_ hash: UInt64) -> UInt32 {
    let key = UInt32(truncatingIfNeeded: hash >> 32) | 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while keys[slot] != 0 {
      if keys[slot] == key { return values[slot] }
      slot = (slot + 1) & mask
    }
    return 0
  }

  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  private static func mix(_ hash: UInt64, _ scalar: UInt32) -> UInt64 {
    var mixed = (hash ^ UInt64(scalar)) &* 0xFF51_AFD7_ED55_8CCD
    mixed ^= mixed >> 29
    return mixed
  }
}
