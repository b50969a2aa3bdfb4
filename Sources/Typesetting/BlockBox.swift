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

  /// The cells that a block in a list is moved by, and those of its own level.
  mutating func indent(of index: Int, in blocks: [Block], metrics: CellMetrics) -> (total: Int, own: Int) {
    let depth = min(max(blocks[index].style.listDepth, 0), 12)
    if widths.count > depth { widths.removeLast(widths.count - depth) }
    while widths.count < depth {
      let level = widths.count + 1
      var widest = 0
      for block in blocks[index...].prefix(2000) {
        guard block.style.listDepth >= level else { break }
        if block.style.listDepth == level, let marker = block.marker, !marker.isEmpty {
          widest = max(widest, min(metrics.width(of: marker), 8) + 1)
        }
      }
      widths.append(widest > 0 ? max(widest, 2) : level == 1 ? 0 : 2)
    }
    return (widths.reduce(0, +), widths.last ?? 0)
  }
}
