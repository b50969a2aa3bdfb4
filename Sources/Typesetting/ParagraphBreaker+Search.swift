extension ParagraphBreaker {
  /// The search for the best breaks, on bare memory: it looks at every word with every line that could end there.
  struct Search {
    let segments: UnsafeBufferPointer<Segment>
    let position: UnsafeBufferPointer<Int32>
    let gaps: UnsafeBufferPointer<Int32>
    let cost: UnsafeMutableBufferPointer<Int>
    let previous: UnsafeMutableBufferPointer<Int32>
    let looseness: UnsafeMutableBufferPointer<Int32>
    let base: Int
    let count: Int
    let first: Int
    let rest: Int
    let shape: Shape
    let reciprocals: UnsafeBufferPointer<UInt64>

    /// By a number, what to multiply with instead of dividing by it: exact below 2^16, in the upper 32 bits.
    static let reciprocals: [UInt64] = [0] + (1..<256).map { (1 << 32) / $0 + 1 }

    /// Finds the best line that ends behind a segment. `from`: the first break that a line this long can begin at.
    @inline(__always)
    func settle(_ index: Int, from: inout Int) {
      let segment = segments[base + index]
      let isLast = index == count - 1
      let endsInHyphen = segment.ending == .hyphen && !isLast
      let end = Int(position[base + index] + segment.width) + (endsInHyphen ? 1 : 0)
      let gapsAtEnd = Int(gaps[base + index]) + Int(segment.gaps)
      let penalty = endsInHyphen ? 60 : segment.ending == .plain && segment.blank == 0 ? 5 : 0
      var best = Int.max
      var bestNode = index
      var bestLooseness = 0
      // Break 0 has a width of its own; the others' window only moves on.
      while from <= index, end - Int(position[base + from]) > rest { from += 1 }
      var node = 0
      if end - Int(position[base]) > first, index > 0 { node = max(min(from, index), 1) }
      // A word is not divided where all of it fits.
      let remainder = endsInHyphen && segment.remainder > 0 ? Int(segment.remainder) : Int.max
      while node <= index {
        let room = node == 0 ? first : rest
        let left = room - (end - Int(position[base + node]))
        if !isLast, left * 2 > room, best != .max { break }
        if cost[node] == .max || left >= remainder {
          if left >= remainder, node > 0 { break }
          node = node == 0 ? max(min(from, index), 1) : node + 1
          continue
        }
        let gaps = gapsAtEnd &- Int(gaps[base + node])
        if !isLast, cost[node] > best &- Self.leastDemerits {
          // It cannot win; is it as loose as to end the search?
          let (factor, divisor) = scale(room: room, gaps: gaps)
          if node > 0, left &* factor >= divisor &* 401 { break }
          node = node == 0 ? max(min(from, index), 1) : node + 1
          continue
        }
        var loose = 0
        let total =
          isLast
          ? last(node, left: left, room: room, loose: &loose)
          : line(node, left: left, room: room, gaps: gaps, penalty, loose: &loose)
        if total <= best {
          best = total
          bestNode = node
          bestLooseness = loose
        } else if !isLast, loose > 400, node > 0 {
          // Shorter lines are only worse.
          break
        }
        node = node == 0 ? max(min(from, index), 1) : node + 1
      }
      if best == .max, !endsInHyphen {
        // No line that fits begins at a break that can be reached: the last of these, then, and too wide.
        bestNode = index
        while bestNode > 0, cost[bestNode] == .max { bestNode -= 1 }
        best = cost[bestNode] + 1_000_000_000
      }
      cost[index + 1] = best
      previous[index + 1] = Int32(bestNode)
      looseness[index + 1] = Int32(bestLooseness)
    }

    /// What the cells that are left are multiplied with and divided by to say how loose a line is.
    @inline(__always)
    private func scale(room: Int, gaps: Int) -> (factor: Int, divisor: Int) {
      if shape == .justified, gaps > 0 { return (200, gaps) }
      return (shape == .justified ? 600 : 400, max(room, 1))
    }

    /// The square of what `line` asks of any line.
    private static let leastDemerits = 100

    @inline(__always)
    private func line(_ node: Int, left: Int, room: Int, gaps: Int, _ penalty: Int, loose: inout Int) -> Int {
      // One segment wider than the line: nothing else to do.
      if left < 0 { return cost[node] &+ 1_000_000_000 }
      let (factor, divisor) = scale(room: room, gaps: gaps)
      let product = left &* factor
      // Divisions are what the search spends its time on; most are by small numbers.
      loose =
        divisor < reciprocals.count && product < 0x10000
        ? Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: product) &* reciprocals[divisor]) &>> 32)
        : product / divisor
      loose = min(loose, 2000)
      let badness = min(loose &* loose &* loose / 10_000, 10_000)
      let demerit = 10 &+ badness &+ penalty
      var total = cost[node] &+ demerit &* demerit
      guard node > 0 else { return total }
      if penalty >= 50, segments[base + node - 1].ending == .hyphen { total += 10_000 }
      // A tight line beside a loose one.
      if abs(Int(looseness[node]) &- loose) > 100 { total += 3000 }
      return total
    }

    @inline(__always)
    private func last(_ node: Int, left: Int, room: Int, loose: inout Int) -> Int {
      var total = cost[node]
      if left < 0 { return total + 1_000_000_000 }
      if shape == .balanced {
        loose = min(left * 300 / max(room, 1), 1000)
        total += loose * loose / 50
      } else if node > 0 {
        // A last line of a syllable looks lost.
        if room - left < 5 { total += 4000 }
        if segments[base + node - 1].ending == .hyphen { total += 20_000 }
      }
      return total
    }
  }
}
