/// What stands in a cell: one scalar, a cluster of several (kept in a `GlyphTable`), or the right half of a wide one.
struct Glyph: Hashable, Sendable {
  private static let clusterFlag: UInt32 = 1 << 31

  fileprivate(set) var raw: UInt32

  static let blank = Glyph(raw: 0x20)
  /// The second cell of a glyph that is two cells wide.
  static let rightHalf = Glyph(raw: 0x3FFF_FFFF)
  /// A cell of which nobody knows what it shows: equal to nothing that is ever drawn.
  static let unknown = Glyph(raw: 0x3FFF_FFFE)

  init(ascii byte: UInt8) { raw = UInt32(byte) }

  fileprivate init(raw: UInt32) { self.raw = raw }

  var isCluster: Bool { raw & Self.clusterFlag != 0 }
  var clusterIndex: Int { Int(raw & ~Self.clusterFlag) }

  fileprivate static func cluster(_ index: Int) -> Glyph {
    Glyph(raw: clusterFlag | UInt32(index))
  }
}

/// The clusters of more than one scalar that a screen has shown.
struct GlyphTable {
  /// Beyond this the screen starts anew, so that a hostile book cannot make the table grow for ever.
  static let limit = 8192
  /// A cluster's scalars beyond this are dropped: no terminal draws a letter with fifty accents.
  static let scalarLimit = 16

  private var texts: [[UInt8]] = []
  private var indices: [String: Int] = [:]

  var isFull: Bool { texts.count >= Self.limit }

  mutating func removeAll() {
    texts.removeAll()
    indices.removeAll()
  }

  /// The glyph of one grapheme cluster; nothing in it that a terminal would take as a command.
  mutating func glyph(of cluster: Character) -> Glyph {
    let scalars = cluster.unicodeScalars
    var iterator = scalars.makeIterator()
    guard let first = iterator.next() else { return .blank }
    if iterator.next() == nil {
      return Glyph(raw: Self.isHarmless(first) ? first.value : 0xFFFD)
    }
    var harmless = String.UnicodeScalarView()
    for scalar in scalars where Self.isHarmless(scalar) && harmless.count < Self.scalarLimit {
      harmless.append(scalar)
    }
    guard let start = harmless.first else { return .blank }
    if harmless.count == 1 {
      return Glyph(raw: start.value)
    }
    let text = String(harmless)
    if let index = indices[text] {
      return .cluster(index)
    }
    guard !isFull else { return Glyph(raw: start.value) }
    texts.append(Array(text.utf8))
    indices[text] = texts.count - 1
    return .cluster(texts.count - 1)
  }

  func append(_ glyph: Glyph, to output: inout [UInt8]) {
    if glyph.isCluster {
      output.append(contentsOf: texts[glyph.clusterIndex])
    } else if let scalar = Unicode.Scalar(glyph.raw) {
      if scalar.isASCII {
        output.append(UInt8(scalar.value))
      } else {
        output.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
  }

  /// Neither a control character (C0, DEL, C1) nor one that changes the direction or the lines of a terminal.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: false
    case 0x00AD: false
    default: true
    }
  }
}

extension Character {
  /// Whether a terminal may draw anything of it at all; what may not is left out of the line.
  public var isDrawable: Bool {
    unicodeScalars.contains(where: GlyphTable.isHarmless)
  }
}
