/// A value of a line that was checked: its kind, and where its text stands.
struct JSONValue: Sendable, Equatable {
  enum Kind: Sendable { case string, number, object, array, bool(Bool), null }
  var kind: Kind
  /// The value's text in the line's bytes, quotes and brackets included.
  var range: Range<Int>

  static func == (a: JSONValue, b: JSONValue) -> Bool { a.range == b.range }
}

/// Reads JSON text strictly (RFC 8259), from bytes that are known to be UTF-8, without building anything.
///
/// The depth is limited, so the recursion is, too.
struct JSONScanner {
  let bytes: [UInt8]
  let end: Int
  var position: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var next: UInt8? { position < end ? bytes[position] : nil }

  func fault(_ fault: WireError.Fault) -> WireError { .badFrame(fault, offset: position) }

  mutating func skipBlanks() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// One value, at `depth` containers inside the line.
  mutating func value(depth: Int) throws(WireError) -> JSONValue {
    let start = position
    let kind: JSONValue.Kind
    switch next {
    case UInt8(ascii: "\""):
      try string()
      kind = .string
    case UInt8(ascii: "{"):
      try object(depth: depth) { _, _ throws(WireError) in }
      kind = .object
    case UInt8(ascii: "["):
      try array(depth: depth) { _ throws(WireError) in }
      kind = .array
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
      try number()
      kind = .number
    case UInt8(ascii: "t"):
      try word("true")
      kind = .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      kind = .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      kind = .null
    default:
      throw fault(.badValue)
    }
    return JSONValue(kind: kind, range: start..<position)
  }

  /// An object; `member` gets the range of each key with its quotes, and its value.
  mutating func object(
    depth: Int, member: (Range<Int>, JSONValue) throws(WireError) -> Void
  ) throws(WireError) {
    guard depth < Wire.maximumDepth else { throw fault(.tooDeep) }
    guard take(UInt8(ascii: "{")) else { throw fault(.notAnObject) }
    skipBlanks()
    if take(UInt8(ascii: "}")) { return }
    while true {
      let start = position
      guard next == UInt8(ascii: "\"") else { throw fault(.expectedKey) }
      try string()
      let key = start..<position
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw fault(.expectedColon) }
      skipBlanks()
      let value = try value(depth: depth + 1)
      try member(key, value)
      skipBlanks()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw fault(.expectedComma) }
      skipBlanks()
    }
  }

  mutating func array(depth: Int, element: (JSONValue) throws(WireError) -> Void) throws(WireError) {
    guard depth < Wire.maximumDepth else { throw fault(.tooDeep) }
    guard take(UInt8(ascii: "[")) else { throw fault(.badValue) }
    skipBlanks()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try element(try value(depth: depth + 1))
      skipBlanks()
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw fault(.expectedComma) }
      skipBlanks()
    }
  }

  private mutating func word(_ word: StaticString) throws(WireError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard take(word.byte(offset)) else { throw fault(.badValue) }
    }
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, byte.isDigit { position += 1 }
    return position > start
  }

  private mutating func number() throws(WireError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")), !digits() { throw fault(.badNumber) }
    if let byte = next, byte.isDigit { throw fault(.badNumber) }
    if take(UInt8(ascii: ".")), !digits() { throw fault(.badNumber) }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if !digits() { throw fault(.badNumber) }
    }
  }

  private mutating func string() throws(WireError) {
    position += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        _ = try escape()
      case 0..<0x20:
        throw fault(.badString)
      default:
        position += 1
      }
    }
    throw fault(.badString)
  }

  /// One escape, a surrogate pair as a whole.
  mutating func escape() throws(WireError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte = next else { throw fault(.badString) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try hexadecimal()
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard (0xD800...0xDBFF).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        position = start
        throw fault(.loneSurrogate)
      }
      let second = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      else {
        position = start
        throw fault(.loneSurrogate)
      }
      return scalar
    default:
      position = start
      throw fault(.badEscape)
    }
  }

  private mutating func hexadecimal() throws(WireError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = byte.hexadecimalDigit else { throw fault(.badEscape) }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

extension StaticString {
  fileprivate func byte(_ offset: Int) -> UInt8 { withUTF8Buffer { $0[offset] } }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
