/// A stretch of a paragraph that stays on one line, and the blanks behind it that vanish at a line's end.
struct Segment {
  enum Ending: UInt8 {
    case plain
    /// A line that ends here shows a hyphen.
    case hyphen
    /// A line ends here.
    case forced
    /// Torn where no rule allows it, since no line is wide enough.
    case torn
  }

  /// Scalars `start..<end` are shown; `next` is where the following segment begins.
  var start: Int32
  var end: Int32
  var next: Int32
  /// Cells of `start..<end`.
  var width: Int32
  /// Cells of the blanks behind.
  var blank: Int16
  /// Blanks inside that do not break but stretch.
  var gaps: Int16
  var ending: Ending
  /// Cells of the same word that follow a hyphen.
  var remainder: Int16 = 0
}

extension Segment {
  /// Cuts a text where its lines may end.
  static func cut(_ flat: FlatText, breaks: [Int8], into segments: inout [Segment]) {
    segments.removeAll(keepingCapacity: true)
    let count = flat.scalars.count
    if flat.isEven { return cutEven(flat.scalars, breaks: breaks, countsGaps: !flat.isSimple, into: &segments) }
    flat.scalars.withUnsafeBufferPointer { scalars in
      flat.advances.withUnsafeBufferPointer { advances in
        breaks.withUnsafeBufferPointer { breaks in
          var start = 0
          var width: Int32 = 0
          var gaps: Int16 = 0
          // Blanks since the last visible scalar.
          var blank = 0
          for index in 0..<count {
            let scalar = scalars[index]
            if scalar == 0x20 {
              // A line does not begin with blanks, whatever the library thinks of them.
              if index == start, segments.last.map({ $0.ending == .forced }) ?? true { start += 1 } else { blank += 1 }
            } else if scalar != 0x0A {
              // A blank that did not end a segment is inside one: the rules kept it there.
              width += Int32(blank)
              gaps &+= blank > 0 ? 1 : 0
              blank = 0
              if scalar == 0xA0 { gaps &+= 1 }
              width += Int32(max(advances[index], 0))
            }
            guard breaks[index] != LineBreakHandle.noBreak || index == count - 1 else { continue }
            let isForced = scalar == 0x0A
            let end = index + 1 - blank - (isForced ? 1 : 0)
            // Blanks at the start of a line are nothing; those before a forced end neither.
            if end > start || isForced {
              segments.append(
                Segment(
                  start: Int32(start), end: Int32(max(end, start)), next: Int32(index + 1), width: width,
                  blank: isForced ? 0 : Int16(min(blank, 1000)), gaps: gaps,
                  ending: isForced ? .forced : scalar == 0xAD ? .hyphen : .plain))
            } else if let last = segments.indices.last, segments[last].ending == .plain {
              segments[last].blank = Int16(clamping: Int(segments[last].blank) + blank)
              segments[last].next = Int32(index + 1)
            }
            start = index + 1
            width = 0
            gaps = 0
            blank = 0
          }
        }
      }
    }
  }

  /// The same for a text in which a scalar is a cell.
  private static func cutEven(
    _ scalars: [UInt32], breaks: [Int8], countsGaps: Bool, into segments: inout [Segment]
  ) {
    let count = scalars.count
    scalars.withUnsafeBufferPointer { scalars in
      breaks.withUnsafeBufferPointer { breaks in
        var start = 0
        while start < count, scalars[start] == 0x20 { start += 1 }
        var index = start
        while index < count {
          var hasBlank = false
          while index < count - 1, breaks[index] == LineBreakHandle.noBreak {
            hasBlank = hasBlank || scalars[index] == 0x20 || scalars[index] == 0xA0
            index += 1
          }
          hasBlank = hasBlank || scalars[index] == 0xA0
          var end = index + 1
          while end > start, scalars[end - 1] == 0x20 { end -= 1 }
          let blank = Int16(min(index + 1 - end, 1000))
          if end > start {
            segments.append(
              Segment(
                start: Int32(start), end: Int32(end), next: Int32(index + 1), width: Int32(end - start), blank: blank,
                gaps: countsGaps && hasBlank ? gaps(in: scalars, start..<end) : 0, ending: .plain))
          } else if let last = segments.indices.last {
            segments[last].blank = Int16(clamping: Int(segments[last].blank) + Int(blank))
            segments[last].next = Int32(index + 1)
          }
          start = index + 1
          index = start
        }
      }
    }
  }

  /// Blanks inside of a segment: those that do not break, and stretches of others that the rules kept there.
  private static func gaps(in scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>) -> Int16 {
    var gaps: Int16 = 0
    var isInBlank = false
    for index in range {
      if scalars[index] == 0x20 {
        isInBlank = true
        continue
      }
      if isInBlank { gaps &+= 1 }
      isInBlank = false
      if scalars[index] == 0xA0 { gaps &+= 1 }
    }
    return gaps
  }

  /// Divides words with a language's patterns: the segments in `range` are replaced by their syllables.
  static func hyphenate(
    _ segment: Segment, _ flat: FlatText, _ patterns: HyphenPatterns, into result: inout [Segment],
    word: inout [UInt32], points: inout [Int]
  ) {
    let scalars = flat.scalars
    let advances = flat.advances
    var rest = segment
    let end = Int(segment.end)
    var index = Int(segment.start)
    guard segment.width >= 5, segment.ending != .hyphen, isDivisible(segment, scalars) else {
      result.append(segment)
      return
    }
    while index < end {
      guard FlatText.isLetter(scalars[index]) else {
        index += 1
        continue
      }
      word.removeAll(keepingCapacity: true)
      points.removeAll(keepingCapacity: true)
      let first = index
      while index < end, FlatText.isLetter(scalars[index]) {
        word.append(lowercase(scalars[index]))
        index += 1
      }
      guard word.count >= 5 else { continue }
      patterns.find(in: word, points: &points)
      let length = result.count
      for point in points {
        let place = first + point
        guard place > Int(rest.start) + 1, advances[place] != TextAdvance.continuation else { continue }
        var width: Int32 = 0
        var gaps: Int16 = 0
        for index in Int(rest.start)..<place {
          width += Int32(max(advances[index], 0))
          if scalars[index] == 0xA0 || scalars[index] == 0x20 { gaps += 1 }
        }
        result.append(
          Segment(
            start: rest.start, end: Int32(place), next: Int32(place), width: width, blank: 0, gaps: gaps,
            ending: .hyphen))
        rest.start = Int32(place)
        rest.width -= width
        rest.gaps -= gaps
      }
      for index in length..<result.count {
        var remainder = Int(rest.width)
        for later in (index + 1)..<max(result.count, index + 1) { remainder += Int(result[later].width) }
        result[index].remainder = Int16(clamping: remainder)
      }
    }
    result.append(rest)
  }

  /// Addresses, file names and the parts of compounds with a hyphen are not divided further.
  private static func isDivisible(_ segment: Segment, _ scalars: [UInt32]) -> Bool {
    for index in Int(segment.start)..<Int(segment.end) {
      switch scalars[index] {
      case 0x2F, 0x40, 0x5F, 0x5C, 0x3D, 0x2D, 0x2010, 0x30...0x39: return false
      default: continue
      }
    }
    return true
  }

  private static func lowercase(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar }
    guard let letter = Unicode.Scalar(scalar), letter.properties.isUppercase else { return scalar }
    let lower = letter.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first!.value : scalar
  }

  /// Tears a segment that is wider than a line: behind punctuation where that fills most of the line, else anywhere
  /// between clusters.
  static func tear(_ segment: Segment, _ flat: FlatText, first: Int, rest: Int, into result: inout [Segment]) {
    var piece = segment
    piece.start = segment.start
    var room = first
    var width = 0
    var index = Int(segment.start)
    var good = -1
    var goodWidth = 0
    let end = Int(segment.end)
    while index < end {
      var next = index + 1
      while next < end, flat.advances[next] == TextAdvance.continuation { next += 1 }
      let advance = Int(max(flat.advances[index], 0))
      if width + advance > room, width > 0 {
        let isGood = good > Int(piece.start) && goodWidth * 3 >= room * 2
        let place = isGood ? good : index
        let taken = isGood ? goodWidth : width
        result.append(
          Segment(
            start: piece.start, end: Int32(place), next: Int32(place), width: Int32(taken), blank: 0, gaps: 0,
            ending: .torn))
        piece.start = Int32(place)
        width -= taken
        room = rest
        good = -1
        continue
      }
      width += advance
      switch flat.scalars[index] {
      case 0x2F, 0x2E, 0x3F, 0x26, 0x3D, 0x2D, 0x5F, 0x2C, 0x3A, 0x3B, 0x40, 0x23, 0x25, 0x5C, 0x7C:
        good = next
        goodWidth = width
      default: break
      }
      index = next
    }
    piece.width = Int32(width)
    piece.gaps = 0
    if piece.ending == .hyphen, width + 1 > min(first, rest) { piece.ending = .torn }
    result.append(piece)
  }
}
