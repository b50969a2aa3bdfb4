extension ParagraphBreaker {
  /// A place where a line may end: before a segment, or behind the last one.
  struct Node {
    /// The least cost to get here; `unreachable` if there is no way.
    var cost = 0
    /// Where the segment behind it begins when all stand in one line, in cells and in gaps.
    var position: Int32
    var gaps: Int32
    /// The node where the best line that ends here begins, and how loose that line is.
    var previous: Int32 = 0
    var looseness: Int32 = 0
    /// Whether a line that ends here shows a hyphen.
    var isHyphen: Bool

    static let unreachable = Int.max
  }

  /// The search for the best breaks, on bare memory: it looks at every word with every line that could end there.
  ///
  /// Costs are sums of at most a term of 2^30 a segment, which do not overflow.
  struct Search {
    let segments: UnsafeBufferPointer<Segment>
    /// Those before the segments and the one behind them.
    let nodes: UnsafeMutableBufferPointer<Node>
    let tables: UnsafeBufferPointer<UInt64>
    let first: Int
    let rest: Int
    let shape: Shape

    /// By a number below 256, what to multiply with instead of dividing by it: exact below 2^16, in the upper 32 bits.
    /// Behind these, how bad a line is by its looseness. Divisions are what the search would spend its time on.
    static let tables: [UInt64] =
      [0] + (1..<256).map { (1 << 32) / $0 + 1 }
      + (0...UInt64(mostLoose)).map { min($0 * $0 * $0 / 10_000, 10_000) }
    private static let reciprocals = 256
    /// From here on a line is as bad as can be.
    private static let mostLoose = 465
    /// The square of what `line` asks of any line.
    private static let leastDemerits = 100
    /// What a segment costs that is wider than its line.
    private static let tooWide = 1_000_000_000

    /// Finds the best line that ends behind each segment; what is known of the nodes up to `kept` stands.
    func run(from kept: Int) {
      var from = 1
      let last = segments.count - 1
      for index in kept..<max(last, kept) { settle(index, from: &from) }
      if kept <= last { settleLast(last, from: &from) }
    }

    /// `from`: the first node behind node 0 that a line this long can begin at.
    @inline(__always)
    private func settle(_ index: Int, from: inout Int) {
      let segment = segments[index]
      let isHyphen = segment.ending == .hyphen
      let end = Int(nodes[index].position) &+ Int(segment.width) &+ (isHyphen ? 1 : 0)
      let gapsAtEnd = Int(nodes[index].gaps) &+ Int(segment.gaps)
      let penalty = isHyphen ? 60 : segment.ending == .plain && segment.blank == 0 ? 5 : 0
      // A word is not divided where all of it fits.
      let remainder = isHyphen && segment.remainder > 0 ? Int(segment.remainder) : Int.max
      var best = Node.unreachable
      var bestNode = index
      var bestLooseness = 0
      // Node 0 has a width of its own; the others' window only moves on.
      let left = first &- (end &- Int(nodes[0].position))
      if index == 0 || left >= 0, left < remainder {
        let gaps = gapsAtEnd &- Int(nodes[0].gaps)
        best = line(0, left: left, room: first, gaps: gaps, penalty, loose: &bestLooseness)
        bestNode = 0
      }
      while from <= index, end &- Int(nodes[from].position) > rest { from &+= 1 }
      var node = max(min(from, index), 1)
      while node <= index {
        let left = rest &- (end &- Int(nodes[node].position))
        if left &* 2 > rest, best != Node.unreachable { break }
        if left >= remainder { break }
        let cost = nodes[node].cost
        if cost == Node.unreachable {
          node &+= 1
          continue
        }
        let gaps = gapsAtEnd &- Int(nodes[node].gaps)
        if cost > best &- Self.leastDemerits {
          // It cannot win; is it as loose as to end the search?
          let (factor, divisor) = scale(room: rest, gaps: gaps)
          if left &* factor >= divisor &* 401 { break }
          node &+= 1
          continue
        }
        var loose = 0
        let total = line(node, left: left, room: rest, gaps: gaps, penalty, loose: &loose)
        if total <= best {
          best = total
          bestNode = node
          bestLooseness = loose
        } else if loose > 400 {
          // Shorter lines are only worse.
          break
        }
        node &+= 1
      }
      if best == Node.unreachable, !isHyphen { (best, bestNode) = nearest(to: index) }
      set(index &+ 1, best, bestNode, bestLooseness)
    }

    /// The last line may be short.
    private func settleLast(_ index: Int, from: inout Int) {
      let end = Int(nodes[index].position) &+ Int(segments[index].width)
      var best = Node.unreachable
      var bestNode = index
      var bestLooseness = 0
      while from <= index, end &- Int(nodes[from].position) > rest { from &+= 1 }
      let start = max(min(from, index), 1)
      var node = end &- Int(nodes[0].position) > first && index > 0 ? start : 0
      while node <= index {
        if nodes[node].cost != Node.unreachable {
          let room = node == 0 ? first : rest
          var loose = 0
          let total = last(node, left: room &- (end &- Int(nodes[node].position)), room: room, loose: &loose)
          if total <= best {
            best = total
            bestNode = node
            bestLooseness = loose
          }
        }
        node = node == 0 ? start : node &+ 1
      }
      if best == Node.unreachable { (best, bestNode) = nearest(to: index) }
      set(index &+ 1, best, bestNode, bestLooseness)
    }

    @inline(__always)
    private func set(_ node: Int, _ cost: Int, _ previous: Int, _ looseness: Int) {
      nodes[node].cost = cost
      nodes[node].previous = Int32(truncatingIfNeeded: previous)
      nodes[node].looseness = Int32(truncatingIfNeeded: looseness)
    }

    /// Where no line that fits begins at a node that can be reached: the last of these, then, and too wide.
    private func nearest(to index: Int) -> (cost: Int, node: Int) {
      var node = index
      while node > 0, nodes[node].cost == Node.unreachable { node -= 1 }
      return (nodes[node].cost &+ Self.tooWide, node)
    }

    /// What the cells that are left are multiplied with and divided by to say how loose a line is.
    @inline(__always)
    private func scale(room: Int, gaps: Int) -> (factor: Int, divisor: Int) {
      if shape == .justified, gaps > 0 { return (200, gaps) }
      return (shape == .justified ? 600 : 400, max(room, 1))
    }

    @inline(__always)
    private func line(_ node: Int, left: Int, room: Int, gaps: Int, _ penalty: Int, loose: inout Int) -> Int {
      // One segment wider than the line: nothing else to do.
      if left < 0 { return nodes[node].cost &+ Self.tooWide }
      let (factor, divisor) = scale(room: room, gaps: gaps)
      let product = left &* factor
      loose =
        divisor < Self.reciprocals && product < 0x10000
        ? Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: product) &* tables[divisor]) &>> 32)
        : product / divisor
      loose = min(loose, 2000)
      let badness = Int(truncatingIfNeeded: tables[Self.reciprocals &+ min(loose, Self.mostLoose)])
      let demerit = 10 &+ badness &+ penalty
      var total = nodes[node].cost &+ demerit &* demerit
      guard node > 0 else { return total }
      if penalty >= 50, nodes[node].isHyphen { total &+= 10_000 }
      // A tight line beside a loose one.
      let difference = Int(nodes[node].looseness) &- loose
      if difference > 100 || difference < -100 { total &+= 3000 }
      return total
    }

    private func last(_ node: Int, left: Int, room: Int, loose: inout Int) -> Int {
      var total = nodes[node].cost
      if left < 0 { return total &+ Self.tooWide }
      if shape == .balanced {
        loose = min(left * 300 / max(room, 1), 1000)
        total += loose * loose / 50
      } else if node > 0 {
        // A last line of a syllable looks lost.
        if room - left < 5 { total += 4000 }
        if nodes[node].isHyphen { total += 20_000 }
      }
      return total
    }
  }
}
