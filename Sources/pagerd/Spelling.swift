/// Finds the word that somebody probably meant.
enum Spelling {
  /// - Returns: the nearest of `words` if it is near enough to be meant.
  static func nearest(_ word: String, in words: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let ranked = words.map { (word: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, word.utf8.count / 3) ? best.word : nil
  }

  /// The least number of bytes to insert, delete or change.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (index, byte) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in 0..<second.count {
        let changed = diagonal + (byte == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count]
  }
}
