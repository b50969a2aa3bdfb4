/// Turns a file's bytes into UTF-8 that libxml2 can parse: any encoding, no DTD, no entities but XML's own.
struct SourceText {
  private(set) var bytes: [UInt8]
  private(set) var warnings: [String] = []

  /// Most bytes that entities may add to a document.
  private static let expansionLimit = 1 << 20

  /// - Parameter encoding: what the transport says, if it says anything.
  init(_ source: [UInt8], encoding: String? = nil) {
    let decoded = TextDecoder.decode(source, declared: encoding)
    bytes = decoded.bytes
    if let warning = decoded.warning { warnings.append(warning) }
    prepare()
  }

  private mutating func prepare() {
    var entities = EntityTable(limit: Self.expansionLimit)
    let source = bytes
    let prolog = Prolog(source, entities: &entities)
    guard prolog.bodyStart > 0 || Self.needsWork(source) else { return }
    var output: [UInt8] = []
    output.reserveCapacity(source.count + 64)
    output.append(contentsOf: prolog.kept)
    Self.rewrite(source[prolog.bodyStart...], into: &output, entities: &entities)
    if entities.isExhausted { warnings.append("entities of this document expand without end; they are left out") }
    bytes = output
  }

  /// Whether there is anything in it that XML without a DTD could not read.
  private static func needsWork(_ source: [UInt8]) -> Bool {
    source.withUnsafeBufferPointer { buffer in
      for byte in buffer where byte == 0x26 || byte < 0x20 && !byte.isMarkupSpace || byte == 0x0c { return true }
      return false
    }
  }

  private static func rewrite(_ source: ArraySlice<UInt8>, into output: inout [UInt8], entities: inout EntityTable) {
    source.withUnsafeBufferPointer { buffer in
      var copied = 0
      var index = 0
      let count = buffer.count
      while index < count {
        let byte = buffer[index]
        if byte == 0x26 {
          output.append(contentsOf: buffer[copied..<index])
          index = reference(buffer, at: index, into: &output, entities: &entities)
          copied = index
        } else if byte == 0x3c, index + 3 < count, buffer[index + 1] == 0x21 {
          index = skipSection(buffer, at: index)
        } else if byte < 0x20, byte != 0x0a, byte != 0x0d, byte != 0x09 {
          output.append(contentsOf: buffer[copied..<index])
          output.append(0x20)
          index += 1
          copied = index
        } else {
          index += 1
        }
      }
      output.append(contentsOf: buffer[copied..<count])
    }
  }

  /// Behind a comment or CDATA section that begins at `start`; behind its "<" if it is neither.
  private static func skipSection(_ buffer: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    if buffer[start + 2] == 0x2d, buffer[start + 3] == 0x2d {
      return find([0x2d, 0x2d, 0x3e], in: buffer, from: start + 4) ?? start + 1
    }
    if buffer[start + 2] == 0x5b, buffer[start + 3] == 0x43 {
      return find([0x5d, 0x5d, 0x3e], in: buffer, from: start + 4) ?? start + 1
    }
    return start + 1
  }

  private static func find(_ mark: [UInt8], in buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + mark.count <= buffer.count {
      if buffer[index] == mark[0], buffer[index + 1] == mark[1], buffer[index + 2] == mark[2] { return index + 3 }
      index += 1
    }
    return nil
  }

  /// Writes what the reference at `start` stands for, and answers where the text goes on.
  private static func reference(
    _ buffer: UnsafeBufferPointer<UInt8>, at start: Int, into output: inout [UInt8], entities: inout EntityTable
  ) -> Int {
    var end = start + 1
    while end < buffer.count, end - start < 64, buffer[end].isNameByte { end += 1 }
    guard end < buffer.count, buffer[end] == 0x3b, end > start + 1 else {
      output.append(contentsOf: "&amp;".utf8)
      return start + 1
    }
    let name = buffer[(start + 1)..<end]
    if name.first == 0x23 {
      if isCharacter(name) {
        output.append(contentsOf: buffer[start...end])
      } else {
        output.append(contentsOf: "\u{FFFD}".utf8)
      }
    } else if !entities.append(String(decoding: name, as: UTF8.self), to: &output) {
      output.append(contentsOf: "&amp;".utf8)
      output.append(contentsOf: name)
      output.append(0x3b)
    }
    return end + 1
  }

  /// Whether "#…" names a character that XML allows.
  private static func isCharacter(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let value, let scalar = Unicode.Scalar(value) else { return false }
    return scalar.value >= 0x20 && scalar.value != 0xfffe && scalar.value != 0xffff
      || scalar == "\n" || scalar == "\t" || scalar == "\r"
  }
}

extension UInt8 {
  /// Bytes that may stand in an entity's name or number.
  var isNameByte: Bool {
    (0x61...0x7a).contains(self) || (0x41...0x5a).contains(self) || (0x30...0x39).contains(self) || self == 0x23
      || self == 0x2d || self == 0x2e || self == 0x5f || self >= 0x80
  }
}
