/// The parts of an entry's record that vary: extra fields and the name's encoding.
enum ArchiveExtra {
  /// Takes sizes and offset from a ZIP64 field where the record holds its placeholder.
  /// Source: APPNOTE.TXT 4.5.3.
  static func apply(_ slice: ArraySlice<UInt8>, to entry: inout Archive.Entry) {
    let extra = Array(slice)
    var position = 0
    while position + 4 <= extra.count {
      let length = Int(extra.uint16(position + 2))
      let end = min(position + 4 + length, extra.count)
      if extra.uint16(position) == 1 {
        var field = position + 4
        func take(_ value: inout UInt64) {
          guard value == 0xffff_ffff, field + 8 <= end else { return }
          value = extra.uint64(field)
          field += 8
        }
        take(&entry.size)
        take(&entry.compressedSize)
        take(&entry.headerOffset)
      }
      position += 4 + length
    }
  }

  /// The name as text: UTF-8 if flagged or valid, else code page 437.
  static func name(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80])
    }
    return text
  }

  private static let codePage437 = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)
}
