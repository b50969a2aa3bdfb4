internal import CLinux
internal import Glibc

/// A descriptor that is closed once: when its owner is gone.
///
/// Closing a descriptor that is not open (EBADF) traps: it means that somebody else's was closed before.
public struct FileDescriptor: ~Copyable, Sendable {
  public let rawValue: Int32

  /// Takes over a descriptor that nobody else closes.
  public init(owning rawValue: Int32) {
    precondition(rawValue >= 0, "descriptor \(rawValue)")
    self.rawValue = rawValue
  }

  deinit {
    let result = cl_close(rawValue)
    precondition(result != -Int(EBADF), "descriptor \(rawValue) was closed twice")
  }

  /// Gives the descriptor up without closing it; the caller owns it now.
  public consuming func release() -> Int32 {
    let rawValue = rawValue
    discard self
    return rawValue
  }
}

/// How a transfer ended that is no error.
public enum Transfer: Sendable, Equatable {
  /// So many bytes, at least one (or none of none).
  case bytes(Int)
  /// Nothing now: the loop says when.
  case wouldBlock
  /// End of file; the peer or the device is gone (EPIPE, ECONNRESET, ENODEV, and EIO of a terminal's read).
  case closed
}

extension FileDescriptor {
  /// Opens close-on-exec and non-blocking; a terminal never becomes the controlling one.
  ///
  /// - Parameter flags: `O_RDONLY`, `O_RDWR | O_CREAT` …
  /// - Throws: open, with `path`.
  public static func open(_ path: String, flags: Int32, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: Int32(try SystemCall.open.check(cl_open(path, flags, mode), path)))
  }

  /// A pipe's ends, reading first.
  public static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { cl_pipe($0.bindMemory(to: Int32.self).baseAddress) }
    _ = try SystemCall.pipe.check(result, "pipe")
    return ends
  }
}

/// Transfers on descriptors that somebody else owns.
public enum Descriptor {
  /// Reads what is there, at most the buffer's size. Never waits, never allocates.
  ///
  /// - Throws: read; not for EAGAIN, the end, or a device that is gone.
  public static func read(_ fd: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Transfer {
    let result = cl_read(fd, buffer.baseAddress, buffer.count)
    if result == 0 && buffer.count > 0 { return .closed }
    return try outcome(result, .read, fd)
  }

  /// Appends up to `limit` bytes to `buffer`.
  public static func read(
    _ fd: Int32, appendingTo buffer: inout [UInt8], limit: Int = 4096
  ) throws(SystemError) -> Transfer {
    try append(to: &buffer, limit: limit) { buffer throws(SystemError) in try read(fd, into: buffer) }
  }

  /// - Throws: write; not for EAGAIN or a reader that is gone. SIGPIPE is the caller's matter.
  public static func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Transfer {
    try outcome(cl_write(fd, buffer.baseAddress, buffer.count), .write, fd)
  }

  /// Receives from a socket without waiting and appends up to `limit` bytes to `buffer`.
  public static func receive(
    _ fd: Int32, appendingTo buffer: inout [UInt8], limit: Int = 4096
  ) throws(SystemError) -> Transfer {
    try append(to: &buffer, limit: limit) { buffer throws(SystemError) in
      let result = cl_receive(fd, buffer.baseAddress, buffer.count)
      return result == 0 ? .closed : try outcome(result, .receive, fd)
    }
  }

  /// Sends without waiting and without SIGPIPE; may send less than all.
  public static func send(_ fd: Int32, _ bytes: [UInt8], from start: Int = 0) throws(SystemError) -> Transfer {
    let result = bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
      return cl_send(fd, rest.baseAddress, rest.count)
    }
    return try outcome(result, .send, fd)
  }

  /// Sends what is lent, as the other form does.
  public static func send(_ fd: Int32, lent bytes: UnsafeBufferPointer<UInt8>) throws(SystemError) -> Transfer {
    try outcome(cl_send(fd, bytes.baseAddress, bytes.count), .send, fd)
  }

  /// The errno of a connection that was being made, 0 when it stands.
  public static func pendingError(_ fd: Int32) throws(SystemError) -> Int32 {
    Int32(try SystemCall.getsockopt.check(cl_socket_error(fd), "descriptor \(fd)"))
  }

  @inline(__always)
  private static func outcome(_ result: Int, _ call: SystemCall, _ fd: Int32) throws(SystemError) -> Transfer {
    if result >= 0 { return .bytes(result) }
    let error = Int32(truncatingIfNeeded: -result)
    switch error {
    case EAGAIN: return .wouldBlock
    case EPIPE, ECONNRESET, ENODEV: return .closed
    case EIO where call == .read: return .closed
    default: throw SystemError(call, errno: error, subject: "descriptor \(fd)")
    }
  }

  @inline(__always)
  private static func append(
    to buffer: inout [UInt8], limit: Int,
    _ body: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Transfer
  ) throws(SystemError) -> Transfer {
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: limit))
    var result: Result<Transfer, SystemError> = .success(.wouldBlock)
    buffer.withUnsafeMutableBytes { bytes in
      do throws(SystemError) {
        result = .success(try body(UnsafeMutableRawBufferPointer(rebasing: bytes[start...])))
      } catch {
        result = .failure(error)
      }
    }
    var kept = 0
    if case .success(.bytes(let count)) = result { kept = count }
    buffer.removeLast(limit - kept)
    return try result.get()
  }
}
