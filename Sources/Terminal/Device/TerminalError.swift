/// Why a terminal cannot be used.
public enum TerminalError: Error, Sendable, Equatable {
  /// Standard input or output is no terminal.
  case notATerminal
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notATerminal:
      "no terminal: standard input and output are not both a terminal"
    case .system(let call, let errno):
      "the terminal: \(call) failed (error \(errno)); try another terminal, or `reader text BOOK`"
    }
  }
}
