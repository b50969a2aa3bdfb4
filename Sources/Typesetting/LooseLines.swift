public import Document

extension ChapterLayout {
  /// Blocks as lines without pages: a note in its popup, a message.
  ///
  /// - Parameters:
  ///   - columns: the width, at least 1; margins and the widest measure of the settings do not count.
  ///   - language: BCP 47, for hyphens.
  public static func lines(
    of blocks: [Block], columns: Int, settings: TypesettingSettings = TypesettingSettings(),
    language: String? = nil, direction: TextDirection = .leftToRight
  ) -> [PageLine] {
    let context = Flow.Context(
      settings: settings, language: language ?? settings.language ?? "", direction: direction, rows: 1000,
      sizes: { _ in nil }, metrics: CellMetrics(countsClusters: settings.countsClusters))
    var setter = FlowSetter(flow: Flow(blocks: blocks, measure: min(max(columns, 1), 10_000), context: context))
    setter.finish()
    var renderer = LineRenderer(setter.flow, look: PageLook())
    var lines: [PageLine] = []
    for (index, line) in setter.flow.lines.enumerated() {
      if index > 0 { for _ in 0..<line.gap { lines.append(renderer.gap(above: index)) } }
      lines += renderer.rows(of: index)
    }
    return lines
  }
}
