internal import CLinux
internal import ImageWorker

/// Shuts the process in, after every decoder has been loaded and before the first byte of a book.
enum Confinement {
  private static let memoryLimit = 1 << 30
  private static let secondsOfProcessor: UInt32 = 120
  private static let readable = ["/usr/share", "/etc/fonts", "/var/cache/fontconfig", "/usr/local/share/fonts"]

  /// - Returns: false when the kernel refuses; then nothing is decoded.
  static func begin() -> Bool {
    Canvas.useOneThread()
    for sample in Samples.all {
      // Only what loading it brings into memory counts.
      _ = try? Decoder.answer(ImageRequest(form: .sixel, columns: 2, rows: 2), image: sample)
      _ = try? Decoder.answer(ImageRequest(form: .symbols, columns: 2, rows: 2), image: sample)
    }
    guard cl_confine_limits(memoryLimit, secondsOfProcessor) == 0 else { return false }
    var paths = readable.map { path in UnsafePointer(Array(path.utf8CString).withUnsafeBufferPointer(copy)) }
    paths.append(nil)
    return cl_confine_calls(paths) == 0
  }

  /// Kept for the life of the process.
  private static func copy(_ text: UnsafeBufferPointer<CChar>) -> UnsafePointer<CChar>? {
    let kept = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
    _ = kept.initialize(from: text)
    return UnsafePointer(kept.baseAddress)
  }
}

/// The smallest images of each kind: decoding one loads its decoder.
private enum Samples {
  static let all: [[UInt8]] = [
    Array("P3 1 1 255 0 0 0\n".utf8),
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="1" y="12" font-family="serif">a</text>\
      <text x="9" y="12" font-family="sans-serif" font-weight="bold">b</text></svg>
      """.utf8),
    // GIF, 1 x 1
    [
      71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 128, 0, 0, 0, 0, 0, 255, 255, 255, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1,
      0, 59,
    ],
    // WebP, 1 x 1, lossless
    [
      82, 73, 70, 70, 26, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 76, 13, 0, 0, 0, 47, 0, 0, 0, 16, 7, 16, 17, 17, 136,
      136,
      254, 7, 0,
    ],
  ]
}
