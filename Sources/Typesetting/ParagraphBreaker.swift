/// Divides a paragraph into lines as a whole: of all ways the one whose lines together look best.
///
/// A first pass uses only the breaks that the text has; where its lines are too loose, the words around them are
/// divided with hyphens and the paragraph is looked at once more.
struct ParagraphBreaker {
  enum Shape {
    /// Blanks are widened up to the measure.
    case justified
    case ragged
    /// Lines of like width: headings, centred text.
    case balanced
    /// As many words as fit: for text whose look is of no account.
    case filled
  }

  struct Line {
    /// Scalars shown, and where the next line begins.
    var start: Int
    var end: Int
    var next: Int
    var width: Int
    var ending: Segment.Ending
    /// Whether it ends a paragraph or a forced line: it is not stretched.
    var isLast: Bool
    /// Whether it is stretched to the measure.
    var isStretched: Bool
  }

  private(set) var lines: [Line] = []
  private var segments: [Segment] = []
  private var spare: [Segment] = []
  private var word: [UInt32] = []
  private var points: [Int] = []
  /// One before each segment, one behind the last. What a forced break divides has the node there in turn.
  private var nodes: [Node] = []

  /// - Parameters:
  ///   - flat: the paragraph.
  ///   - breaks: from `BreakRules`.
  ///   - first: cells of the first line; `rest`: of all others, also of the first after a forced break unless
  ///     `hangs`, where a forced line begins with `first` again.
  ///   - patterns: asked for only if a hyphen is needed.
  mutating func divide(
    _ flat: FlatText, breaks: [Int8], first: Int, rest: Int, hangs: Bool, shape: Shape,
    patterns: () -> HyphenPatterns?
  ) {
    lines.removeAll(keepingCapacity: true)
    Segment.cut(flat, breaks: breaks, into: &segments)
    tearWide(flat, narrowest: min(first, rest), first: first, rest: rest, patterns: patterns)
    measure()
    var start = 0
    var isFirst = true
    while start < segments.count {
      let end = segments[start...].firstIndex { $0.ending == .forced }.map { $0 + 1 } ?? segments.count
      let width = isFirst || hangs ? first : rest
      if shape == .filled {
        fill(start..<end, first: width, rest: rest)
      } else {
        let length = lines.count
        optimise(start..<end, first: width, rest: rest, shape: shape)
        let bad = collect(start..<end, first: width, rest: rest, shape: shape)
        if !bad.isEmpty, shape != .balanced, let patterns = patterns() {
          let (added, changed) = hyphenate(flat, bad: bad, from: length, chunk: start..<end, patterns: patterns)
          if added > 0 {
            lines.removeLast(lines.count - length)
            // What was found up to the first word that is now divided still holds.
            optimise(start..<(end + added), first: width, rest: rest, shape: shape, known: changed - start)
            _ = collect(start..<(end + added), first: width, rest: rest, shape: shape)
            start = end + added
            isFirst = false
            continue
          }
        }
      }
      start = end
      isFirst = false
    }
  }

  /// Fills the nodes behind the segments from `start` on.
  private mutating func measure(from start: Int = 0) {
    if start == 0 {
      nodes.removeAll(keepingCapacity: true)
      nodes.append(Node(position: 0, gaps: 0, isHyphen: false))
    } else {
      nodes.removeLast(nodes.count - start - 1)
    }
    var cells = nodes[start].position
    var gaps = nodes[start].gaps
    for segment in segments[start...] {
      cells += segment.width + Int32(segment.blank)
      gaps += Int32(segment.gaps) + (segment.blank > 0 ? 1 : 0)
      nodes.append(Node(position: cells, gaps: gaps, isHyphen: segment.ending == .hyphen))
    }
  }

  /// What is wider than a line is divided first with hyphens, then by force.
  private mutating func tearWide(
    _ flat: FlatText, narrowest: Int, first: Int, rest: Int, patterns: () -> HyphenPatterns?
  ) {
    func isWide(_ segment: Segment) -> Bool {
      Int(segment.width) + (segment.ending == .hyphen ? 1 : 0) > narrowest
    }
    guard segments.contains(where: isWide) else { return }
    spare.removeAll(keepingCapacity: true)
    for (index, segment) in segments.enumerated() {
      guard isWide(segment) else {
        spare.append(segment)
        continue
      }
      let from = spare.count
      if narrowest >= 8, let patterns = patterns() {
        Segment.hyphenate(segment, flat, patterns, into: &spare, word: &word, points: &points)
      } else {
        spare.append(segment)
      }
      if spare[from...].contains(where: isWide) {
        spare.removeLast(spare.count - from)
        Segment.tear(segment, flat, first: index == 0 ? first : rest, rest: narrowest, into: &spare)
      }
    }
    swap(&segments, &spare)
  }

  /// Replaces the words of loose lines and of their neighbours by their syllables.
  /// - Returns: how many segments that adds, and the first of them.
  private mutating func hyphenate(
    _ flat: FlatText, bad: [Int], from firstLine: Int, chunk: Range<Int>, patterns: HyphenPatterns
  ) -> (added: Int, first: Int) {
    var stretches: [Range<Int32>] = []
    for line in bad {
      let low = lines[max(line - 2, firstLine)].start
      let high = lines[min(line + 1, lines.count - 1)].next
      if let last = stretches.last, last.upperBound >= low {
        stretches[stretches.count - 1] = last.lowerBound..<Int32(high)
      } else {
        stretches.append(Int32(low)..<Int32(high))
      }
    }
    spare.removeAll(keepingCapacity: true)
    spare.append(contentsOf: segments[..<chunk.lowerBound])
    var stretch = 0
    var changed: Int?
    for segment in segments[chunk] {
      while stretch < stretches.count, stretches[stretch].upperBound <= segment.start { stretch += 1 }
      if stretch < stretches.count, stretches[stretch].contains(segment.start) {
        let length = spare.count
        Segment.hyphenate(segment, flat, patterns, into: &spare, word: &word, points: &points)
        if changed == nil, spare.count > length + 1 { changed = length }
      } else {
        spare.append(segment)
      }
    }
    spare.append(contentsOf: segments[chunk.upperBound...])
    let added = spare.count - segments.count
    if added > 0 {
      swap(&segments, &spare)
      measure(from: changed ?? 0)
    }
    return (added, changed ?? chunk.lowerBound)
  }

  // MARK: - Lines

  private mutating func append(_ from: Int, _ to: Int, room: Int, isLast: Bool, isStretched: Bool) {
    let last = segments[to - 1]
    let width =
      Int(nodes[to - 1].position + last.width - nodes[from].position) + (last.ending == .hyphen && !isLast ? 1 : 0)
    lines.append(
      Line(
        start: Int(segments[from].start), end: Int(last.end), next: Int(last.next), width: width,
        ending: last.ending == .hyphen && isLast ? .plain : last.ending, isLast: isLast, isStretched: isStretched))
  }

  private mutating func fill(_ chunk: Range<Int>, first: Int, rest: Int) {
    var start = chunk.lowerBound
    var room = first
    while start < chunk.upperBound {
      var end = start + 1
      while end < chunk.upperBound {
        let hyphen: Int32 = segments[end].ending == .hyphen ? 1 : 0
        if Int(nodes[end].position + segments[end].width + hyphen - nodes[start].position) > room { break }
        end += 1
      }
      append(start, end, room: room, isLast: end == chunk.upperBound, isStretched: false)
      start = end
      room = rest
    }
  }

  /// Goes back along the best breaks and appends their lines.
  /// - Returns: the lines that are too loose.
  private mutating func collect(_ chunk: Range<Int>, first: Int, rest: Int, shape: Shape) -> [Int] {
    var ends: [Int] = []
    var node = chunk.count
    while node > 0 {
      ends.append(node)
      node = Int(nodes[chunk.lowerBound + node].previous)
    }
    var bad: [Int] = []
    var from = 0
    for end in ends.reversed() {
      let isLast = end == chunk.count
      let room = from == 0 ? first : rest
      var isStretched = false
      if !isLast {
        let last = segments[chunk.lowerBound + end - 1]
        let start = chunk.lowerBound + from
        let before = nodes[chunk.lowerBound + end - 1]
        let width = Int(before.position + last.width - nodes[start].position)
        let gaps = Int(before.gaps - nodes[start].gaps) + Int(last.gaps)
        let left = room - width - (last.ending == .hyphen ? 1 : 0)
        // Beyond this a ragged edge is less ugly than the holes; among ideographs holes are seen sooner.
        let isWide = (Int(last.end) - Int(segments[start].start)) * 3 < width * 2
        isStretched = shape == .justified && left > 0 && (isWide ? left <= gaps : left * 2 <= gaps * 3)
        if Int(nodes[chunk.lowerBound + end].looseness) > Self.tolerance { bad.append(lines.count) }
      }
      append(
        chunk.lowerBound + from, chunk.lowerBound + end, room: room, isLast: isLast, isStretched: isStretched)
      from = end
    }
    return bad
  }

  /// How loose a line may be before words are divided for it; 100 is half a cell a blank.
  private static let tolerance = 100

  /// - Parameter known: so many segments from the start are as they were when this was asked last.
  private mutating func optimise(_ chunk: Range<Int>, first: Int, rest: Int, shape: Shape, known: Int = 0) {
    var first = first
    var rest = rest
    if shape == .balanced { (first, rest) = balance(chunk, first: first, rest: rest) }
    if known == 0 { (nodes[chunk.lowerBound].cost, nodes[chunk.lowerBound].looseness) = (0, 0) }
    segments.withUnsafeBufferPointer { segments in
      nodes.withUnsafeMutableBufferPointer { nodes in
        Search.tables.withUnsafeBufferPointer { tables in
          Search(
            segments: UnsafeBufferPointer(rebasing: segments[chunk]),
            nodes: UnsafeMutableBufferPointer(rebasing: nodes[chunk.lowerBound...chunk.upperBound]), tables: tables,
            first: first, rest: rest, shape: shape
          ).run(from: known)
        }
      }
    }
  }

  /// The narrowest widths that take no more lines.
  private func balance(_ chunk: Range<Int>, first: Int, rest: Int) -> (Int, Int) {
    func count(_ cut: Int) -> Int? {
      var lines = 1
      var start = chunk.lowerBound
      for index in chunk {
        let room = (start == chunk.lowerBound ? first : rest) - cut
        let end = nodes[index].position + segments[index].width + (segments[index].ending == .hyphen ? 1 : 0)
        if Int(end - nodes[start].position) > room {
          if start == index || room <= 0 { return nil }
          start = index
          lines += 1
          if Int(segments[index].width) + 1 > rest - cut { return nil }
        }
      }
      return lines
    }
    guard let most = count(0), most > 1, most < 12 else { return (first, rest) }
    var cut = 0
    while cut + 1 < min(first, rest), count(cut + 1) == most { cut += 1 }
    return (first - cut, rest - cut)
  }
}
