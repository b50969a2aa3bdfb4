/// Kitty's graphics protocol: pixels as base64 in chunks of at most 4096 bytes.
///
/// Source: https://sw.kovidgoyal.net/kitty/graphics-protocol/
enum KittyGraphics {
  /// Payload bytes that give 4096 of base64.
  private static let chunkSize = 3072

  /// Sends an image and shows it at the cursor, which does not move; the terminal answers nothing.
  static func append(_ pixels: [UInt8], id: UInt32, width: Int, height: Int, to output: inout [UInt8]) {
    guard pixels.count == width * height * 4, !pixels.isEmpty else { return }
    output.reserveCapacity(output.count + pixels.count * 4 / 3 + pixels.count / 200 + 100)
    var start = 0
    while start < pixels.count {
      let end = min(start + chunkSize, pixels.count)
      let more = end < pixels.count ? 1 : 0
      let keys = start == 0 ? "a=T,f=32,s=\(width),v=\(height),i=\(id),q=2,C=1,m=\(more)" : "q=2,m=\(more)"
      output.append(contentsOf: "\u{1B}_G\(keys);".utf8)
      appendBase64(pixels[start..<end], to: &output)
      output.append(contentsOf: "\u{1B}\\".utf8)
      start = end
    }
  }

  /// Takes an image away and frees what it takes in the terminal.
  static func appendRemoval(of id: UInt32, to output: inout [UInt8]) {
    output.append(contentsOf: "\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\".utf8)
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func appendBase64(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let rest = bytes.endIndex - index
      let first = bytes[index]
      let second = rest > 1 ? bytes[index + 1] : 0
      let third = rest > 2 ? bytes[index + 2] : 0
      output.append(alphabet[Int(first >> 2)])
      output.append(alphabet[Int((first & 3) << 4 | second >> 4)])
      output.append(rest > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
      output.append(rest > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }
}
