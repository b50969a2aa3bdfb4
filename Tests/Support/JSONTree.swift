/// A JSON document as a tree, for files of expectations; faults are traps of the test that reads one.
public enum JSONTree: Sendable, Equatable {
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])
  /// A number, true, false or null, as it is written.
  case other(String)

  /// - Returns: nil for what is no JSON.
  public init?(_ text: String) {
    var reader = Reader(scalars: Array(text.unicodeScalars))
    guard let value = reader.value() else { return nil }
    reader.skipBlanks()
    guard reader.place == reader.scalars.count else { return nil }
    self = value
  }

  public var strings: [String] {
    guard case .array(let items) = self else { return [] }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  public subscript(key: String) -> JSONTree? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var place = 0

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    mutating func skipBlanks() { while let next, next.properties.isWhitespace { place += 1 } }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard next == scalar else { return false }
      place += 1
      return true
    }

    mutating func value() -> JSONTree? {
      skipBlanks()
      switch next {
      case "\"": return string().map { .string($0) }
      case "[": return array()
      case "{": return object()
      default:
        let start = place
        while let next, !",]} \n\t\r".unicodeScalars.contains(next) { place += 1 }
        return start == place ? nil : .other(String(String.UnicodeScalarView(scalars[start..<place])))
      }
    }

    private mutating func array() -> JSONTree? {
      place += 1
      var items: [JSONTree] = []
      if take("]") { return .array(items) }
      repeat {
        guard let item = value() else { return nil }
        items.append(item)
      } while take(",")
      return take("]") ? .array(items) : nil
    }

    private mutating func object() -> JSONTree? {
      place += 1
      var members: [String: JSONTree] = [:]
      if take("}") { return .object(members) }
      repeat {
        skipBlanks()
        guard let key = string(), take(":"), let member = value() else { return nil }
        members[key] = member
      } while take(",")
      return take("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
      guard take("\"") else { return nil }
      var text = String.UnicodeScalarView()
      while let scalar = next {
        place += 1
        switch scalar {
        case "\"": return String(text)
        case "\\":
          guard let escaped = escape() else { return nil }
          text.append(escaped)
        default: text.append(scalar)
        }
      }
      return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
      guard let scalar = next else { return nil }
      place += 1
      switch scalar {
      case "n": return "\n"
      case "t": return "\t"
      case "r": return "\r"
      case "u":
        guard place + 4 <= scalars.count,
          let value = UInt32(String(String.UnicodeScalarView(scalars[place..<place + 4])), radix: 16)
        else { return nil }
        place += 4
        return Unicode.Scalar(value)
      default: return scalar
      }
    }
  }
}
