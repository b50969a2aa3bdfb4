internal import CLinux
internal import Glibc

/// What systemd, or whoever speaks its protocol, hands to a service and wants to hear from it.
public enum ServiceManager {
  /// Sends one datagram (`READY=1`, `WATCHDOG=1`, `STATUS=…`) to `$NOTIFY_SOCKET`; without it nothing happens.
  ///
  /// - Returns: whether somebody listens.
  /// - Throws: socket, connect, send. Source: sd_notify(3), "Standalone Implementations".
  @discardableResult
  public static func notify(_ state: String) throws(SystemError) -> Bool {
    guard let path = Environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return false }
    var address = sockaddr_un()
    let length = try SystemCall.connect.check(cl_unix_address(path, &address), path)
    let result = cl_socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let socket = FileDescriptor(owning: Int32(try SystemCall.socket.check(result, path)))
    var text = state
    let sent = text.withUTF8 {
      cl_send_to(socket.rawValue, $0.baseAddress, $0.count, &address, socklen_t(length))
    }
    _ = try SystemCall.send.check(sent, path)
    return true
  }

  /// Half of the time in which the manager wants a sign of life, in µs; nil: it wants none.
  public static var watchdogInterval: UInt64? {
    guard let text = Environment["WATCHDOG_USEC"], let microseconds = UInt64(text), microseconds > 0 else { return nil }
    if let pid = Environment["WATCHDOG_PID"], Int32(pid) != cl_process() { return nil }
    return microseconds / 2
  }

  /// The descriptors that were passed by socket activation, close-on-exec and non-blocking, owned by the caller.
  ///
  /// The variables are taken out of the environment, so that no child believes them its own.
  /// Source: sd_listen_fds(3).
  public static func takeListeningSockets() throws(SystemError) -> [Int32] {
    defer {
      for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    }
    guard let pid = Environment["LISTEN_PID"], Int32(pid) == cl_process(),
      let text = Environment["LISTEN_FDS"], let count = Int32(text), (1...64).contains(count)
    else { return [] }
    var sockets: [Int32] = []
    for fd in 3..<(3 + count) {
      let flags = try SystemCall.fcntl.check(cl_fcntl(fd, F_GETFL, 0), "descriptor \(fd)")
      _ = try SystemCall.fcntl.check(cl_fcntl(fd, F_SETFL, Int32(flags) | O_NONBLOCK), "descriptor \(fd)")
      _ = try SystemCall.fcntl.check(cl_fcntl(fd, F_SETFD, FD_CLOEXEC), "descriptor \(fd)")
      if try SystemCall.getsockopt.check(cl_is_listening(fd), "descriptor \(fd)") == 1 { sockets.append(fd) }
    }
    return sockets
  }
}

/// The process's environment.
public enum Environment {
  /// nil when it is unset or empty.
  public static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
