/// Why a line is no message.
public enum WireError: Error, Sendable, Equatable {
  /// The line is not one JSON object as the wire wants it; the offset counts bytes from the start of the line.
  case badFrame(Fault, offset: Int)
  /// A known type, but `key` is not what it has to be.
  case badMessage(key: String, expected: String)

  /// What is wrong with a frame.
  public enum Fault: String, Sendable, CaseIterable {
    case notUTF8 = "not valid UTF-8"
    case notAnObject = "expected a JSON object"
    case badValue = "expected a value"
    case badNumber = "not a number as JSON has them"
    case badString = "a string ends too early, or has a control character"
    case badEscape = "unknown escape in a string"
    case loneSurrogate = "half of a surrogate pair in a string"
    case expectedKey = "expected a key in quotes"
    case expectedColon = "expected a colon"
    case expectedComma = "expected a comma or the end"
    case trailing = "something follows the object"
    case tooDeep = "nested too deeply"
    case duplicateKey = "a key comes twice"
    case noType = "no \"type\" that is a string"
    case tooLong = "the line is too long"
    case cut = "the connection ended within the line"
  }

  /// The wire's code for it.
  public var code: ErrorCode {
    switch self {
    case .badFrame: .badFrame
    case .badMessage: .badMessage
    }
  }
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badFrame(let fault, let offset): "\(fault.rawValue), at byte \(offset)"
    case .badMessage(let key, let expected): "\"\(key)\": expected \(expected)"
    }
  }
}
