/// Where a line may end: annex 14 through libunibreak, and what typesetters know beyond it.
enum BreakRules {
  /// - Parameters:
  ///   - softHyphens: whether a line may end at a soft hyphen.
  ///   - breaks: one value a scalar, as `LineBreakHandle` says.
  static func find(in flat: FlatText, language: String, softHyphens: Bool, into breaks: inout [Int8]) {
    let scalars = flat.scalars
    let count = scalars.count
    if !LatinBreaks.find(in: scalars, into: &breaks) {
      LineBreakHandle.find(in: scalars, language: quotes(of: language), into: &breaks)
    }
    guard count > 1 else { return }
    for index in flat.glued where index > 0 && index < count { breaks[index - 1] = LineBreakHandle.noBreak }
    scalars.withUnsafeBufferPointer { scalars in
      for index in 0..<(count - 1) {
        let here = scalars[index]
        if here < 0x80 {
          // "-word" and "--word" keep their dashes; a hyphen between letters is a place to break.
          if here == 0x2D, breaks[index] == LineBreakHandle.allowBreak, index == 0 || scalars[index - 1] == 0x20 {
            breaks[index] = LineBreakHandle.noBreak
          }
          if scalars[index + 1] < 0x80 { continue }
        }
        guard breaks[index] != LineBreakHandle.mustBreak else { continue }
        let next = scalars[index + 1]
        if flat.advances[index + 1] == TextAdvance.continuation {
          breaks[index] = LineBreakHandle.noBreak
        } else if here == 0xAD, !softHyphens {
          breaks[index] = LineBreakHandle.noBreak
        } else if next == 0x2014 || next == 0x2015, here != 0x20 {
          // A dash ends a line rather than beginning the next one.
          breaks[index] = LineBreakHandle.noBreak
        } else if here == 0x2014 || here == 0x2015 {
          // ... but the dash that opens a speech stays with it, and a pair of dashes stays together.
          if index == 0 || scalars[index - 1] == 0x20 || scalars[index - 1] == 0x0A || next == here {
            breaks[index] = LineBreakHandle.noBreak
          } else if next == 0x201C || next == 0x2018 {
            breaks[index] = LineBreakHandle.allowBreak
          }
        } else if here >= 0x2018 || next >= 0x2018 {
          if isForbiddenAtStart(next) || isForbiddenAtEnd(here) {
            if here != 0x20 { breaks[index] = LineBreakHandle.noBreak }
          } else if next == 0x2018 || next == 0x201C, isIdeographic(here) {
            breaks[index] = LineBreakHandle.allowBreak
          } else if here == 0x2019 || here == 0x201D, isIdeographic(next) {
            breaks[index] = LineBreakHandle.allowBreak
          }
        }
      }
    }
  }

  /// Only for Chinese does the library know better about quotation marks than the rules below.
  private static func quotes(of language: String) -> String {
    language.hasPrefix("zh") ? "zh" : ""
  }

  /// What may not begin a line in Chinese or Japanese.
  static func isForbiddenAtStart(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2026, 0x2025, 0x2030, 0x2103, 0x2019, 0x201D, 0x203C, 0x2047, 0x2048, 0x2049, 0x203A: true
    case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301C,
      0x301E, 0x301F, 0x303B:
      true
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096, 0x309B,
      0x309C, 0x309D, 0x309E, 0x30A0:
      true
    case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6, 0x30FB,
      0x30FC, 0x30FD, 0x30FE, 0x31F0...0x31FF:
      true
    case 0xFE50...0xFE52, 0xFE54...0xFE57, 0xFE5A, 0xFE5C, 0xFE5E: true
    case 0xFF01, 0xFF05, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF5E, 0xFF60, 0xFF61,
      0xFF63, 0xFF64, 0xFF65, 0xFFE0:
      true
    default: false
    }
  }

  /// What may not end a line in Chinese or Japanese.
  static func isForbiddenAtEnd(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2018, 0x201C, 0x2039, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D,
      0xFE59, 0xFE5B, 0xFE5D, 0xFF04, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62, 0xFFE1, 0xFFE5:
      true
    default: false
    }
  }

  /// Ideographs, kana, syllables: letters between which any line may end.
  static func isIdeographic(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3040...0x30FF, 0x3100...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
