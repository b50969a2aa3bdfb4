public import EventLoop

/// Why there is no connection.
public enum ConnectionError: Error, Sendable, Equatable {
  /// Nobody accepted; with what each socket said, in the order in which they were tried.
  case noServer([SystemError])
  case failed(SystemError)
}

extension ConnectionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noServer(let tried):
      "no pagerd is running here (\(tried.map(\.description).joined(separator: "; "))); "
        + "start it with 'systemctl start pagerd', or see 'pagerd doctor'"
    case .failed(let error): error.description
    }
  }
}
