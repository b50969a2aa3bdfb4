internal import Document

extension LineRenderer {
  /// A block's marker and the column where it stands; nil where there is no room for it.
  func marker(
    _ marker: String, _ box: BlockBox, text column: Int, width: Int, isMirrored: Bool
  ) -> (run: CellRun, column: Int)? {
    let metrics = flow.context.metrics
    // Where a window is too narrow for both, the text stays.
    let most = isMirrored ? flow.measure - column - width - 1 : column - 1
    var shown = marker
    if marker.utf8.count > most || !marker.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      shown = ImageFrame.cut(TextRuns.clean(marker), columns: max(most, 0), metrics: metrics)
    }
    // Read from the right, the dot of a number stands left of it.
    if isMirrored, flow.context.settings.bidi != .terminal, let last = shown.last, last == "." || last == ")" {
      let isPair = last == ")" && shown.first == "("
      if !isPair { shown = (last == "." ? "." : "(") + shown.dropLast() }
    }
    let size = metrics.width(of: shown)
    guard size > 0 else { return nil }
    // Numbers stand right, so that their dots are below each other.
    let isNumber = shown.utf8.contains { $0 == 0x2E || $0 == 0x29 || (0x30...0x39).contains($0) }
    let room = box.left - box.markerLeft
    let left = isMirrored || !isNumber ? box.markerLeft : box.markerLeft + max(room - 1 - size, 0)
    return (
      CellRun(text: shown, width: size, kind: .marker, role: .listItem),
      isMirrored ? max(flow.measure - left - size, column + width + 1) : min(left, max(column - 1 - size, 0))
    )
  }

  /// Annotations above the letters that they belong to.
  func annotate(_ placed: [Placed], at column: Int, record: LineRecord, on canvas: inout LineCanvas) {
    var end = 0
    for ruby in flat.rubies where ruby.range.lowerBound >= Int(record.start) && ruby.range.lowerBound < Int(record.end)
    {
      var left = column
      var from: Int?
      var to = 0
      for cluster in placed {
        if ruby.range.contains(cluster.index) {
          from = min(from ?? left, left)
          // Blanks behind its last letter are not what it stands over.
          to = left + cluster.width - (flat.pads[cluster.index] ?? 0)
        }
        left += cluster.width
      }
      guard let from else { continue }
      let place = max(min((from + to - ruby.width) / 2, flow.measure - ruby.width), end)
      let text = String(String.UnicodeScalarView(ruby.scalars.compactMap(Unicode.Scalar.init)))
      canvas.place(TextRuns.clean(text), width: ruby.width, kind: .ruby, role: .body, at: place)
      end = place + ruby.width
    }
  }
}
