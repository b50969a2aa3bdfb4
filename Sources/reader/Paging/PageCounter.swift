internal import Typesetting

/// Counts the pages of a book piece by piece, one document at a time.
struct PageCounter {
  private let geometry: Geometry
  private let settings: TypesettingSettings
  private var current: (spineIndex: Int, typesetter: ChapterTypesetter)?

  init(geometry: Geometry, settings: TypesettingSettings) {
    self.geometry = geometry
    self.settings = settings
  }

  /// Opens a document, or lays a few more blocks of it out. What stands before `place` comes first: the number of the
  /// page that is being read follows from it.
  mutating func step(_ content: any BookContent, into map: inout BookMap, from place: Int, blocks: Int = 16) {
    if current == nil {
      let open = map.chapters.indices.filter { map.chapters[$0] == nil && content.outline.isPaged($0) }
      guard let index = open.first(where: { $0 < place }) ?? open.first else { return }
      let document = content.readableDocument(at: index).document
      current = (index, content.typesetter(for: document, geometry: geometry, settings: settings))
      return
    }
    if current?.typesetter.layOut(blocks: blocks) == true, let finished = current {
      map.record(finished.typesetter.layout, of: finished.spineIndex)
      current = nil
    }
  }

  /// Counts everything at once.
  static func count(
    _ content: any BookContent, geometry: Geometry, settings: TypesettingSettings
  ) -> BookMap {
    var map = BookMap(outline: content.outline)
    var counter = PageCounter(geometry: geometry, settings: settings)
    while !map.isComplete {
      counter.step(content, into: &map, from: 0, blocks: .max)
    }
    return map
  }
}
