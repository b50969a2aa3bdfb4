import Document
import Testing

@Suite struct ImageSizeTests {
  private static let headers: [(String, [UInt8], Int, Int)] = [
    (
      "png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 2, 128, 0, 0, 1, 224], 640, 480
    ),
    ("gif", Array("GIF89a".utf8) + [64, 1, 200, 0], 320, 200),
    ("bmp", Array("BM".utf8) + Array(repeating: 0, count: 16) + [10, 0, 0, 0, 236, 255, 255, 255], 10, 20),
    ("jpeg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 1, 44, 2, 88, 3, 0, 0], 600, 300),
    (
      "jpeg on its side",
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8) + [
        0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
      ] + [0xFF, 0xC0, 0, 11, 8, 1, 44, 2, 88], 300, 600
    ),
    (
      "webp, extended", Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0], 100, 50
    ),
    (
      "webp, lossless", Array("RIFF\0\0\0\0WEBPVP8L".utf8) + [9, 0, 0, 0, 0x2F, 99, 64, 12, 0], 100, 50
    ),
    (
      "webp, lossy", Array("RIFF\0\0\0\0WEBPVP8 ".utf8) + [9, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 100, 0, 50, 0], 100, 50
    ),
    ("svg", Array("<?xml version='1.0'?>\n<svg width='30' height = \"40px\">".utf8), 30, 40),
    ("svg in inches", Array("<svg height='1in' width='72pt'>".utf8), 96, 96),
    ("svg of a view box", Array("<svg width='100%' viewBox='0 0 1400.2, 2100'/>".utf8), 1400, 2100),
    ("svg with a prefix", Array("<svg:svg viewBox=\"0 0 3 4\">".utf8), 3, 4),
  ]

  @Test(arguments: headers.indices)
  func `the size stands in the header`(index: Int) throws {
    let (name, bytes, width, height) = Self.headers[index]
    let size = try #require(ImageSize(of: bytes), "\(name)")
    #expect(size.width == width && size.height == height, "\(name)")
  }

  @Test(arguments: headers.indices)
  func `a header that is cut gives no size and no crash`(index: Int) {
    let bytes = Self.headers[index].1
    for length in 0..<min(bytes.count - 1, 12) { #expect(ImageSize(of: Array(bytes[..<length])) == nil) }
    for length in 0..<bytes.count { _ = ImageSize(of: Array(bytes[..<length])) }
  }

  @Test(arguments: [
    "<svg width='1e999' height='4'>", "<svg width='-3' height='4'>", "<svg viewBox='0 0 nan 4'>", "<svg", "<svg a=",
    "<svg a='", "<html><p>", "\u{0}\u{0}",
  ])
  func `what says no usable size has none`(text: String) {
    #expect(ImageSize(of: Array(text.utf8)) == nil)
  }

  @Test func `an image of no width or of absurd size has none`() {
    #expect(ImageSize(of: Array("GIF89a".utf8) + [0, 0, 200, 0]) == nil)
    #expect(
      ImageSize(of: [
        0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 255, 255, 255, 255, 0, 0, 0, 1,
      ]) == nil)
  }
}
