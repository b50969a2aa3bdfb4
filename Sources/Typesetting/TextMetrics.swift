/// How wide text is. Cells of a terminal are the first implementation.
public protocol TextMetrics: Sendable {
  /// The advance of one grapheme cluster, in the unit of the page (cells).
  func width(of cluster: Character) -> Int
}

/// The columns that a terminal's cursor moves by.
public struct CellMetrics: TextMetrics {
  public init() {}

  public func width(of cluster: Character) -> Int {
    guard let first = cluster.unicodeScalars.first else { return 0 }
    if first.value < 0x20 || (0x7F..<0xA0).contains(first.value) { return 0 }
    let wide =
      (0x1100...0x115F).contains(first.value) || (0x2E80...0xA4CF).contains(first.value)
      || (0xAC00...0xD7A3).contains(first.value) || (0xF900...0xFAFF).contains(first.value)
      || (0xFE30...0xFE6F).contains(first.value) || (0xFF00...0xFF60).contains(first.value)
      || (0x1F300...0x1FAFF).contains(first.value) || (0x20000...0x3FFFD).contains(first.value)
    return wide ? 2 : 1
  }

  /// Columns of a text without line breaks.
  public func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }
}
