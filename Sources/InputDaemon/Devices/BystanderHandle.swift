internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc
internal import PageKeys

/// A second reader of a device that pagerd takes: it sees exactly what everybody else sees.
///
/// The kernel does not say at which event a grab began. Whatever is in our queue and not in the bystander's reached
/// nobody but us. Nobody waits for it, so it costs no wake-up; while the device is held it sees nothing.
struct Bystander: ~Copyable {
  private let descriptor: FileDescriptor

  /// - Throws: open: as for the device itself; ioctl: no monotonic clock.
  init(path: String) throws(SystemError) {
    let descriptor = try FileDescriptor.open(path, flags: O_RDONLY)
    var clock = CLOCK_MONOTONIC
    let result = cl_ioctl(descriptor.rawValue, ev_request_set_clock(), &clock)
    guard result >= 0 else { throw SystemError(.ioctl, errno: Int32(truncatingIfNeeded: -result), subject: path) }
    self.descriptor = descriptor
  }

  /// Forgets what was seen so far.
  func forget(with buffer: borrowing EventBuffer) {
    while buffer.fill(from: descriptor.rawValue) == buffer.capacity {}
  }

  /// Takes what was seen since. Allocates.
  func takeSeen(with buffer: borrowing EventBuffer) -> [InputEvent] {
    var seen: [InputEvent] = []
    while true {
      let count = buffer.fill(from: descriptor.rawValue)
      for index in 0..<count { seen.append(buffer.event(index)) }
      if count < buffer.capacity { return seen }
    }
  }
}
