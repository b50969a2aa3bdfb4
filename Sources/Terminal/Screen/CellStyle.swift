/// How a cell looks: its two colours and its attributes.
public struct CellStyle: Sendable, Hashable {
  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  public struct Attributes: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1 << 0)
    public static let dim = Attributes(rawValue: 1 << 1)
    public static let italic = Attributes(rawValue: 1 << 2)
    public static let underline = Attributes(rawValue: 1 << 3)
    public static let reverse = Attributes(rawValue: 1 << 4)
    public static let strikethrough = Attributes(rawValue: 1 << 5)
  }

  /// With other attributes added.
  public func adding(_ more: Attributes) -> CellStyle {
    CellStyle(foreground: foreground, background: background, attributes: attributes.union(more))
  }
}

extension CellStyle {
  /// The "select graphic rendition" sequence that sets this style whatever was set before.
  ///
  /// Source: ECMA-48, 8.3.117 SGR.
  public func appendSequence(to output: inout [UInt8], depth: ColorDepth) {
    output.append(contentsOf: "\u{1B}[0".utf8)
    let codes: [(Attributes, StaticString)] = [
      (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7"), (.strikethrough, ";9"),
    ]
    for (attribute, code) in codes where attributes.contains(attribute) {
      code.withUTF8Buffer { output.append(contentsOf: $0) }
    }
    Self.append(depth.nearest(to: foreground), base: 30, to: &output)
    Self.append(depth.nearest(to: background), base: 40, to: &output)
    output.append(UInt8(ascii: "m"))
  }

  private static func append(_ color: Color, base: Int, to output: inout [UInt8]) {
    if let value = color.rgbValue {
      output.append(UInt8(ascii: ";"))
      output.append(decimal: base + 8)
      output.append(contentsOf: ";2;".utf8)
      output.append(decimal: Int(value >> 16 & 0xFF))
      output.append(UInt8(ascii: ";"))
      output.append(decimal: Int(value >> 8 & 0xFF))
      output.append(UInt8(ascii: ";"))
      output.append(decimal: Int(value & 0xFF))
    } else if let index = color.paletteIndex {
      output.append(UInt8(ascii: ";"))
      if index < 8 {
        output.append(decimal: base + Int(index))
      } else if index < 16 {
        output.append(decimal: base + 60 + Int(index) - 8)
      } else {
        output.append(decimal: base + 8)
        output.append(contentsOf: ";5;".utf8)
        output.append(decimal: Int(index))
      }
    }
  }
}

extension [UInt8] {
  /// A number in decimal digits, without a String in between.
  mutating func append(decimal number: Int) {
    if number < 0 {
      append(UInt8(ascii: "-"))
    }
    var rest = number.magnitude
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }
}
