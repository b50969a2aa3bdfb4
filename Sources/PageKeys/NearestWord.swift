/// Finds the valid word that somebody probably meant.
enum NearestWord {
  /// - Returns: nil when none of the words is similar: more than a third of the letters differ.
  static func of(_ word: String, in words: [String]) -> String? {
    let wanted = Array(folded(word).prefix(40))
    guard !wanted.isEmpty else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let letters = Array(folded(candidate))
      guard abs(letters.count - wanted.count) < best?.distance ?? .max else { continue }
      let distance = distance(wanted, letters)
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, (wanted.count + 1) / 3) else { return nil }
    return best.word
  }

  /// Case and the kind of dash make no difference.
  private static func folded(_ word: String) -> [UInt8] {
    word.utf8.map { byte in
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { return byte + 32 }
      return byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
    }
  }

  /// Insertions, deletions, replacements and neighbours that changed places.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for row in 1...max(one.count, 1) where row <= one.count {
      var current = [Int](repeating: row, count: other.count + 1)
      for column in 1...max(other.count, 1) where column <= other.count {
        let isSame = one[row - 1] == other[column - 1]
        var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current[column] = cost
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }
}
