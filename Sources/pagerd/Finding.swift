/// One thing that the doctor looked at.
struct Finding: Sendable, Equatable {
  enum Verdict: String, Sendable {
    case good = "ok"
    /// It may be so, but is worth knowing.
    case note
    case bad = "fault"
  }

  /// A word for programs: `uinput`, `daemon` …
  var subject: String
  var verdict: Verdict
  var text: String
  /// What to do about it.
  var remedy: String?

  var line: String {
    let mark =
      switch verdict {
      case .good: "ok   "
      case .note: "note "
      case .bad: "FAULT"
      }
    let first = "\(mark)  \(subject): \(text)"
    return remedy.map { first + "\n       -> \($0)" } ?? first
  }

  var json: String {
    var text = "{\"subject\":\(Finding.quoted(subject)),\"verdict\":\(Finding.quoted(verdict.rawValue)),"
    text += "\"text\":\(Finding.quoted(self.text))"
    if let remedy { text += ",\"remedy\":\(Finding.quoted(remedy))" }
    return text + "}"
  }

  /// A JSON string. Source: RFC 8259, section 7.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
