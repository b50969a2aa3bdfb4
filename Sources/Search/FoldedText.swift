internal import Document
@_spi(_Unicode) internal import Swift

/// A block's text made comparable, and the way back to the source.
///
/// Runs of white space are one blank; soft hyphens and invisible marks are gone; dashes, quotes and ligatures are
/// their plain forms; unless the query asks for them, so are capitals and diacritics.
struct FoldedText {
  /// UTF-8.
  private(set) var bytes: [UInt8] = []
  /// For each byte, which scalar of the block it comes from.
  private(set) var origins: [Int32] = []
  /// The block's own text, and where each scalar stands in the source.
  private(set) var scalars: [Unicode.Scalar] = []
  private(set) var offsets: [Int32] = []

  private let options: SearchQuery.Options
  private var cache: [UInt32: [UInt8]] = [:]

  init(options: SearchQuery.Options) {
    self.options = options
  }

  /// Takes another block's text; what was known of characters is kept.
  mutating func load(_ text: InlineText) {
    bytes.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    scalars.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    for run in text.runs {
      var index = 0
      for scalar in run.text.unicodeScalars {
        offsets.append(Int32(clamping: run.offsets.offset(ofScalar: index)))
        append(scalar)
        index += 1
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    let origin = Int32(clamping: scalars.count)
    scalars.append(scalar)
    let value = scalar.value
    if value < 0x80 {
      var byte = UInt8(value)
      if byte <= 0x20 {
        if bytes.last == 0x20 { return }
        byte = 0x20
      } else if (0x41...0x5A).contains(byte), !options.contains(.matchCase) {
        byte |= 0x20
      } else if byte == 0x60, !options.contains(.regularExpression) {
        byte = 0x27
      }
      bytes.append(byte)
      origins.append(origin)
      return
    }
    let folded: [UInt8]
    if let known = cache[value] {
      folded = known
    } else {
      folded = Self.fold(scalar, options)
      cache[value] = folded
    }
    for byte in folded {
      if byte == 0x20, bytes.last == 0x20 { continue }
      bytes.append(byte)
      origins.append(origin)
    }
  }

  /// The match as the book has it: marks that were folded away behind the last scalar belong to it.
  func match(_ range: Range<Int>) -> SearchMatch {
    let first = Int(origins[range.lowerBound])
    var last = Int(origins[range.upperBound - 1])
    while last + 1 < scalars.count, scalars[last + 1].properties.generalCategory == .nonspacingMark { last += 1 }
    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      for scalar in scalars[range] where scalar != "\u{AD}" { view.append(scalar == "\n" ? " " : scalar) }
      return String(view)
    }
    let start = Int(offsets[first])
    return SearchMatch(
      range: start..<max(start, Int(offsets[last])) + 1, before: text(max(0, first - 60)..<first),
      text: text(first..<(last + 1)), after: text((last + 1)..<min(scalars.count, last + 61)))
  }

  /// Whether the bytes left and right of a range are not parts of the word at its edge.
  func isWholeWord(_ range: Range<Int>) -> Bool {
    func isWord(_ index: Int) -> Bool {
      let properties = scalars[Int(origins[index])].properties
      return properties.isAlphabetic || properties.numericType != nil
    }
    let startsFree = range.lowerBound == 0 || !isWord(range.lowerBound - 1) || !isWord(range.lowerBound)
    let endsFree = range.upperBound == bytes.count || !isWord(range.upperBound) || !isWord(range.upperBound - 1)
    return startsFree && endsFree
  }

  /// A query's text in the same form, without blanks at its ends.
  static func fold(_ text: String, _ options: SearchQuery.Options) -> [UInt8] {
    var folded = FoldedText(options: options)
    folded.load(InlineText(runs: [.init(text: text, offsets: .from(0))]))
    var bytes = folded.bytes[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return Array(bytes)
  }

  private static func fold(_ scalar: Unicode.Scalar, _ options: SearchQuery.Options) -> [UInt8] {
    switch scalar.value {
    case 0xAD, 0x200B...0x200F, 0x2060...0x2064, 0xFEFF: return []
    case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x85: return [0x20]
    case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: return [0x2D]
    case 0xB4, 0x2BC, 0x2018...0x201B, 0x2032, 0x2039, 0x203A, 0xFF07: return [0x27]
    case 0xAB, 0xBB, 0x201C...0x201F, 0x2033, 0xFF02: return [0x22]
    case 0x2026: return [0x2E, 0x2E, 0x2E]
    case 0xFB00: return Array("ff".utf8)
    case 0xFB01: return Array("fi".utf8)
    case 0xFB02: return Array("fl".utf8)
    case 0xFB03: return Array("ffi".utf8)
    case 0xFB04: return Array("ffl".utf8)
    case 0xFB05, 0xFB06: return Array("st".utf8)
    // ASCII at the width of an ideograph.
    case 0xFF01...0xFF5E:
      return fold(String(Character(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))), options)
    default: break
    }
    var text = String(Character(scalar))
    // "." is one character of the book.
    if options.contains(.regularExpression) { return Array(text.utf8) }
    // By way of the capital: "ß" and "ẞ" are both "ss", final sigma is sigma.
    if !options.contains(.matchCase) { text = text.uppercased().lowercased() }
    var bytes: [UInt8] = []
    for part in text._nfd {
      if part.properties.generalCategory == .nonspacingMark, !options.contains(.matchDiacritics) { continue }
      bytes.append(contentsOf: UTF8.encode(part)!)
    }
    return bytes
  }
}
