public import Document

extension ChapterLayout {
  /// Blocks as lines without pages: a note in its popup, a message.
  public static func lines(
    of blocks: [Block], columns: Int, settings: TypesettingSettings = TypesettingSettings()
  ) -> [PageLine] {
    var settings = settings
    settings.horizontalMargin = 0
    settings.maximumMeasure = nil
    settings.spreadThreshold = nil
    var typesetter = ChapterTypesetter(
      Document(blocks: blocks), geometry: Geometry(columns: columns, rows: 1), settings: settings)
    typesetter.finish()
    return typesetter.layout.lines
  }
}
