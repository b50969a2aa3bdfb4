/// An object of a line that was checked whole, and whose values are looked up by key.
///
/// Only asking for a string or a list allocates. A key that is asked for may come only once; others are ignored.
struct JSONObject {
  private struct Member {
    let key: Range<Int>
    let value: JSONValue
  }

  private let bytes: [UInt8]
  private var members: [Member] = []

  /// Checks `range` of `bytes` as one line.
  init(line bytes: [UInt8], _ range: Range<Int>) throws(WireError) {
    do throws(WireError) {
      if range.count > Wire.maximumLine {
        throw .badFrame(.tooLong, offset: range.lowerBound + Wire.maximumLine)
      }
      if let offset = UTF8Validation.firstFault(in: bytes, range) { throw .badFrame(.notUTF8, offset: offset) }
      try self.init(bytes, range, depth: 0)
    } catch {
      // Offsets count from the start of the line, wherever that stands in the buffer.
      guard case .badFrame(let fault, let offset) = error else { throw error }
      throw .badFrame(fault, offset: offset - range.lowerBound)
    }
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) throws(WireError) {
    self.bytes = bytes
    var scanner = JSONScanner(bytes, range)
    var members: [Member] = []
    scanner.skipBlanks()
    try scanner.object(depth: depth) { key, value throws(WireError) in
      members.append(Member(key: key, value: value))
    }
    scanner.skipBlanks()
    guard scanner.next == nil else { throw scanner.fault(.trailing) }
    self.members = members
  }

  /// - Throws: badFrame when the key comes twice.
  func value(_ key: StaticString) throws(WireError) -> JSONValue? {
    var found: JSONValue?
    for member in members where isEqual(member.key, key) {
      guard found == nil else { throw .badFrame(.duplicateKey, offset: member.key.lowerBound) }
      found = member.value
    }
    return found
  }

  func string(_ key: StaticString) throws(WireError) -> String? {
    guard let value = try value(key), case .string = value.kind else { return nil }
    return text(of: value.range)
  }

  func bool(_ key: StaticString) throws(WireError) -> Bool? {
    guard let value = try value(key), case .bool(let bool) = value.kind else { return nil }
    return bool
  }

  /// nil for a number with a fraction, an exponent, or beyond the type.
  func integer<Number: FixedWidthInteger>(_ key: StaticString, as type: Number.Type) throws(WireError) -> Number? {
    guard let value = try value(key), case .number = value.kind else { return nil }
    var text = value.range
    let isNegative = bytes[text.lowerBound] == UInt8(ascii: "-")
    if isNegative { text = (text.lowerBound + 1)..<text.upperBound }
    var result: Number = 0
    for index in text {
      guard bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9") else { return nil }
      let (product, tooLarge) = result.multipliedReportingOverflow(by: 10)
      let digit = Number(bytes[index] - UInt8(ascii: "0"))
      let (sum, overflow) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !tooLarge, !overflow else { return nil }
      result = sum
    }
    return result
  }

  /// The strings of a list; nil when it is no list, or one of its elements is no string.
  func strings(_ key: StaticString) throws(WireError) -> [String]? {
    var strings: [String] = []
    guard let elements = try elements(key) else { return nil }
    for element in elements {
      guard case .string = element.kind else { return nil }
      strings.append(text(of: element.range))
    }
    return strings
  }

  /// The objects of a list; nil when it is no list, or one of its elements is no object.
  func objects(_ key: StaticString) throws(WireError) -> [JSONObject]? {
    var objects: [JSONObject] = []
    guard let elements = try elements(key) else { return nil }
    for element in elements {
      guard case .object = element.kind else { return nil }
      objects.append(try JSONObject(bytes, element.range, depth: 0))
    }
    return objects
  }

  private func elements(_ key: StaticString) throws(WireError) -> [JSONValue]? {
    guard let value = try value(key), case .array = value.kind else { return nil }
    var scanner = JSONScanner(bytes, value.range)
    var elements: [JSONValue] = []
    try scanner.array(depth: 0) { element throws(WireError) in elements.append(element) }
    return elements
  }

  /// Is a key, escapes resolved, this word?
  private func isEqual(_ quoted: Range<Int>, _ word: StaticString) -> Bool {
    let inner = (quoted.lowerBound + 1)..<(quoted.upperBound - 1)
    var isPlain = true
    for index in inner where bytes[index] == UInt8(ascii: "\\") {
      isPlain = false
      break
    }
    guard isPlain else { return text(of: quoted) == word.description }
    guard inner.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { expected in
      for offset in 0..<expected.count where bytes[inner.lowerBound + offset] != expected[offset] { return false }
      return true
    }
  }

  /// The text of a string that was checked, its escapes resolved.
  private func text(of quoted: Range<Int>) -> String {
    let inner = (quoted.lowerBound + 1)..<(quoted.upperBound - 1)
    guard bytes[inner].contains(UInt8(ascii: "\\")) else { return String(decoding: bytes[inner], as: UTF8.self) }
    var scanner = JSONScanner(bytes, inner)
    var text: [UInt8] = []
    text.reserveCapacity(inner.count)
    while let byte = scanner.next {
      if byte == UInt8(ascii: "\\"), let scalar = try? scanner.escape() {
        text.append(contentsOf: UTF8.encode(scalar)!)
      } else {
        text.append(byte)
        scanner.position += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
