/// Where pages stand in a window, in cells.
public struct PageFrame: Sendable, Hashable {
  /// The width that lines are made for.
  public let measure: Int
  /// The rows of a page.
  public let rows: Int
  /// 1, or 2 pages side by side.
  public let pagesPerScreen: Int
  /// The left edge of the first and of the second page.
  public let left: Int
  public let secondLeft: Int
  public let top: Int

  public init(geometry: Geometry, settings: TypesettingSettings) {
    let columns = geometry.columns
    let margin = columns >= 24 ? min(max(settings.horizontalMargin, 0), columns / 4) : 0
    let verticalMargin = geometry.rows >= 12 ? min(max(settings.verticalMargin, 0), geometry.rows / 4) : 0
    let widest = settings.maximumMeasure.map { max($0, 1) } ?? columns
    let gutter = min(max(settings.gutter, 2), 40)
    let spreads = settings.spreadThreshold.map { columns >= max($0, 40) } ?? false
    if spreads {
      pagesPerScreen = 2
      measure = min((columns - 2 * margin - gutter) / 2, widest)
      left = (columns - 2 * measure - gutter) / 2
      secondLeft = left + measure + gutter
    } else {
      pagesPerScreen = 1
      measure = min(columns - 2 * margin, widest)
      left = (columns - measure) / 2
      secondLeft = left
    }
    rows = geometry.rows - 2 * verticalMargin
    top = verticalMargin
  }
}
