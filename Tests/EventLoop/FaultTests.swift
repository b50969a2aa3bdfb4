import CLinux
import Glibc
import Testing

@testable import EventLoop

/// A call that fails, and what the room makes of it.
private struct Fault: Sendable, CustomTestStringConvertible {
  let call: SystemCall
  let errno: Int32
  let action: @Sendable () throws -> String
  let expected: String

  init(_ call: SystemCall, _ errno: Int32, _ expected: String, _ action: @escaping @Sendable () throws -> String) {
    self.call = call
    self.errno = errno
    self.action = action
    self.expected = expected
  }

  var testDescription: String { "\(call) \(SystemError.name(of: errno))" }
}

private func loop() throws -> String {
  _ = try EventLoop()
  return "a loop"
}

private func turn() throws -> String { "\(try EventLoop(time: .manual(start: 0)).turn(milliseconds: 0))" }

private func arm() throws -> String {
  let loop = try EventLoop()
  let timer = loop.makeTimer {}
  timer.deadline = loop.now + 1_000_000
  try loop.turn(milliseconds: 0)
  return "armed"
}

private func open() throws -> String {
  _ = try FileDescriptor.open("/dev/null", flags: O_RDWR)
  return "open"
}

private func read() throws -> String {
  let pipe = try PipePair()
  pipe.write([1, 2, 3])
  var bytes: [UInt8] = []
  let transfer = try Descriptor.read(pipe.reader.rawValue, appendingTo: &bytes)
  return "\(transfer) \(bytes)"
}

private func write() throws -> String {
  let pipe = try PipePair()
  return "\(try [UInt8](repeating: 7, count: 9).withUnsafeBytes { try Descriptor.write(pipe.writer.rawValue, $0) })"
}

private func withSockets(_ body: (Int32, Int32) throws -> String) throws -> String {
  let (one, other) = try UnixSocket.pair()
  defer {
    close(one)
    close(other)
  }
  return try body(one, other).replacing("descriptor \(one)", with: "descriptor N")
}

private func send() throws -> String { try withSockets { one, _ in "\(try Descriptor.send(one, [1, 2, 3]))" } }

private func receive() throws -> String {
  try withSockets { one, other in
    _ = cl_send(other, "abc", 3)
    var bytes: [UInt8] = []
    let transfer = try Descriptor.receive(one, appendingTo: &bytes)
    return "\(transfer) \(bytes)"
  }
}

private func peer() throws -> String { try withSockets { one, _ in "\(try UnixSocket.peer(of: one).uid)" } }

private func groups() throws -> String {
  try withSockets { one, _ in
    _ = try UnixSocket.groups(of: one)
    return "groups"
  }
}

private func listen() throws -> String {
  let path = "/tmp/pagerd-fault-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"
  defer { unlink(path) }
  do {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    _ = try UnixSocket.connect(to: path)
    return "\(try UnixSocket.accept(listener.rawValue) == .none ? "nobody" : "somebody")"
  } catch {
    var status = stat()
    let remains = lstat(path, &status) == 0
    throw SystemError(error.call, errno: error.errno, subject: remains ? "left a file" : "left nothing")
  }
}

private func accept() throws -> String {
  let path = "@pagerd-fault-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  let listener = try UnixSocket.listen(at: path, mode: 0o600)
  let client = try UnixSocket.connect(to: path)
  defer { withExtendedLifetime(client.rawValue) {} }
  switch try UnixSocket.accept(listener.rawValue) {
  case .connection(let fd):
    close(fd)
    return "accepted"
  case .none: return "none"
  case .aborted: return "aborted"
  }
}

private func signals() throws -> String {
  let loop = try EventLoop()
  try loop.handleSignals([SIGUSR2]) { _ in }
  return "signals"
}

private let faults: [Fault] = [
  // Interrupted calls are made again, all of them, in one place.
  Fault(.open, EINTR, "open", open),
  Fault(.read, EINTR, "bytes(3) [1, 2, 3]", read),
  Fault(.write, EINTR, "bytes(9)", write),
  Fault(.send, EINTR, "bytes(3)", send),
  Fault(.receive, EINTR, "bytes(3) [97, 98, 99]", receive),
  Fault(.accept, EINTR, "accepted", accept),
  Fault(.connect, EINTR, "somebody", listen),
  Fault(.epollWait, EINTR, "0", turn),
  // What is no error.
  Fault(.read, EAGAIN, "wouldBlock []", read),
  Fault(.read, ENODEV, "closed []", read),
  Fault(.read, EIO, "closed []", read),
  Fault(.read, ECONNRESET, "closed []", read),
  Fault(.write, EAGAIN, "wouldBlock", write),
  Fault(.write, EPIPE, "closed", write),
  Fault(.write, ENODEV, "closed", write),
  Fault(.send, EAGAIN, "wouldBlock", send),
  Fault(.send, EPIPE, "closed", send),
  Fault(.send, ECONNRESET, "closed", send),
  Fault(.receive, EAGAIN, "wouldBlock []", receive),
  Fault(.receive, ECONNRESET, "closed []", receive),
  Fault(.accept, EAGAIN, "none", accept),
  Fault(.accept, ECONNABORTED, "aborted", accept),
  Fault(.accept, EPROTO, "aborted", accept),
  Fault(.close, EIO, "open", open),
  // What is one.
  Fault(.open, EACCES, "open /dev/null: Permission denied (EACCES)", open),
  Fault(.open, EMFILE, "open /dev/null: Too many open files (EMFILE)", open),
  Fault(.read, EFAULT, "read", read),
  Fault(.read, EBADF, "read", read),
  Fault(.read, ENOMEM, "read", read),
  Fault(.write, ENOSPC, "write", write),
  Fault(.write, EIO, "write", write),
  Fault(.send, ENOBUFS, "send", send),
  Fault(.send, EMSGSIZE, "send", send),
  Fault(.receive, ENOMEM, "recv", receive),
  Fault(.accept, EMFILE, "accept4", accept),
  Fault(.accept, ENFILE, "accept4", accept),
  Fault(.accept, ENOMEM, "accept4", accept),
  Fault(.getsockopt, EINVAL, "getsockopt", peer),
  Fault(.getsockopt, ENOTSOCK, "getsockopt", groups),
  Fault(.socket, EMFILE, "socket left nothing: Too many open files (EMFILE)", listen),
  Fault(.bind, EADDRINUSE, "bind left nothing: Address already in use (EADDRINUSE)", listen),
  Fault(.chmod, EPERM, "chmod left nothing: Operation not permitted (EPERM)", listen),
  Fault(.connect, ECONNREFUSED, "connect left a file: Connection refused (ECONNREFUSED)", listen),
  Fault(.epollCreate, EMFILE, "epoll_create1 epoll: Too many open files (EMFILE)", loop),
  Fault(.timerCreate, ENFILE, "timerfd_create timer: Too many open files in system (ENFILE)", loop),
  Fault(.epollControl, ENOMEM, "epoll_ctl", loop),
  Fault(.epollWait, EBADF, "epoll_wait epoll: Bad file descriptor (EBADF)", turn),
  Fault(.timerSet, EINVAL, "timerfd_settime timer: Invalid argument (EINVAL)", arm),
  Fault(.signalMask, EINVAL, "pthread_sigmask signals: Invalid argument (EINVAL)", signals),
  Fault(.signalCreate, EMFILE, "signalfd signals: Too many open files (EMFILE)", signals),
]

@Suite struct FaultTests {
  /// The call fails once. Afterwards the same action goes through: nothing was left in a bad state.
  @Test(arguments: faults) fileprivate func fault(_ fault: Fault) throws {
    Faults.inject(fault.call, errno: fault.errno)
    defer { Faults.clear() }
    var result: String
    do {
      result = try fault.action()
    } catch let error as SystemError {
      #expect(error.call == fault.call)
      #expect(error.errno == fault.errno)
      result = error.description
    }
    #expect(result.hasPrefix(fault.expected), "\(result)")
    #expect(Faults.count(fault.call) > 0)
    Faults.clear()
    _ = try fault.action()
  }

  @Test func aShortWriteIsNotTheWhole() throws {
    Faults.shorten(.send, to: 2)
    defer { Faults.clear() }
    #expect(try send() == "bytes(2)")
  }

  @Test func theTableNamesEveryCallByTheNumberOfTheSeam() {
    #expect(SystemCall.allCases.count == Int(CL_CALL_COUNT.rawValue) - 1)
    #expect(SystemCall.fsync.rawValue == CL_FSYNC.rawValue)
    #expect(SystemCall.accept.rawValue == CL_ACCEPT.rawValue)
    #expect(SystemCall.epollWait.rawValue == CL_EPOLL_WAIT.rawValue)
    #expect(SystemCall.unlink.rawValue == CL_UNLINK.rawValue)
  }
}
