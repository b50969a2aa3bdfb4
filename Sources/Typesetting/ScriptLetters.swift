/// Raised, lowered and capital letters, for a screen that has one size.
enum ScriptLetters {
  static let superscripts = table(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyz*†‡§", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*†‡§")
  static let subscripts = table("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

  private static func table(_ from: String, _ to: String) -> [UInt32: UInt32] {
    var table: [UInt32: UInt32] = [:]
    for (plain, raised) in zip(from.unicodeScalars, to.unicodeScalars) { table[plain.value] = raised.value }
    return table
  }

  /// The capital of a letter that has exactly one; else the letter itself.
  static func capital(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return (0x61...0x7A).contains(scalar) ? scalar - 0x20 : scalar }
    guard let letter = Unicode.Scalar(scalar) else { return scalar }
    let upper = letter.properties.uppercaseMapping.unicodeScalars
    return upper.count == 1 ? upper.first!.value : scalar
  }
}
