/// One token of CSS. Source: CSS Syntax Level 3, section 4; comments are gone, white space is one token.
enum CSSToken: Equatable, Sendable {
  case ident(String)
  /// The name before "(".
  case function(String)
  case atKeyword(String)
  case hash(String)
  case string(String)
  case url(String)
  case number(Double)
  case percentage(Double)
  case dimension(Double, String)
  case delimiter(UInt8)
  case colon, semicolon, comma
  case open(Bracket)
  case close(Bracket)
  case space

  enum Bracket: Sendable { case round, square, curly }

  /// A lower-case identifier; nil for any other token.
  var word: String? {
    if case .ident(let name) = self { return name.lowercased() }
    return nil
  }
}

/// Makes tokens of bytes of UTF-8.
struct CSSTokenizer {
  private let bytes: [UInt8]
  private var index = 0

  /// Most tokens of one sheet.
  static let limit = 1_000_000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func tokens(_ bytes: [UInt8]) -> [CSSToken] {
    var tokenizer = CSSTokenizer(bytes)
    var tokens: [CSSToken] = []
    tokens.reserveCapacity(bytes.count / 4)
    while let token = tokenizer.next(), tokens.count < limit { tokens.append(token) }
    return tokens
  }

  private func peek(_ ahead: Int = 0) -> UInt8 {
    index + ahead < bytes.count ? bytes[index + ahead] : 0
  }

  private mutating func next() -> CSSToken? {
    skipComments()
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    if byte.isMarkupSpace {
      while index < bytes.count {
        skipComments()
        guard peek().isMarkupSpace, index < bytes.count else { break }
        index += 1
      }
      return .space
    }
    switch byte {
    case 0x22, 0x27: return string(byte)
    case 0x23:
      index += 1
      return startsName(0) || peek().isDigit || peek() == 0x2d ? .hash(name()) : .delimiter(0x23)
    case 0x28: return single(.open(.round))
    case 0x29: return single(.close(.round))
    case 0x5b: return single(.open(.square))
    case 0x5d: return single(.close(.square))
    case 0x7b: return single(.open(.curly))
    case 0x7d: return single(.close(.curly))
    case 0x3a: return single(.colon)
    case 0x3b: return single(.semicolon)
    case 0x2c: return single(.comma)
    case 0x40:
      index += 1
      return startsName(0) ? .atKeyword(name().lowercased()) : .delimiter(0x40)
    case 0x3c where bytes[index...].starts(with: "<!--".utf8):
      index += 4
      return .space
    case 0x2d where peek(1) == 0x2d && peek(2) == 0x3e:
      index += 3
      return .space
    default: break
    }
    if startsNumber() { return number() }
    if startsName(0) { return nameOrFunction() }
    index += 1
    return .delimiter(byte)
  }

  private mutating func single(_ token: CSSToken) -> CSSToken {
    index += 1
    return token
  }

  private mutating func skipComments() {
    while peek() == 0x2f, peek(1) == 0x2a {
      index += 2
      while index < bytes.count, !(peek() == 0x2a && peek(1) == 0x2f) { index += 1 }
      index = min(index + 2, bytes.count)
    }
  }

  private func startsName(_ ahead: Int) -> Bool {
    let byte = peek(ahead)
    if byte == 0x2d {
      let second = peek(ahead + 1)
      return second.isNameStart || second == 0x2d || second == 0x5c
    }
    return byte.isNameStart || byte == 0x5c && peek(ahead + 1) != 0x0a && index + ahead + 1 < bytes.count
  }

  private func startsNumber() -> Bool {
    var ahead = 0
    if peek() == 0x2b || peek() == 0x2d { ahead = 1 }
    return peek(ahead).isDigit || peek(ahead) == 0x2e && peek(ahead + 1).isDigit
  }

  private mutating func name() -> String {
    var text: [UInt8] = []
    while index < bytes.count, text.count < 4096 {
      let byte = bytes[index]
      if byte.isNameStart || byte.isDigit || byte == 0x2d {
        text.append(byte)
        index += 1
      } else if byte == 0x5c, index + 1 < bytes.count, bytes[index + 1] != 0x0a {
        index += 1
        text.append(contentsOf: escape())
      } else {
        break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Behind a backslash: up to six hexadecimal digits and a blank, or any one character.
  private mutating func escape() -> [UInt8] {
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, let digit = peek().hexValue {
      value = value << 4 | UInt32(digit)
      index += 1
      digits += 1
    }
    guard digits > 0 else {
      // One character, however many bytes it has.
      let start = index
      index += 1
      while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
      return Array(bytes[start..<min(index, bytes.count)])
    }
    if peek() == 0x0d, peek(1) == 0x0a {
      index += 2
    } else if index < bytes.count, peek().isMarkupSpace {
      index += 1
    }
    let scalar = value == 0 ? nil : Unicode.Scalar(value)
    return Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
  }

  private mutating func string(_ quote: UInt8) -> CSSToken {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        index += 1
        break
      }
      if byte == 0x0a { break }
      if byte == 0x5c {
        index += 1
        if peek() == 0x0a {
          index += 1
        } else if index < bytes.count {
          text.append(contentsOf: escape())
        }
      } else {
        text.append(byte)
        index += 1
      }
    }
    return .string(String(decoding: text, as: UTF8.self))
  }

  private mutating func nameOrFunction() -> CSSToken {
    let name = name()
    guard peek() == 0x28, index < bytes.count else { return .ident(name) }
    index += 1
    guard name.lowercased() == "url" else { return .function(name.lowercased()) }
    while peek().isMarkupSpace, index < bytes.count { index += 1 }
    if peek() == 0x22 || peek() == 0x27 {
      let content = string(peek())
      while index < bytes.count, bytes[index] != 0x29 { index += 1 }
      index = min(index + 1, bytes.count)
      if case .string(let address) = content { return .url(address) }
      return .url("")
    }
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != 0x29 {
      text.append(bytes[index])
      index += 1
    }
    index = min(index + 1, bytes.count)
    while text.last?.isMarkupSpace == true { text.removeLast() }
    return .url(String(decoding: text, as: UTF8.self))
  }

  private mutating func number() -> CSSToken {
    var isNegative = false
    if peek() == 0x2b || peek() == 0x2d {
      isNegative = peek() == 0x2d
      index += 1
    }
    var value = 0.0
    while peek().isDigit {
      value = min(value * 10 + Double(peek() - 0x30), 1e15)
      index += 1
    }
    if peek() == 0x2e, peek(1).isDigit {
      index += 1
      var unit = 0.1
      while peek().isDigit {
        value += Double(peek() - 0x30) * unit
        unit /= 10
        index += 1
      }
    }
    let signed = peek(1) == 0x2b || peek(1) == 0x2d
    if peek() | 0x20 == 0x65, signed ? peek(2).isDigit : peek(1).isDigit {
      let isSmall = peek(1) == 0x2d
      index += signed ? 2 : 1
      var exponent = 0
      while peek().isDigit {
        exponent = min(exponent * 10 + Int(peek() - 0x30), 15)
        index += 1
      }
      for _ in 0..<exponent { value = isSmall ? value / 10 : min(value * 10, 1e15) }
    }
    if isNegative { value = -value }
    if peek() == 0x25 {
      index += 1
      return .percentage(value)
    }
    return startsName(0) ? .dimension(value, name().lowercased()) : .number(value)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// A letter, "_" or a byte of a character beyond ASCII.
  var isNameStart: Bool {
    self >= 0x61 && self <= 0x7a || self >= 0x41 && self <= 0x5a || self == 0x5f || self >= 0x80
  }

  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}
