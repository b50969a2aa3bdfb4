/// Appends JSON to a buffer that is used again and again. Once that has its capacity, writing allocates nothing.
extension [UInt8] {
  mutating func json(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// A string in quotes, cut between two scalars when it has more than `limit` bytes.
  mutating func json(string text: String, limit: Int = .max) {
    append(UInt8(ascii: "\""))
    // Strings of this process are contiguous; the other way is for those that a C library lent.
    if text.utf8.withContiguousStorageIfAvailable({ json(bytes: $0, limit: limit) }) == nil {
      for byte in text.cut(toBytes: limit).utf8 { json(escaping: byte) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func json(bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
    var end = bytes.count
    if end > limit {
      end = limit
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let kept = UnsafeBufferPointer(rebasing: bytes[..<end])
    for byte in kept where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
      for byte in kept { json(escaping: byte) }
      return
    }
    append(contentsOf: kept)
  }

  private mutating func json(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): json("\\\"")
    case UInt8(ascii: "\\"): json("\\\\")
    case 0x0A: json("\\n")
    case 0x0D: json("\\r")
    case 0x09: json("\\t")
    case 0..<0x20, 0x7F:
      json("\\u00")
      append(hexadecimal(byte >> 4))
      append(hexadecimal(byte & 15))
    default: append(byte)
    }
  }

  private func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  mutating func json(_ number: UInt64) {
    // 20 digits are enough for every number; they are made from the right.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = number
      repeat {
        start -= 1
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder)
        rest = quotient
      } while rest > 0
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  mutating func json(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    json(number.magnitude)
  }

  mutating func json(_ value: Bool) {
    if value { json("true") } else { json("false") }
  }

  /// A list of strings; the rest is left out once the buffer has grown to `end`.
  mutating func json(strings: some Sequence<String>, limit: Int, end: Int) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for string in strings {
      let before = count
      if !isFirst { append(UInt8(ascii: ",")) }
      json(string: string, limit: limit)
      if count > end {
        removeLast(count - before)
        break
      }
      isFirst = false
    }
    append(UInt8(ascii: "]"))
  }

  mutating func json(_ command: Command) {
    switch command {
    case .next: json("\"next\"")
    case .prev: json("\"prev\"")
    case .nextChapter: json("\"next-chapter\"")
    case .prevChapter: json("\"prev-chapter\"")
    case .first: json("\"first\"")
    case .last: json("\"last\"")
    case .back: json("\"back\"")
    case .toggle: json("\"toggle\"")
    case .custom(let name):
      json("\"custom:")
      append(contentsOf: name.bytes)
      append(UInt8(ascii: "\""))
    }
  }
}

extension String {
  /// The longest prefix of whole scalars that has at most `limit` bytes.
  func cut(toBytes limit: Int) -> String { utf8.count > limit ? String(self[..<cut(to: limit)]) : self }

  /// The end of the longest prefix of whole scalars that has at most `limit` bytes.
  fileprivate func cut(to limit: Int) -> String.Index {
    guard utf8.count > limit else { return endIndex }
    var index = utf8.index(startIndex, offsetBy: limit)
    while index > startIndex, utf8[index] & 0xC0 == 0x80 { index = utf8.index(before: index) }
    return index
  }
}
