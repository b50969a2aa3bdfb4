internal import Document

/// Where a block's lines stand and how they are set, once margins, lists, quotes and settings are weighed.
struct BlockBox {
  enum Edge: UInt8 { case start, center, end, left, right }

  /// Cells from the page's left edge to the text, and the cells that lines may fill.
  var left = 0
  var width = 1
  /// Further cells before the first line, and before the others.
  var firstIndent = 0
  var hang = 0
  var isJustified = false
  var edge = Edge.start
  var bars = 0
  var isBoxed = false
  /// Cells from the left edge to the marker.
  var markerLeft = 0
  var isRightToLeft = false
  /// Whether lines hold letters that must be reordered.
  var isBidirectional = false
  /// Where annotations of this block go.
  var ruby = FlatText.RubyPlace.brackets

  /// Cells from one tab stop to the next.
  var tab: Int { width >= 40 ? 8 : width >= 16 ? 4 : 1 }
  /// Cells of the frame and the bars before margins.
  var prefix: Int { (isBoxed ? 2 : 0) + bars * 2 }
}

/// The widths of the lists that are open, by depth.
struct ListLevels {
  private var widths: [Int] = []
  /// Whether the items of a level are numbered; nil: not known yet.
  private var kinds: [Bool?] = []

  /// The cells that a block in a list is moved by, and those of its own level.
  mutating func indent(of index: Int, in blocks: [Block], metrics: CellMetrics) -> (total: Int, own: Int) {
    let depth = min(max(blocks[index].style.listDepth, 0), 12)
    if depth > 0, depth <= kinds.count, let kind = blocks[index].isNumbered {
      // Another list begins right behind the first.
      if kinds[depth - 1] != nil, kinds[depth - 1] != kind { close(to: depth - 1) }
    }
    if widths.count > depth { close(to: depth) }
    while widths.count < depth { open(from: index, in: blocks, metrics: metrics) }
    return (widths.reduce(0, +), widths.last ?? 0)
  }

  private mutating func close(to depth: Int) {
    widths.removeLast(widths.count - depth)
    kinds.removeLast(kinds.count - depth)
  }

  private mutating func open(from index: Int, in blocks: [Block], metrics: CellMetrics) {
    let level = widths.count + 1
    var widest = 0
    var kind: Bool?
    for block in blocks[index...].prefix(2000) {
      guard block.style.listDepth >= level else { break }
      if block.style.listDepth == level, let marker = block.marker, let isNumbered = block.isNumbered {
        if let kind, kind != isNumbered { break }
        kind = isNumbered
        widest = max(widest, min(metrics.width(of: marker), 8) + 1)
      }
    }
    kinds.append(kind)
    widths.append(widest > 0 ? max(widest, 2) : level == 1 ? 0 : 2)
  }
}

extension Block {
  /// Whether its marker counts; nil: it has none.
  var isNumbered: Bool? {
    guard let marker, !marker.isEmpty else { return nil }
    return marker.unicodeScalars.contains { $0 == "." || $0 == ")" || ("0"..."9").contains($0) }
  }
}
