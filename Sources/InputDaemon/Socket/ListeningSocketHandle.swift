internal import CLinux
internal import EventLoop
internal import Glibc

/// The socket that clients connect to: systemd's, or one of pagerd's own, taken so that two daemons never share one.
///
/// A lock beside the socket (`pagerd.sock.lock`) is held for as long as the daemon lives, so "is the one that is there
/// dead?" and "replace it" cannot be torn apart by a second start. The lock file stays: removing it would be a race.
struct ListeningSocket: ~Copyable {
  /// What to listen on, empty for systemd's.
  let path: String
  private let descriptor: FileDescriptor
  private let lock: FileDescriptor?
  /// The socket file that was made, so that another one's is not removed.
  private let file: (device: UInt64, inode: UInt64)?

  var rawValue: Int32 { descriptor.rawValue }

  /// Listens on systemd's socket, else `$PAGERD_SOCKET`, else as uid 0 `/run/pagerd/pagerd.sock`, else
  /// `$XDG_RUNTIME_DIR/pagerd.sock`.
  static func open() throws(SocketError) -> ListeningSocket {
    do throws(SystemError) {
      var passed = try ServiceManager.takeListeningSockets()
      if !passed.isEmpty {
        let first = passed.removeFirst()
        for extra in passed { _ = cl_close(extra) }
        return ListeningSocket(path: "", descriptor: FileDescriptor(owning: first), lock: nil, file: nil)
      }
    } catch {
      throw .system(error)
    }
    if let path = Environment["PAGERD_SOCKET"] { return try open(at: path) }
    if cl_user() == 0 {
      // Below systemd the folder is there already (RuntimeDirectory=).
      _ = cl_mkdir("/run/pagerd", 0o755)
      return try open(at: "/run/pagerd/pagerd.sock")
    }
    guard let folder = Environment["XDG_RUNTIME_DIR"] else { throw .noPath }
    return try open(at: folder + "/pagerd.sock")
  }

  /// - Throws: inUse, notASocket, or system: EACCES, ENOENT (no such folder), ENAMETOOLONG.
  static func open(at path: String) throws(SocketError) -> ListeningSocket {
    do throws(SystemError) {
      return try take(path)
    } catch {
      switch (error.call, error.errno) {
      case (.flock, EWOULDBLOCK), (.bind, EADDRINUSE): throw .inUse(path: path)
      case (.stat, ENOTSOCK): throw .notASocket(path: path)
      default: throw .system(error)
      }
    }
  }

  private static func take(_ path: String) throws(SystemError) -> ListeningSocket {
    if path.hasPrefix("@") {
      let descriptor = try UnixSocket.listen(at: path, mode: 0o666)
      return ListeningSocket(path: path, descriptor: descriptor, lock: nil, file: nil)
    }
    let lock = try FileDescriptor.open(path + ".lock", flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    let locked = cl_flock(lock.rawValue, LOCK_EX | LOCK_NB)
    if locked < 0 { throw SystemError(.flock, errno: Int32(-locked), subject: path + ".lock") }
    try clear(path)
    let descriptor = try UnixSocket.listen(at: path, mode: 0o666)
    return ListeningSocket(path: path, descriptor: descriptor, lock: lock, file: identity(path))
  }

  private init(
    path: String, descriptor: consuming FileDescriptor, lock: consuming FileDescriptor?, file: (UInt64, UInt64)?
  ) {
    self.path = path
    self.descriptor = descriptor
    self.lock = lock
    self.file = file
  }

  /// Removes the socket file, if it is still the one that was made here. Systemd's stays.
  func removeFile() {
    guard let file, let current = ListeningSocket.identity(path), current == file else { return }
    _ = cl_unlink(path)
  }

  /// Removes a dead daemon's socket. Whoever holds the lock is the only one who may.
  private static func clear(_ path: String) throws(SystemError) {
    var status = stat()
    let result = cl_stat(path, &status, false)
    if result == -Int(ENOENT) { return }
    if result < 0 { throw SystemError(.stat, errno: Int32(-result), subject: path) }
    guard cl_is_socket(status.st_mode) else { throw SystemError(.stat, errno: ENOTSOCK, subject: path) }
    do throws(SystemError) {
      // Somebody who listens without the lock: an older pagerd, or another program.
      _ = try UnixSocket.connect(to: path)
      throw SystemError(.bind, errno: EADDRINUSE, subject: path)
    } catch {
      switch (error.call, error.errno) {
      case (.connect, ECONNREFUSED), (.connect, ENOENT): break
      // Its queue is full: it lives.
      case (.connect, EAGAIN): throw SystemError(.bind, errno: EADDRINUSE, subject: path)
      default: throw error
      }
    }
    let removed = cl_unlink(path)
    if removed < 0 && removed != -Int(ENOENT) { throw SystemError(.unlink, errno: Int32(-removed), subject: path) }
  }

  private static func identity(_ path: String) -> (device: UInt64, inode: UInt64)? {
    var status = stat()
    guard cl_stat(path, &status, false) >= 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
