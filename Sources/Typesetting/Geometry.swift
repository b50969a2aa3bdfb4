/// The window that pages are made for, in cells.
public struct Geometry: Sendable, Hashable, Codable {
  /// Cells across, at least 1.
  public let columns: Int
  /// Lines down, at least 1: without whatever the screen keeps for itself (a status line).
  public let rows: Int

  /// Sizes outside 1...10,000 are brought to the nearest end.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 10_000)
    self.rows = min(max(rows, 1), 10_000)
  }
}
