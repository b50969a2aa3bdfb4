extension LineRenderer {
  /// Puts every word of right-to-left letters back into the order in which it is read, for a terminal that turns
  /// words by itself: to it a word is what one font draws between two blanks.
  ///
  /// Its usual fonts have Arabic letters, which take their punctuation with them, and borrow Hebrew ones, which do not.
  func turnWords(_ placed: inout [Placed]) {
    var start = 0
    while start < placed.count {
      guard placed[start].isReversed, !isBlank(placed[start]) else {
        start += 1
        continue
      }
      var end = start
      while end < placed.count, placed[end].isReversed, !isBlank(placed[end]) { end += 1 }
      let word = placed[start..<end]
      if word.contains(where: { isArabic($0) }), !word.contains(where: { isForeign($0) }) {
        turn(&placed, start..<end)
      } else {
        turnLetters(&placed, start..<end)
      }
      start = end
    }
  }

  private func turnLetters(_ placed: inout [Placed], _ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, FlatText.isRightToLeft(flat.scalars[placed[end].index]) { end += 1 }
      turn(&placed, start..<end)
      start = max(end, start + 1)
    }
  }

  private func turn(_ placed: inout [Placed], _ range: Range<Int>) {
    placed[range].reverse()
    for index in range { placed[index].isReversed = false }
  }

  private func isBlank(_ cluster: Placed) -> Bool {
    let scalar = flat.scalars[cluster.index]
    return scalar == 0x20 || TextRuns.isBlank(scalar)
  }

  private func isArabic(_ cluster: Placed) -> Bool {
    switch flat.scalars[cluster.index] {
    case 0x0600...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: true
    default: false
    }
  }

  /// Letters and digits that no script from the right has.
  private func isForeign(_ cluster: Placed) -> Bool {
    let scalar = flat.scalars[cluster.index]
    return !FlatText.isRightToLeft(scalar) && FlatText.isWordly(scalar)
  }
}
