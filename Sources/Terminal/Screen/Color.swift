/// A colour of a cell: the terminal's own, one of its palette, or red, green and blue.
public struct Color: Sendable, Hashable {
  private enum Kind { static let rgb: UInt32 = 1 << 24, palette: UInt32 = 2 << 24 }

  private let raw: UInt32

  /// The terminal's own foreground or background.
  public static let standard = Color(raw: 0)

  private init(raw: UInt32) {
    self.raw = raw
  }

  /// - Parameter value: 0xRRGGBB; higher bits are ignored.
  public static func rgb(_ value: UInt32) -> Color {
    Color(raw: Kind.rgb | (value & 0xFF_FFFF))
  }

  /// One of the 256 colours of the terminal's palette.
  public static func palette(_ index: UInt8) -> Color {
    Color(raw: Kind.palette | UInt32(index))
  }

  /// 0xRRGGBB; nil for the terminal's own colours.
  var rgbValue: UInt32? {
    raw & 0xFF00_0000 == Kind.rgb ? raw & 0xFF_FFFF : nil
  }

  var paletteIndex: UInt8? {
    raw & 0xFF00_0000 == Kind.palette ? UInt8(raw & 0xFF) : nil
  }
}

/// How many colours a terminal has.
public enum ColorDepth: Sendable, Hashable, Comparable {
  /// None are used: attributes only.
  case none
  case sixteen
  case palette
  case truecolor

  /// The colour that comes nearest with this depth.
  func nearest(to color: Color) -> Color {
    switch self {
    case .truecolor:
      return color
    case .palette:
      guard let value = color.rgbValue else { return color }
      return .palette(Self.paletteIndex(of: value))
    case .sixteen:
      if let index = color.paletteIndex { return index < 16 ? color : .standard }
      guard let value = color.rgbValue else { return color }
      return .palette(Self.ansiIndex(of: value))
    case .none:
      return .standard
    }
  }

  /// The nearest entry of the colour cube (16...231) or of the grey ramp (232...255).
  private static func paletteIndex(of value: UInt32) -> UInt8 {
    let parts = components(value)
    let levels = [0, 95, 135, 175, 215, 255]
    func level(_ part: Int) -> Int { part < 48 ? 0 : part < 115 ? 1 : min(5, (part - 35) / 40) }
    let cube = (level(parts.red), level(parts.green), level(parts.blue))
    let cubeColor = (levels[cube.0], levels[cube.1], levels[cube.2])
    let average = (parts.red + parts.green + parts.blue) / 3
    let grey = average > 238 ? 23 : max(0, (average - 3) / 10)
    let greyLevel = 8 + 10 * grey
    let isGreyNearer =
      distance(parts, (greyLevel, greyLevel, greyLevel)) < distance(parts, cubeColor)
    return UInt8(isGreyNearer ? 232 + grey : 16 + 36 * cube.0 + 6 * cube.1 + cube.2)
  }

  private static func ansiIndex(of value: UInt32) -> UInt8 {
    let parts = components(value)
    let table: [(Int, Int, Int)] = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
      (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
      (255, 255, 255),
    ]
    var best = 0
    for index in table.indices where distance(parts, table[index]) < distance(parts, table[best]) {
      best = index
    }
    return UInt8(best)
  }

  private static func components(_ value: UInt32) -> (red: Int, green: Int, blue: Int) {
    (Int(value >> 16 & 0xFF), Int(value >> 8 & 0xFF), Int(value & 0xFF))
  }

  private static func distance(_ one: (red: Int, green: Int, blue: Int), _ other: (Int, Int, Int)) -> Int {
    let (red, green, blue) = (one.red - other.0, one.green - other.1, one.blue - other.2)
    return red * red + green * green + blue * blue
  }
}
