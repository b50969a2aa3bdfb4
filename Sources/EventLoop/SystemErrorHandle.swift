internal import CLinux
internal import Glibc

/// A system call that failed: which one, why, and on what.
///
/// The text reads `connect /run/pagerd/pagerd.sock: Connection refused (ECONNREFUSED)`.
public struct SystemError: Error, Sendable, Equatable, Hashable {
  public let call: SystemCall
  /// The positive errno, `ECONNREFUSED`.
  public let errno: Int32
  /// A path, a device or `descriptor 7`.
  public let subject: String

  public init(_ call: SystemCall, errno: Int32, subject: String) {
    self.call = call
    self.errno = errno
    self.subject = subject
  }
}

extension SystemError: CustomStringConvertible {
  public var description: String {
    "\(call) \(subject): \(SystemError.text(of: errno)) (\(SystemError.name(of: errno)))"
  }

  /// `ECONNREFUSED`
  public static func name(of errno: Int32) -> String { String(cString: cl_error_name(errno)) }

  /// `Connection refused`
  public static func text(of errno: Int32) -> String { String(cString: cl_error_text(errno)) }
}

extension SystemCall {
  /// Turns the seam's result (a value, or the negated errno) into a value or an error.
  @inline(__always)
  func check(_ result: Int, _ subject: @autoclosure () -> String) throws(SystemError) -> Int {
    guard result < 0 else { return result }
    throw SystemError(self, errno: Int32(truncatingIfNeeded: -result), subject: subject())
  }
}
