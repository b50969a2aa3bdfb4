internal import Document

extension LineRenderer {
  /// Appends a row of text in UTF-8, without the runs that a screen needs.
  ///
  /// - Returns: false, with nothing appended, for rows that show more than their text or do not fit: those are drawn.
  mutating func appendPlain(_ index: Int, to bytes: inout [UInt8]) -> Bool {
    let record = flow.lines[index]
    let box = flow.boxes[Int(record.block)]
    guard record.kind == .text, look.isLogical, look.highlights.isEmpty, !box.isBoxed,
      record.flags.isDisjoint(with: [.ruby, .wrapped])
    else { return false }
    load(Int(record.block))
    guard !flat.hasFarEnd else { return false }
    let range = Int(record.start)..<max(min(Int(record.end), flat.scalars.count), Int(record.start))
    let indent = Int(record.indent)
    let room = max(box.width - indent, 1)
    let hyphen = record.flags.contains(.hyphen) ? 1 : 0
    guard var width = measure(range, room: room, findsGaps: record.flags.contains(.stretched)) else { return false }
    width += hyphen
    var isStretched = false
    if record.flags.contains(.stretched), !gaps.isEmpty, room > width {
      spread(room - width, clusters: clusterCount, from: range.lowerBound)
      width = room
      isStretched = true
    }
    let column = self.column(box, indent: indent, free: room - width, width: width, isMirrored: false)
    guard column >= box.bars * 2, column + width <= flow.measure else { return false }
    var placed: (run: CellRun, column: Int)?
    if record.flags.contains(.first), let text = flow.blocks[Int(record.block)].marker {
      placed = marker(text, box, text: column, width: width, isMirrored: false)
      if let placed, placed.column < box.bars * 2 || placed.column + placed.run.width > column { return false }
    }
    for _ in 0..<box.bars { bytes.append(contentsOf: "│ ".utf8) }
    var reached = box.bars * 2
    if let placed {
      bytes.append(contentsOf: repeatElement(0x20, count: placed.column - reached))
      bytes.append(contentsOf: placed.run.text.utf8)
      reached = placed.column + placed.run.width
    }
    bytes.append(contentsOf: repeatElement(0x20, count: column - reached))
    write(range, width: width, isStretched: isStretched, to: &bytes)
    if hyphen > 0 { bytes.append(0x2D) }
    return true
  }

  /// Whether no bar and no frame goes on through the blank row above a line.
  func isGapEmpty(above index: Int) -> Bool {
    guard index > 0 else { return true }
    let box = flow.boxes[Int(flow.lines[index].block)]
    let before = flow.boxes[Int(flow.lines[index - 1].block)]
    return min(box.bars, before.bars) == 0 && !(box.isBoxed && before.isBoxed)
  }

  /// Counts the clusters of a line and finds its gaps.
  /// - Returns: the line's cells; nil if one of its clusters is wider than all the room.
  private mutating func measure(_ range: Range<Int>, room: Int, findsGaps: Bool) -> Int? {
    gaps.removeAll(keepingCapacity: true)
    if findsGaps { findGaps(range) }
    clusterCount = range.count
    if flat.isEven { return range.count }
    var width = 0
    var count = 0
    var widest: Int16 = 0
    flat.scalars.withUnsafeBufferPointer { scalars in
      flat.advances.withUnsafeBufferPointer { advances in
        for index in range {
          let advance = advances[index]
          // The first scalar of a line begins a cluster whatever it is.
          guard advance != TextAdvance.continuation || index == range.lowerBound else { continue }
          count += 1
          if scalars[index] != 0x0A { width += Int(max(advance, 0)) }
          widest = max(widest, advance)
        }
      }
    }
    clusterCount = count
    return widest > 1 && Int(widest) > room ? nil : width
  }

  /// Without a branch a blank: that a word ends is what a processor guesses worst.
  private mutating func findGaps(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let last = flat.scalars.count - 1
    let isEven = flat.isEven
    gaps.append(contentsOf: repeatElement(0, count: range.count))
    var count = 0
    gaps.withUnsafeMutableBufferPointer { gaps in
      flat.scalars.withUnsafeBufferPointer { scalars in
        flat.advances.withUnsafeBufferPointer { advances in
          for index in range {
            let scalar = scalars[index]
            let ends = index < last && index > range.lowerBound && scalars[min(index + 1, last)] != 0x20
            let begins = isEven || advances[index] != TextAdvance.continuation || index == range.lowerBound
            gaps[count] = index
            count &+= ((scalar == 0x20 && ends) || scalar == 0xA0) && begins ? 1 : 0
          }
        }
      }
    }
    gaps.removeLast(gaps.count - count)
  }

  /// - Parameter width: the line's cells, those that its gaps gain left out.
  private func write(_ range: Range<Int>, width: Int, isStretched: Bool, to bytes: inout [UInt8]) {
    let start = bytes.count
    // A blank with marks on it is written as blanks: never more bytes than four a scalar and one a cell.
    let most = range.count * 4 + width + (isStretched ? extras.reduce(0, +) : 0)
    bytes.append(contentsOf: repeatElement(0x20, count: most))
    var place = start
    let isEven = flat.isEven
    bytes.withUnsafeMutableBufferPointer { bytes in
      flat.scalars.withUnsafeBufferPointer { scalars in
        flat.advances.withUnsafeBufferPointer { advances in
          var gap = 0
          var next = isStretched ? gaps.first ?? Int.max - 1 : Int.max - 1
          // Whether what combines with a blank is left out with it.
          var isInBlank = false
          var all: UInt32 = 0
          for index in range { all |= scalars[index] }
          if isEven, all < 0x80 {
            // A line of letters that are bytes, from gap to gap.
            var index = range.lowerBound
            while index < range.upperBound {
              let end = min(next, range.upperBound - 1) + 1
              for offset in 0..<(end - index) {
                bytes[place + offset] = UInt8(truncatingIfNeeded: scalars[index + offset])
              }
              place += end - index
              index = end
              guard gap < gaps.count, isStretched, end == next + 1 else { continue }
              place += extras[gap]
              gap += 1
              next = gap < gaps.count ? gaps[gap] : Int.max - 1
            }
            return
          }
          for index in range {
            let scalar = scalars[index]
            if scalar > 0x20, scalar < 0x7F {
              bytes[place] = UInt8(truncatingIfNeeded: scalar)
              place += 1
              isInBlank = false
              continue
            }
            let isContinuation = advances[index] == TextAdvance.continuation && index > range.lowerBound
            if !isContinuation { isInBlank = scalar == 0x20 || TextRuns.isBlank(scalar) }
            if !isContinuation, isInBlank {
              // They are there already.
              place += Int(max(advances[index], scalar == 0x20 ? 1 : 0))
              if scalar == 0x20 { isInBlank = false }
              guard index == next else { continue }
              place += extras[gap]
              gap += 1
              next = gap < gaps.count ? gaps[gap] : Int.max - 1
            } else if !isInBlank, scalar != 0x0A, CellTable.shared[scalar] != CellTable.Class.invisible {
              place = Self.write(scalar, to: bytes, at: place)
            }
          }
        }
      }
    }
    bytes.removeLast(bytes.count - place)
  }

  /// Writes a scalar in UTF-8; what is none is left out.
  /// - Returns: the place behind it.
  @inline(__always)
  private static func write(_ scalar: UInt32, to bytes: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
    if scalar < 0x80 {
      bytes[place] = UInt8(truncatingIfNeeded: scalar)
      return place + 1
    }
    if scalar < 0x800 {
      bytes[place] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      bytes[place + 1] = tail(0)
      return place + 2
    }
    if scalar < 0x10000 {
      guard !(0xD800..<0xE000).contains(scalar) else { return place }
      bytes[place] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      bytes[place + 1] = tail(6)
      bytes[place + 2] = tail(0)
      return place + 3
    }
    guard scalar < 0x110000 else { return place }
    bytes[place] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
    bytes[place + 1] = tail(12)
    bytes[place + 2] = tail(6)
    bytes[place + 3] = tail(0)
    return place + 4
  }
}
