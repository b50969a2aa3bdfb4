internal import Document

extension LineRenderer {
  /// Appends a row of text in UTF-8, without the runs that a screen needs.
  ///
  /// - Returns: false, with nothing appended, for rows that show more than their text or do not fit: those are drawn.
  mutating func appendPlain(_ index: Int, to bytes: inout [UInt8]) -> Bool {
    let record = flow.lines[index]
    let box = flow.boxes[Int(record.block)]
    guard record.kind == .text, look.isLogical, look.highlights.isEmpty, !box.isBoxed, box.bars == 0,
      record.flags.isDisjoint(with: [.ruby, .wrapped]),
      !record.flags.contains(.first) || flow.blocks[Int(record.block)].marker == nil
    else { return false }
    load(Int(record.block))
    let range = Int(record.start)..<max(min(Int(record.end), flat.scalars.count), Int(record.start))
    let indent = Int(record.indent)
    let room = max(box.width - indent, 1)
    let hyphen = record.flags.contains(.hyphen) ? 1 : 0
    guard var width = measure(range, room: room) else { return false }
    width += hyphen
    var isStretched = false
    if record.flags.contains(.stretched), !gaps.isEmpty, room > width {
      spread(room - width, clusters: clusterCount, from: range.lowerBound)
      width = room
      isStretched = true
    }
    let column = self.column(box, indent: indent, free: room - width, width: width, isMirrored: false)
    guard column + width <= flow.measure else { return false }
    bytes.reserveCapacity(bytes.count + column + width * 3 + 1)
    for _ in 0..<max(column, 0) { bytes.append(0x20) }
    write(range, isStretched: isStretched, to: &bytes)
    if hyphen > 0 { bytes.append(0x2D) }
    return true
  }

  /// Counts the clusters of a line and finds its gaps.
  /// - Returns: the line's cells; nil if one of its clusters is wider than all the room.
  private mutating func measure(_ range: Range<Int>, room: Int) -> Int? {
    gaps.removeAll(keepingCapacity: true)
    var width = 0
    var count = 0
    for index in range {
      let advance = flat.advances[index]
      // The first scalar of a line begins a cluster whatever it is.
      guard advance != TextAdvance.continuation || index == range.lowerBound else { continue }
      count += 1
      if flat.scalars[index] != 0x0A { width += Int(max(advance, 0)) }
      if advance > 1, Int(advance) > room { return nil }
      if isGap(index, from: range.lowerBound) { gaps.append(index) }
    }
    clusterCount = count
    return width
  }

  private func write(_ range: Range<Int>, isStretched: Bool, to bytes: inout [UInt8]) {
    var gap = 0
    // Whether what combines with a blank is left out with it.
    var isInBlank = false
    for index in range {
      let scalar = flat.scalars[index]
      if scalar > 0x20, scalar < 0x7F {
        bytes.append(UInt8(scalar))
        isInBlank = false
        continue
      }
      let isContinuation = flat.advances[index] == TextAdvance.continuation && index > range.lowerBound
      if isContinuation {
        if isInBlank { continue }
      } else {
        isInBlank = TextRuns.isBlank(scalar)
      }
      if !isContinuation, scalar == 0x20 || isInBlank {
        var width = Int(max(flat.advances[index], scalar == 0x20 ? 1 : 0))
        if isStretched, gap < gaps.count, gaps[gap] == index {
          width += extras[gap]
          gap += 1
        }
        for _ in 0..<width { bytes.append(0x20) }
      } else if scalar != 0x0A, CellTable.shared[scalar] != CellTable.Class.invisible {
        TextRuns.append(scalar, to: &bytes)
      }
    }
  }
}
