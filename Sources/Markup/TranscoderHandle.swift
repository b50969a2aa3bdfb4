internal import CXML

/// Converts between encodings with the C library's iconv.
enum TranscoderHandle {
  /// The text in UTF-8, U+FFFD for what is invalid, and how many such places there were; nil if the C library does not
  /// know the encoding.
  static func utf8(_ source: ArraySlice<UInt8>, from encoding: String) -> (bytes: [UInt8], errors: Int)? {
    let converter = iconv_open("UTF-8", encoding)
    guard let converter, converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(source.count + source.count / 2)
    var errors = 0
    var input = Array(source)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    input.withUnsafeMutableBytes { input in
      var remaining = input.count
      var position = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      while remaining > 0 {
        let (status, code, produced) = chunk.withUnsafeMutableBytes { chunk in
          var target: UnsafeMutablePointer<CChar>? = chunk.baseAddress!.assumingMemoryBound(to: CChar.self)
          var room = chunk.count
          let status = iconv(converter, &position, &remaining, &target, &room)
          return (status, cxml_errno(), chunk.count - room)
        }
        output.append(contentsOf: chunk[..<produced])
        guard status == -1 else { continue }
        if code == E2BIG, produced > 0 { continue }
        errors += 1
        output.append(contentsOf: [0xef, 0xbf, 0xbd])
        position = position.map { $0 + 1 }
        remaining -= 1
      }
    }
    return (output, errors)
  }
}
