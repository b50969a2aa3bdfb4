internal import Document

/// Blocks laid out at one measure: the chapter itself, or a table's cell.
struct Flow: Sendable {
  /// What holds for all blocks of a document.
  struct Context: Sendable {
    var settings: TypesettingSettings
    /// BCP 47; "" when nobody knows.
    var language: String
    var direction: TextDirection
    /// The rows of a page, which no picture exceeds.
    var rows: Int
    var sizes: @Sendable (ImageReference) -> (width: Int, height: Int)?
    var metrics = CellMetrics()
  }

  let context: Context
  let measure: Int
  var blocks: [Block]
  var boxes: [BlockBox] = []
  var lines: [LineRecord] = []
  var tables: [TableGrid] = []
  var frames: [ImageFrame] = []

  init(blocks: [Block], measure: Int, context: Context) {
    self.blocks = blocks
    self.measure = measure
    self.context = context
  }
}
