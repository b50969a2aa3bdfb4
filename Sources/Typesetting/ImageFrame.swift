internal import Document

/// The box that is kept for a picture, or the frame around its alternative text.
struct ImageFrame: Sendable {
  var image: ImageReference
  /// The block's place in the source.
  var offset: Int
  /// Cells from the left edge of the flow.
  var column: Int
  var columns: Int
  var rows: Int
  /// The lines of text inside the frame.
  var words: [String]

  /// A frame as wide as the words need, or the picture's box.
  init(_ image: ImageReference, offset: Int, box: BlockBox, context: Flow.Context) {
    self.image = image
    self.offset = offset
    let room = max(box.width, 1)
    let metrics = context.metrics
    let words = Self.words(of: image)
    if context.settings.images == .box {
      (columns, rows) = Self.size(of: image, room: room, context: context)
    } else {
      columns = min(room, max(metrics.width(of: words) + 4, 12))
      rows = 3
    }
    let inner = max(columns - 4, 1)
    var lines = Self.wrap(words, columns: inner, metrics: metrics)
    if context.settings.images == .frame { rows = min(lines.count + 2, max(context.rows, 1)) }
    let shown = max(rows - 2, 1)
    if lines.count > shown {
      lines.removeLast(lines.count - shown)
      lines[shown - 1] = Self.cut(lines[shown - 1], columns: max(inner - 1, 0), metrics: metrics) + "…"
    }
    self.words = lines
    column = box.left + max((box.width - columns) / 2, 0)
  }

  private static func words(of image: ImageReference) -> String {
    for text in [image.alt, image.title] {
      let words = (text ?? "").split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
      if !words.isEmpty { return words }
    }
    guard !image.source.hasPrefix("data:") else { return "\u{25A3}" }
    let name = image.source.split(separator: "/").last.map(String.init) ?? ""
    return "\u{25A3} " + name
  }

  private static func size(of image: ImageReference, room: Int, context: Flow.Context) -> (Int, Int) {
    let rows = max(context.rows, 1)
    let cellWidth = min(max(context.settings.cellWidth, 1), 1000)
    let cellHeight = min(max(context.settings.cellHeight, 1), 1000)
    // Without a size: a picture of the usual shape, as wide as the text.
    var width = room * cellWidth
    var height = width * 3 / 4
    if let size = context.sizes(image), size.width > 0, size.height > 0 {
      (width, height) = (min(size.width, 1 << 20), min(size.height, 1 << 20))
    } else if let declared = image.width, declared > 0 {
      width = min(declared, 1 << 20)
      height = min(max(image.height ?? declared * 3 / 4, 1), 1 << 20)
    }
    var columns = (width + cellWidth - 1) / cellWidth
    var lines = (height + cellHeight - 1) / cellHeight
    if columns > room { (columns, lines) = (room, max(lines * room / columns, 1)) }
    if lines > rows { (columns, lines) = (max(columns * rows / lines, 1), rows) }
    return (max(columns, 1), max(lines, 1))
  }

  private static func wrap(_ text: String, columns: Int, metrics: CellMetrics) -> [String] {
    var flat = FlatText()
    flat.fill(
      InlineText(runs: [.init(text: text, offsets: .all(0))]), isPreformatted: false, ruby: .hidden, metrics: metrics)
    var breaks: [Int8] = []
    BreakRules.find(in: flat, language: "", softHyphens: false, into: &breaks)
    var breaker = ParagraphBreaker()
    breaker.divide(
      flat, breaks: breaks, first: columns, rest: columns, hangs: false, shape: .balanced, patterns: { nil })
    return breaker.lines.map { line in
      let scalars = flat.scalars[line.start..<line.end].compactMap(Unicode.Scalar.init)
      return cut(TextRuns.clean(String(String.UnicodeScalarView(scalars))), columns: columns, metrics: metrics)
    }
  }

  /// As many clusters as fit.
  static func cut(_ text: String, columns: Int, metrics: CellMetrics) -> String {
    var width = 0
    var result = ""
    for character in text {
      width += metrics.width(of: String(character))
      if width > columns { break }
      result.append(character)
    }
    return result
  }

  /// One row of the frame, filled to its width.
  func text(row: Int, metrics: CellMetrics) -> String {
    guard rows >= 3, columns >= 5 else {
      return row == 0 ? Self.cut(words.first ?? "", columns: columns, metrics: metrics) : ""
    }
    if row == 0 { return "┌" + String(repeating: "─", count: columns - 2) + "┐" }
    if row == rows - 1 { return "└" + String(repeating: "─", count: columns - 2) + "┘" }
    // The words stand in the middle of the box.
    let index = row - 1 - (rows - 2 - words.count) / 2
    let line = words.indices.contains(index) ? words[index] : ""
    let left = (columns - 4 - metrics.width(of: line)) / 2
    let right = columns - 4 - metrics.width(of: line) - left
    return "│ " + String(repeating: " ", count: max(left, 0)) + line + String(repeating: " ", count: max(right, 0))
      + " │"
  }
}
