internal import EventLoop

/// Why pagerd cannot listen.
enum SocketError: Error, Sendable, Equatable {
  /// A pagerd that lives has the socket.
  case inUse(path: String)
  /// Something that is not a socket stands there; pagerd never removes that.
  case notASocket(path: String)
  /// Neither systemd nor the environment says where to listen.
  case noPath
  case system(SystemError)
}

extension SocketError: CustomStringConvertible {
  var description: String {
    switch self {
    case .inUse(let path):
      "\(path) is in use by another pagerd that is running; stop that one, or set PAGERD_SOCKET to another path"
    case .notASocket(let path):
      "\(path) is not a socket, so it was left alone; move it away, or set PAGERD_SOCKET to another path"
    case .noPath:
      "no place for the socket: XDG_RUNTIME_DIR is not set; set PAGERD_SOCKET to a path"
    case .system(let error): error.description
    }
  }
}
