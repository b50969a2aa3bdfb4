internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc

/// Reads along what a clone sends, to notice when another program grabs the clone.
///
/// The kernel tells nobody of a grab, but whoever does not have it gets no events any more. The witness's queue is
/// looked at rarely, so reading along costs the event path nothing; only a suspicion is proved by trying to grab.
struct CloneWitness: ~Copyable {
  private let descriptor: FileDescriptor

  /// - Throws: open: EACCES where udev has not given the node to pagerd yet, ENOENT.
  init(node: String) throws(SystemError) {
    descriptor = try FileDescriptor.open(node, flags: O_RDONLY)
  }

  /// Empties the queue.
  ///
  /// - Returns: whether anything was in it.
  func sawEvents(_ buffer: borrowing EventBuffer) -> Bool {
    var hasSeen = false
    while true {
      let count = cl_read(descriptor.rawValue, buffer.storage, buffer.byteCount)
      guard count > 0 else { return hasSeen }
      hasSeen = true
      if count < buffer.byteCount { return true }
    }
  }

  /// Tries to grab the clone and lets it go at once; that blocks for some 35 ms when it could.
  ///
  /// - Returns: whether somebody else has grabbed it.
  var isGrabbedByOther: Bool {
    let result = cl_ioctl_value(descriptor.rawValue, ev_request_grab(), 1)
    guard result >= 0 else { return result == -Int(EBUSY) }
    _ = cl_ioctl_value(descriptor.rawValue, ev_request_grab(), 0)
    return false
  }
}
