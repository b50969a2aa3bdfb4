/// Finds the first byte that does not belong to well-formed UTF-8. Source: table 3-7 of the Unicode Standard.
enum UTF8Validation {
  /// - Returns: its offset in `bytes`, nil when all of `range` is well-formed.
  static func firstFault(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        continue
      }
      guard let length = length(of: bytes, at: index, end: range.upperBound) else { return index }
      index += length
    }
    return nil
  }

  private static func length(of bytes: [UInt8], at index: Int, end: Int) -> Int? {
    func isContinuation(_ offset: Int, _ allowed: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < end && allowed.contains(bytes[index + offset])
    }
    switch bytes[index] {
    case 0xC2...0xDF:
      return isContinuation(1) ? 2 : nil
    case 0xE0...0xEF:
      let second: ClosedRange<UInt8> =
        bytes[index] == 0xE0 ? 0xA0...0xBF : bytes[index] == 0xED ? 0x80...0x9F : 0x80...0xBF
      return isContinuation(1, second) && isContinuation(2) ? 3 : nil
    case 0xF0...0xF4:
      let second: ClosedRange<UInt8> =
        bytes[index] == 0xF0 ? 0x90...0xBF : bytes[index] == 0xF4 ? 0x80...0x8F : 0x80...0xBF
      return isContinuation(1, second) && isContinuation(2) && isContinuation(3) ? 4 : nil
    default:
      return nil
    }
  }
}
