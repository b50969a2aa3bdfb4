internal import Document

extension Document {
  /// Up to `limit` scalars of shown text before and after a place, white space collapsed.
  func context(at offset: Int, limit: Int = 32) -> (before: String, after: String) {
    // The block in which, or before which, the place lies.
    var index = blocks.firstIndex { $0.range.upperBound > offset } ?? max(0, blocks.count - 1)
    guard blocks.indices.contains(index) else { return ("", "") }
    var before = Collapsed(limit: limit)
    var after = Collapsed(limit: limit)
    var text = blocks[index].flowText
    let split = text.firstIndex { $0.offset >= offset } ?? text.count
    for place in text[split...] where !after.isFull { after.append(place.scalar) }
    for place in text[..<split].reversed() where !before.isFull { before.append(place.scalar) }
    let start = index
    while !after.isFull, index + 1 < blocks.count {
      index += 1
      after.append(" ")
      for place in blocks[index].flowText where !after.isFull { after.append(place.scalar) }
    }
    index = start
    while !before.isFull, index > 0 {
      index -= 1
      before.append(" ")
      text = blocks[index].flowText
      for place in text.reversed() where !before.isFull { before.append(place.scalar) }
    }
    return (before.reversedText, after.text)
  }

  /// Scalars, each run of white space as one blank.
  private struct Collapsed {
    private var scalars: [Unicode.Scalar] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { scalars.count >= limit }

    mutating func append(_ scalar: Unicode.Scalar) {
      guard scalar.properties.isWhitespace else {
        scalars.append(scalar)
        return
      }
      if let last = scalars.last, last != " " { scalars.append(" ") }
    }

    var text: String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }

    var reversedText: String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars.reversed())
      return String(view)
    }
  }
}

/// A scalar of the shown text and where it stands in the source.
struct FlowScalar: Equatable {
  var scalar: Unicode.Scalar
  var offset: Int
}

extension Block {
  /// The text of a block as it is read; table cells and lines are divided by blanks. Without what is generated.
  var flowText: [FlowScalar] {
    switch content {
    case .text(let text), .preformatted(let text):
      return text.flowText
    case .image, .rule:
      return []
    case .table(let table):
      var result: [FlowScalar] = []
      if let caption = table.caption { result.append(contentsOf: caption.flowText) }
      for row in table.rows {
        for cell in row.cells {
          for block in cell.blocks {
            let text = block.flowText
            if !result.isEmpty, let first = text.first {
              result.append(FlowScalar(scalar: " ", offset: first.offset))
            }
            result.append(contentsOf: text)
          }
        }
      }
      return result
    }
  }
}

extension InlineText {
  var flowText: [FlowScalar] {
    var result: [FlowScalar] = []
    for run in runs where !run.style.contains(.generated) && run.image == nil {
      var index = 0
      for scalar in run.text.unicodeScalars {
        result.append(FlowScalar(scalar: scalar, offset: run.offsets.offset(ofScalar: index)))
        index += 1
      }
    }
    return result
  }
}
