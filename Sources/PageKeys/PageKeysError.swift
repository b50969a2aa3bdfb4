/// What can be wrong with the texts that this module reads.
public enum PageKeysError: Error, Sendable, Equatable {
  /// A configuration or profile cannot be understood.
  case configuration(ConfigurationFault)
  /// A recording cannot be understood.
  case recording(RecordingFault)
}

/// Where and why a configuration cannot be understood.
public struct ConfigurationFault: Sendable, Equatable {
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  /// What stands there, as written.
  public var found: String
  public var expected: String
  /// The valid word that is nearest to what stands there.
  public var nearest: String?
}

/// Where and why a recording cannot be understood.
public struct RecordingFault: Sendable, Equatable {
  /// From 1; 0: the whole text.
  public var line: Int
  public var message: String
}

extension PageKeysError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .configuration(let fault): fault.description
    case .recording(let fault):
      fault.line == 0 ? "recording: \(fault.message)" : "recording, line \(fault.line): \(fault.message)"
    }
  }
}

extension ConfigurationFault: CustomStringConvertible {
  /// Such as `pagerd.conf:3:9: "nexxt" is not a command: expected next, prev …; did you mean "next"?`.
  public var description: String {
    var text = "\(file):\(line):\(column): "
    text += found.isEmpty ? "expected \(expected)" : "\"\(found)\": expected \(expected)"
    if let nearest { text += "; did you mean \"\(nearest)\"?" }
    return text
  }
}
