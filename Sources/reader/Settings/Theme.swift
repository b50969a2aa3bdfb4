internal import Terminal

/// The colours of a page.
enum Theme: String, Sendable, CaseIterable {
  /// The terminal's own.
  case terminal
  case white
  case sepia
  case dark
  case green

  /// 0xRRGGBB; nil: the terminal's own.
  private var colors: (background: UInt32, text: UInt32, accent: UInt32)? {
    switch self {
    case .terminal: nil
    case .white: (0xFEFEFE, 0x1C1C1E, 0x007AFF)
    case .sepia: (0xF1E2C8, 0x4A3520, 0xFF9500)
    case .dark: (0x1A1A1E, 0xD1D1D6, 0xFF9F0A)
    case .green: (0xE2EFDA, 0x2C3E20, 0x4D8033)
    }
  }

  /// 0xRRGGBB, behind what is transparent; of the terminal's own colours nobody knows, so it is paper.
  var background: UInt32 { colors?.background ?? 0xFFFFFF }

  /// The styles for a terminal of so many colours. A theme needs 256 of them; with fewer, the terminal's own colours
  /// are easier to read.
  func palette(depth: ColorDepth) -> Palette {
    guard let colors, depth >= .palette else { return Palette.plain(hasColor: depth >= .sixteen) }
    func mixed(_ share: UInt32) -> Color {
      .rgb(Self.mix(colors.text, colors.background, share: share))
    }
    let text = CellStyle(foreground: .rgb(colors.text), background: .rgb(colors.background))
    func style(_ color: Color, _ attributes: CellStyle.Attributes = []) -> CellStyle {
      CellStyle(foreground: color, background: .rgb(colors.background), attributes: attributes)
    }
    let bar = Color.rgb(Self.mix(colors.text, colors.background, share: 10))
    return Palette(
      text: text, quiet: style(mixed(55)), faint: style(mixed(27)), accent: style(.rgb(colors.accent)),
      bar: CellStyle(foreground: .rgb(colors.text), background: bar),
      barQuiet: CellStyle(foreground: mixed(60), background: bar),
      barAccent: CellStyle(foreground: .rgb(colors.accent), background: bar),
      selected: CellStyle(foreground: .rgb(colors.background), background: .rgb(colors.text)),
      mark: .rgb(Self.mix(colors.accent, colors.background, share: 30)))
  }

  /// `share` percent of one colour, the rest of the other.
  private static func mix(_ one: UInt32, _ other: UInt32, share: UInt32) -> UInt32 {
    func part(_ shift: UInt32) -> UInt32 {
      let (first, second) = (one >> shift & 0xFF, other >> shift & 0xFF)
      return (first * share + second * (100 - share) + 50) / 100
    }
    return part(16) << 16 | part(8) << 8 | part(0)
  }
}

/// The styles that everything on the screen is drawn with.
struct Palette: Sendable, Equatable {
  var text: CellStyle
  /// What stands back: status, annotations.
  var quiet: CellStyle
  /// Rules, bars and frames.
  var faint: CellStyle
  var accent: CellStyle
  /// The controls and panels over the page.
  var bar: CellStyle
  var barQuiet: CellStyle
  var barAccent: CellStyle
  var selected: CellStyle
  /// The background of marked text and search results; nil: reverse video.
  var mark: Color?

  static func plain(hasColor: Bool) -> Palette {
    let accent = hasColor ? CellStyle(foreground: .palette(4)) : CellStyle()
    return Palette(
      text: CellStyle(), quiet: CellStyle(attributes: .dim), faint: CellStyle(attributes: .dim), accent: accent,
      bar: CellStyle(), barQuiet: CellStyle(attributes: .dim), barAccent: accent,
      selected: CellStyle(attributes: .reverse), mark: nil)
  }
}
