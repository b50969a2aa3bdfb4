/// Just enough JSON to look into the daemon's lines without the daemon's own codec.
indirect enum JSON: Equatable, CustomStringConvertible {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init?(_ text: String) {
    var parser = Parser(bytes: Array(text.utf8))
    guard let value = parser.value() else { return nil }
    self = value
  }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(Int(exactly: number).map(String.init) ?? "\(number)")"
    case .string(let text): "\"\(text)\""
    case .array(let items): "\(items)"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",") + "}"
    }
  }

  subscript(_ key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
  var list: [JSON] { if case .array(let items) = self { items } else { [] } }

  private struct Parser {
    let bytes: [UInt8]
    var at = 0

    mutating func blanks() { while at < bytes.count, bytes[at] <= 32 { at += 1 } }

    mutating func take(_ byte: Character) -> Bool {
      blanks()
      guard at < bytes.count, bytes[at] == byte.asciiValue else { return false }
      at += 1
      return true
    }

    mutating func word(_ word: String) -> Bool {
      guard bytes[at...].starts(with: word.utf8) else { return false }
      at += word.utf8.count
      return true
    }

    mutating func value() -> JSON? {
      blanks()
      guard at < bytes.count else { return nil }
      if take("{") { return object() }
      if take("[") { return array() }
      if bytes[at] == 34 { return string().map(JSON.string) }
      if word("true") { return .bool(true) }
      if word("false") { return .bool(false) }
      if word("null") { return .null }
      let start = at
      while at < bytes.count, "+-.eE0123456789".utf8.contains(bytes[at]) { at += 1 }
      return Double(String(decoding: bytes[start..<at], as: UTF8.self)).map(JSON.number)
    }

    mutating func object() -> JSON? {
      var members: [String: JSON] = [:]
      if take("}") { return .object(members) }
      repeat {
        blanks()
        guard let key = string(), take(":"), let value = value() else { return nil }
        members[key] = value
      } while take(",")
      return take("}") ? .object(members) : nil
    }

    mutating func array() -> JSON? {
      var items: [JSON] = []
      if take("]") { return .array(items) }
      repeat {
        guard let value = value() else { return nil }
        items.append(value)
      } while take(",")
      return take("]") ? .array(items) : nil
    }

    mutating func string() -> String? {
      guard take("\"") else { return nil }
      var text: [UInt8] = []
      while at < bytes.count, bytes[at] != 34 {
        if bytes[at] == 92, at + 1 < bytes.count {
          at += 1
          switch bytes[at] {
          case 110: text.append(10)
          case 116: text.append(9)
          case 117:
            let code = UInt32(String(decoding: bytes[(at + 1)..<min(at + 5, bytes.count)], as: UTF8.self), radix: 16)
            text += Array(String(code.flatMap(Unicode.Scalar.init).map(Character.init) ?? "?").utf8)
            at += 4
          default: text.append(bytes[at])
          }
        } else {
          text.append(bytes[at])
        }
        at += 1
      }
      at += 1
      return String(decoding: text, as: UTF8.self)
    }
  }
}
