import CLinux
import Glibc
import Testing

@testable import EventLoop

@Suite struct SocketTests {
  private func path() -> String { "/tmp/pagerd-socket-\(getpid())-\(UInt64.random(in: 0 ... .max))" }

  @Test func thePeerIsWhoConnected() throws {
    let path = path()
    defer { unlink(path) }
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path)
    guard case .connection(let fd) = try UnixSocket.accept(listener.rawValue) else {
      Issue.record("nobody came")
      return
    }
    let peer = try UnixSocket.peer(of: fd)
    #expect(peer == UnixSocket.Peer(pid: getpid(), uid: getuid(), gid: getgid()))
    #expect(try UnixSocket.groups(of: fd).count == Int(getgroups(0, nil)))
    #expect(try UnixSocket.accept(listener.rawValue) == .none)
    for descriptor in [fd, client.rawValue, listener.rawValue] {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
    }
    close(fd)
  }

  @Test(arguments: [(0o666, 0o666), (0o600, 0o600)] as [(UInt32, UInt32)])
  func theModeIsTheOneThatWasAskedFor(_ mode: UInt32, _ expected: UInt32) throws {
    let path = path()
    defer { unlink(path) }
    let listener = try UnixSocket.listen(at: path, mode: mode)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == expected)
    withExtendedLifetime(listener.rawValue) {}
  }

  @Test func aPathThatIsTooLongSaysSo() {
    let path = "/tmp/" + String(repeating: "x", count: 110)
    #expect(throws: SystemError(.bind, errno: ENAMETOOLONG, subject: path)) {
      _ = try UnixSocket.listen(at: path, mode: 0o600)
    }
    #expect(throws: SystemError(.connect, errno: ENAMETOOLONG, subject: path)) {
      _ = try UnixSocket.connect(to: path)
    }
  }

  @Test func whatIsThereIsNotTouched() throws {
    let path = path()
    defer { unlink(path) }
    #expect(creat(path, 0o600) >= 0)
    #expect(throws: SystemError(.bind, errno: EADDRINUSE, subject: path)) {
      _ = try UnixSocket.listen(at: path, mode: 0o600)
    }
    #expect(access(path, F_OK) == 0)
  }

  @Test func aDescriptorIsClosedWithItsOwnerAndOnlyOnce() throws {
    var number: Int32 = -1
    do {
      let descriptor = try FileDescriptor.open("/dev/null", flags: O_RDONLY)
      number = descriptor.rawValue
      #expect(fcntl(number, F_GETFD) >= 0)
    }
    let released = try FileDescriptor.open("/dev/null", flags: O_RDONLY).release()
    #expect(fcntl(released, F_GETFD) >= 0)
    close(released)
  }

  @Test func readingAppendsWhatIsThereAndNotMore() throws {
    let pipe = try PipePair()
    var bytes: [UInt8] = [9]
    #expect(try Descriptor.read(pipe.reader.rawValue, appendingTo: &bytes) == .wouldBlock)
    #expect(bytes == [9])
    pipe.write([1, 2, 3])
    #expect(try Descriptor.read(pipe.reader.rawValue, appendingTo: &bytes, limit: 2) == .bytes(2))
    #expect(bytes == [9, 1, 2])
  }

  @Test func theEndOfAPipeIsItsEnd() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    close(writing)
    var bytes: [UInt8] = []
    #expect(try Descriptor.read(reading, appendingTo: &bytes) == .closed)
    close(reading)
  }
}

/// These change the environment, which is one for all: one after the other.
@Suite(.serialized) struct ServiceManagerTests {
  @Test(arguments: [true, false]) func notifyIsOneDatagram(_ isAbstract: Bool) throws {
    let name = "pagerd-notify-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let path = isAbstract ? "@" + name : "/tmp/" + name
    defer { unlink(path) }
    var address = sockaddr_un()
    let length = cl_unix_address(path, &address)
    let socket = FileDescriptor(owning: Int32(cl_socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)))
    #expect(cl_bind(socket.rawValue, &address, socklen_t(length)) == 0)
    setenv("NOTIFY_SOCKET", path, 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(try ServiceManager.notify("READY=1\nSTATUS=…"))
    var bytes: [UInt8] = []
    _ = try Descriptor.receive(socket.rawValue, appendingTo: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "READY=1\nSTATUS=…")
  }

  @Test func withoutAManagerNothingIsSaid() throws {
    unsetenv("NOTIFY_SOCKET")
    #expect(try !ServiceManager.notify("READY=1"))
    setenv("NOTIFY_SOCKET", "relative", 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(try !ServiceManager.notify("READY=1"))
  }

  @Test func aManagerThatIsGoneIsAnErrorAndNotACrash() {
    setenv("NOTIFY_SOCKET", "/tmp/pagerd-nobody-listens-here", 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(throws: SystemError(.send, errno: ENOENT, subject: "/tmp/pagerd-nobody-listens-here")) {
      try ServiceManager.notify("READY=1")
    }
  }

  @Test(
    arguments: [
      (nil, "1"), ("1", "1"), ("self", nil), ("self", "0"), ("self", "x"), ("self", "-1"), ("self", "9999999999"),
    ] as [(String?, String?)])
  func socketsOfSomebodyElseAreNotTaken(_ pid: String?, _ count: String?) throws {
    if let pid { setenv("LISTEN_PID", pid == "self" ? "\(getpid())" : pid, 1) }
    if let count { setenv("LISTEN_FDS", count, 1) }
    #expect(try ServiceManager.takeListeningSockets() == [])
    #expect(getenv("LISTEN_PID") == nil)
    #expect(getenv("LISTEN_FDS") == nil)
  }

  @Test(
    arguments: [
      ("5000000", nil, 2_500_000), ("5000000", "1", nil), ("0", nil, nil), ("x", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, UInt64?)])
  func theWatchdogsIntervalIsHalfOfItsPatience(_ patience: String?, _ pid: String?, _ expected: UInt64?) {
    if let patience { setenv("WATCHDOG_USEC", patience, 1) }
    if let pid { setenv("WATCHDOG_PID", pid, 1) }
    defer {
      unsetenv("WATCHDOG_USEC")
      unsetenv("WATCHDOG_PID")
    }
    #expect(ServiceManager.watchdogInterval == expected)
  }
}
