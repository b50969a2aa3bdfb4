public import EventLoop

/// Why the daemon cannot start or go on.
public enum InputDaemonError: Error, Sendable, Equatable {
  /// A pagerd that lives has the socket.
  case socketInUse(path: String)
  /// Something that is not a socket stands in the socket's place.
  case notASocket(path: String)
  /// Nothing says where to listen.
  case noSocketPath
  case system(SystemError)

  init(_ error: SocketError) {
    switch error {
    case .inUse(let path): self = .socketInUse(path: path)
    case .notASocket(let path): self = .notASocket(path: path)
    case .noPath: self = .noSocketPath
    case .system(let error): self = .system(error)
    }
  }
}
