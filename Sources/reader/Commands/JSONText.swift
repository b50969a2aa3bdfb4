/// Writes JSON: one value after the other, commas and quotes by itself.
struct JSONText {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) -> Void) { nested("{", "}", body) }
  mutating func array(_ body: (inout JSONText) -> Void) { nested("[", "]", body) }

  private mutating func nested(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
    separate()
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  mutating func key(_ name: String) {
    separate()
    quote(name)
    text += ":"
    needsComma = false
  }

  mutating func field(_ name: String, _ value: String?) {
    key(name)
    self.value(value)
  }

  mutating func field(_ name: String, _ value: Int?) {
    key(name)
    separate()
    text += value.map(String.init) ?? "null"
    needsComma = true
  }

  mutating func field(_ name: String, _ value: Bool) {
    key(name)
    separate()
    text += value ? "true" : "false"
    needsComma = true
  }

  mutating func value(_ value: String?) {
    separate()
    if let value { quote(value) } else { text += "null" }
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = false
  }

  private mutating func quote(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
