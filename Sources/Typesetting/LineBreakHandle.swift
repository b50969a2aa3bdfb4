internal import CText

/// Break opportunities after Unicode's annex 14, by libunibreak.
enum LineBreakHandle {
  static let mustBreak: Int8 = 0
  static let allowBreak: Int8 = 1
  static let noBreak: Int8 = 2

  private static let prepared: Void = init_linebreak()

  /// What stands behind each scalar: one of the three values above.
  ///
  /// - Parameter language: a code of two letters; quotation marks depend on it.
  static func find(in scalars: [UInt32], language: String, into breaks: inout [Int8]) {
    _ = prepared
    breaks.removeAll(keepingCapacity: true)
    breaks.append(contentsOf: repeatElement(noBreak, count: scalars.count))
    guard !scalars.isEmpty else { return }
    // The library ends the process at what Unicode 6.2 did not know (flags), and takes U+FFFF for the end.
    func isUnsafe(_ scalar: UInt32) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar) || scalar == 0xFFFF }
    let scalars = scalars.contains(where: isUnsafe) ? scalars.map { isUnsafe($0) ? 0x4E00 : $0 } : scalars
    scalars.withUnsafeBufferPointer { text in
      breaks.withUnsafeMutableBufferPointer { found in
        language.withCString { set_linebreaks_utf32(text.baseAddress, text.count, $0, found.baseAddress) }
      }
    }
  }
}
