internal import CLinux
internal import Glibc

/// Stream sockets of the Unix domain: close-on-exec and non-blocking, every one.
public enum UnixSocket {
  /// Who is at the other end, as of its `connect`.
  public struct Peer: Sendable, Equatable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    public init(pid: Int32, uid: UInt32, gid: UInt32) {
      self.pid = pid
      self.uid = uid
      self.gid = gid
    }
  }

  /// Binds a new socket at `path` and listens. What is there already is not touched.
  ///
  /// - Throws: bind with EADDRINUSE when something is there, ENAMETOOLONG above 107 bytes; socket, listen, chmod.
  public static func listen(at path: String, mode: UInt32, backlog: Int32 = 256) throws(SystemError) -> FileDescriptor {
    var address = sockaddr_un()
    let length = try SystemCall.bind.check(cl_unix_address(path, &address), path)
    let socket = try make(path)
    _ = try SystemCall.bind.check(cl_bind(socket.rawValue, &address, socklen_t(length)), path)
    if path.utf8.first != UInt8(ascii: "@") {
      do throws(SystemError) {
        _ = try SystemCall.chmod.check(cl_chmod(path, mode), path)
      } catch {
        _ = cl_unlink(path)
        throw error
      }
    }
    _ = try SystemCall.listen.check(cl_listen(socket.rawValue, backlog), path)
    return socket
  }

  /// Connects to a listening socket; never waits.
  ///
  /// - Throws: connect: ENOENT, ECONNREFUSED (nobody listens), EACCES, EAGAIN (its queue is full); socket.
  public static func connect(to path: String) throws(SystemError) -> FileDescriptor {
    var address = sockaddr_un()
    let length = try SystemCall.connect.check(cl_unix_address(path, &address), path)
    let socket = try make(path)
    _ = try SystemCall.connect.check(cl_connect(socket.rawValue, &address, socklen_t(length)), path)
    return socket
  }

  /// What `accept` brought.
  public enum Accepted: Sendable, Equatable {
    /// The new connection's descriptor, owned by the caller.
    case connection(Int32)
    /// No (more) connection is waiting.
    case none
    /// One came and went before it was accepted.
    case aborted
  }

  /// - Throws: accept4: EMFILE, ENFILE, ENOBUFS, ENOMEM (too many open; the connection stays in the queue).
  public static func accept(_ listener: Int32) throws(SystemError) -> Accepted {
    let result = cl_accept(listener)
    if result >= 0 { return .connection(Int32(result)) }
    switch Int32(-result) {
    case EAGAIN: return .none
    case ECONNABORTED, EPROTO, EPERM: return .aborted
    case let error: throw SystemError(.accept, errno: error, subject: "descriptor \(listener)")
    }
  }

  /// Sends no more: the peer reads what was sent, then the end. A peer that is gone already is no error.
  public static func finishSending(_ fd: Int32) { _ = shutdown(fd, Int32(SHUT_WR)) }

  /// A connected pair; the caller owns both.
  public static func pair() throws(SystemError) -> (Int32, Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) {
      cl_socketpair(Int32(SOCK_STREAM.rawValue), $0.bindMemory(to: Int32.self).baseAddress)
    }
    _ = try SystemCall.socketpair.check(result, "socket pair")
    return ends
  }

  /// Source: SO_PEERCRED in unix(7).
  public static func peer(of fd: Int32) throws(SystemError) -> Peer {
    var credentials = cl_credentials()
    _ = try SystemCall.getsockopt.check(cl_peer_credentials(fd, &credentials), "descriptor \(fd)")
    return Peer(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
  }

  /// The peer's supplementary groups, as of its `connect`. Source: SO_PEERGROUPS in socket(7).
  public static func groups(of fd: Int32) throws(SystemError) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    while true {
      var count = 0
      let result = cl_peer_groups(fd, &groups, groups.count, &count)
      if result == -Int(ERANGE) && count > groups.count && count <= 65536 {
        groups = [UInt32](repeating: 0, count: count)
        continue
      }
      _ = try SystemCall.getsockopt.check(result, "descriptor \(fd)")
      return Array(groups.prefix(count))
    }
  }

  private static func make(_ path: String) throws(SystemError) -> FileDescriptor {
    let result = cl_socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    return FileDescriptor(owning: Int32(try SystemCall.socket.check(result, path)))
  }
}
