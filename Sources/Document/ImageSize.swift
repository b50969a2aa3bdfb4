/// The natural size of an image in pixels, read from its first bytes without decoding anything.
///
/// Knows PNG, JPEG, GIF, WebP, BMP and SVG. 64 KiB are enough for nearly every file.
public struct ImageSize: Sendable, Hashable {
  public let width: Int
  public let height: Int

  public init?(width: Int, height: Int) {
    guard (1...1_000_000).contains(width), (1...1_000_000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// - Parameter bytes: the image, or its beginning.
  /// - Returns: nil for what is no such image, or says no size within `bytes`.
  public init?(of bytes: [UInt8]) {
    let reader = HeaderReader(bytes: bytes)
    let size: ImageSize? =
      if reader.matches([0x89, 0x50, 0x4E, 0x47], at: 0) {
        reader.png
      } else if reader.matches([0xFF, 0xD8], at: 0) {
        reader.jpeg
      } else if reader.matches(Array("GIF8".utf8), at: 0) {
        reader.gif
      } else if reader.matches(Array("RIFF".utf8), at: 0), reader.matches(Array("WEBP".utf8), at: 8) {
        reader.webp
      } else if reader.matches(Array("BM".utf8), at: 0) {
        reader.bmp
      } else {
        reader.svg
      }
    guard let size else { return nil }
    self = size
  }
}

/// Reads numbers out of a header; what lies outside is nil.
private struct HeaderReader {
  let bytes: [UInt8]

  func matches(_ pattern: [UInt8], at offset: Int) -> Bool {
    offset + pattern.count <= bytes.count && bytes[offset..<(offset + pattern.count)].elementsEqual(pattern)
  }

  /// Most significant byte first.
  private func big(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Least significant byte first.
  private func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func size(_ width: Int?, _ height: Int?) -> ImageSize? {
    guard let width, let height else { return nil }
    return ImageSize(width: width, height: height)
  }

  var png: ImageSize? { size(big(16, 4), big(20, 4)) }

  var gif: ImageSize? { size(little(6, 2), little(8, 2)) }

  var bmp: ImageSize? {
    guard let height = little(22, 4) else { return nil }
    // A negative height says that the rows go downwards.
    return size(little(18, 4), Int(Int32(truncatingIfNeeded: height).magnitude))
  }

  var webp: ImageSize? {
    if matches(Array("VP8X".utf8), at: 12) {
      return size(little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
    }
    if matches(Array("VP8L".utf8), at: 12) {
      guard let bits = little(21, 4) else { return nil }
      return size(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    guard matches(Array("VP8 ".utf8), at: 12), let width = little(26, 2), let height = little(28, 2) else { return nil }
    return size(width & 0x3FFF, height & 0x3FFF)
  }

  /// The frame header (SOF0...SOF15 but DHT, JPG and DAC) among the segments; turned by an Exif orientation of 5...8.
  var jpeg: ImageSize? {
    var offset = 2
    var isTurned = false
    while let marker = big(offset, 2), marker >> 8 == 0xFF {
      let kind = marker & 0xFF
      if kind == 0xFF {
        offset += 1
        continue
      }
      if kind == 0x01 || (0xD0...0xD8).contains(kind) {
        offset += 2
        continue
      }
      guard let length = big(offset + 2, 2), length >= 2 else { return nil }
      if (0xC0...0xCF).contains(kind), kind != 0xC4, kind != 0xC8, kind != 0xCC {
        let (height, width) = (big(offset + 5, 2), big(offset + 7, 2))
        return isTurned ? size(height, width) : size(width, height)
      }
      if kind == 0xE1, let orientation = orientation(at: offset + 4) { isTurned = (5...8).contains(orientation) }
      offset += 2 + length
    }
    return nil
  }

  /// Tag 0x0112 of the first directory of an Exif segment.
  private func orientation(at start: Int) -> Int? {
    guard matches(Array("Exif\0\0".utf8), at: start) else { return nil }
    let base = start + 6
    let isLittle = matches(Array("II".utf8), at: base)
    func number(_ offset: Int, _ count: Int) -> Int? { isLittle ? little(offset, count) : big(offset, count) }
    guard let directory = number(base + 4, 4), let count = number(base + directory, 2) else { return nil }
    for entry in 0..<min(count, 64) {
      let place = base + directory + 2 + entry * 12
      if number(place, 2) == 0x0112 { return number(place + 8, 2) }
    }
    return nil
  }

  /// `width` and `height` of the root element, else its `viewBox`.
  var svg: ImageSize? {
    let head = String(decoding: bytes.prefix(65_536), as: UTF8.self).unicodeScalars
    guard let tag = SVGRoot(head) else { return nil }
    if let width = tag.pixels("width"), let height = tag.pixels("height") {
      return ImageSize(width: width, height: height)
    }
    guard let box = tag.attributes["viewBox"] else { return nil }
    let numbers = box.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }).map(Double.init)
    guard numbers.count == 4, let width = numbers[2], let height = numbers[3] else { return nil }
    return size(SVGRoot.whole(width), SVGRoot.whole(height))
  }
}

/// The attributes of the first `svg` element of a text.
private struct SVGRoot {
  var attributes: [String: String] = [:]

  init?(_ text: String.UnicodeScalarView) {
    var rest = text[...]
    let marker = Array("<svg".unicodeScalars)
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...]
      if rest.starts(with: marker) {
        self.init(attributes: rest.dropFirst(marker.count))
        return
      }
      // A prefix: "<svg:svg".
      rest = rest.dropFirst()
    }
    return nil
  }

  private init(attributes text: Substring.UnicodeScalarView) {
    var rest = text
    if rest.first == ":" { rest = rest.drop { !$0.properties.isWhitespace && $0 != ">" } }
    while true {
      rest = rest.drop { $0.properties.isWhitespace }
      let name = rest.prefix { $0 != "=" && $0 != ">" && !$0.properties.isWhitespace }
      rest = rest.dropFirst(name.count).drop { $0.properties.isWhitespace }
      guard !name.isEmpty, rest.first == "=" else { return }
      rest = rest.dropFirst().drop { $0.properties.isWhitespace }
      guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
      let value = rest.dropFirst().prefix { $0 != quote }
      attributes[String(Substring(name))] = String(Substring(value))
      rest = rest.dropFirst(value.count + 1).dropFirst()
    }
  }

  /// A length in CSS pixels; nil for a percentage, which depends on the page.
  func pixels(_ name: String) -> Int? {
    guard let value = attributes[name] else { return nil }
    let number = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    let factors = ["": 1.0, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "em": 16]
    guard let length = Double(number), let factor = factors[String(value.dropFirst(number.count))] else { return nil }
    return Self.whole(length * factor)
  }

  static func whole(_ length: Double) -> Int? {
    length.isFinite && length > 0 && length < 1e6 ? max(1, Int(length.rounded())) : nil
  }
}
