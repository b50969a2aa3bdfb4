/// `text-transform`, scalar by scalar.
struct TextTransformer {
  private let transform: Declaration.TextTransform
  private let isTurkic: Bool
  private var isWordStart = true

  init(_ transform: Declaration.TextTransform, language: String?) {
    self.transform = transform
    isTurkic = language.map { $0.hasPrefix("tr") || $0.hasPrefix("az") } ?? false
  }

  /// White space was passed.
  mutating func boundary() { isWordStart = true }

  /// The text goes on where another element's ended.
  mutating func continueWord() { isWordStart = false }

  mutating func transform(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    switch transform {
    case .none: return Self.view(scalar)
    case .uppercase: return upper(scalar)
    case .lowercase:
      if isTurkic, scalar == "I" { return Self.view("ı") }
      return scalar.properties.lowercaseMapping.unicodeScalars
    case .capitalize:
      let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      defer {
        if isLetter {
          isWordStart = false
        } else if scalar != "'" && scalar != "’" && !scalar.properties.isDiacritic {
          isWordStart = true
        }
      }
      guard isWordStart, isLetter else { return Self.view(scalar) }
      if isTurkic, scalar == "i" { return Self.view("İ") }
      return scalar.properties.titlecaseMapping.unicodeScalars
    case .fullWidth:
      switch scalar.value {
      case 0x21...0x7e: return Self.view(Unicode.Scalar(scalar.value + 0xfee0) ?? scalar)
      default: return Self.view(scalar)
      }
    }
  }

  private func upper(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    if scalar.value < 0x80 {
      if isTurkic, scalar == "i" { return Self.view("İ") }
      let isLower = scalar.value >= 0x61 && scalar.value <= 0x7a
      return Self.view(isLower ? Unicode.Scalar(scalar.value - 32) ?? scalar : scalar)
    }
    return scalar.properties.uppercaseMapping.unicodeScalars
  }

  private static func view(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    var view = String.UnicodeScalarView()
    view.append(scalar)
    return view
  }
}
