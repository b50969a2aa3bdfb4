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
    write(range, isStretched: isStretched, to: &bytes)
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
  private mutating func measure(_ range: Range<Int>, room: Int) -> Int? {
    gaps.removeAll(keepingCapacity: true)
    var width = 0
    var count = 0
    let (scalars, advances) = (flat.scalars, flat.advances)
    let isNarrow = scalars.withUnsafeBufferPointer { scalars in
      advances.withUnsafeBufferPointer { advances in
        for index in range {
          let advance = advances[index]
          // The first scalar of a line begins a cluster whatever it is.
          guard advance != TextAdvance.continuation || index == range.lowerBound else { continue }
          count += 1
          let scalar = scalars[index]
          if scalar != 0x0A { width += Int(max(advance, 0)) }
          if advance > 1, Int(advance) > room { return false }
          if scalar == 0x20 || scalar == 0xA0, isGap(index, from: range.lowerBound) { gaps.append(index) }
        }
        return true
      }
    }
    clusterCount = count
    return isNarrow ? width : nil
  }

  private func write(_ range: Range<Int>, isStretched: Bool, to bytes: inout [UInt8]) {
    var gap = 0
    // Whether what combines with a blank is left out with it.
    var isInBlank = false
    flat.scalars.withUnsafeBufferPointer { scalars in
      flat.advances.withUnsafeBufferPointer { advances in
        var index = range.lowerBound
        while index < range.upperBound {
          var end = index
          while end < range.upperBound, scalars[end] > 0x20, scalars[end] < 0x7F { end += 1 }
          if end > index {
            bytes.append(contentsOf: scalars[index..<end].lazy.map { UInt8(truncatingIfNeeded: $0) })
            isInBlank = false
            index = end
            continue
          }
          let scalar = scalars[index]
          let isContinuation = advances[index] == TextAdvance.continuation && index > range.lowerBound
          if !isContinuation { isInBlank = TextRuns.isBlank(scalar) }
          if !isContinuation, scalar == 0x20 || isInBlank {
            var width = Int(max(advances[index], scalar == 0x20 ? 1 : 0))
            if isStretched, gap < gaps.count, gaps[gap] == index {
              width += extras[gap]
              gap += 1
            }
            for _ in 0..<width { bytes.append(0x20) }
          } else if !isInBlank, scalar != 0x0A, CellTable.shared[scalar] != CellTable.Class.invisible {
            TextRuns.append(scalar, to: &bytes)
          }
          index += 1
        }
      }
    }
  }
}
