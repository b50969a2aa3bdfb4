internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc

/// Finds out whether somebody has grabbed an event node: the kernel tells only whoever tries.
enum GrabProbe {
  /// Grabs the node and lets it go at once. Blocks for some 70 ms when it could.
  ///
  /// - Returns: true when another descriptor has grabbed it; false also when it cannot be opened.
  static func isGrabbed(_ path: String) -> Bool {
    guard let descriptor = try? FileDescriptor.open(path, flags: O_RDONLY) else { return false }
    let result = cl_ioctl_value(descriptor.rawValue, ev_request_grab(), 1)
    guard result >= 0 else { return result == -Int(EBUSY) }
    _ = cl_ioctl_value(descriptor.rawValue, ev_request_grab(), 0)
    return false
  }
}
