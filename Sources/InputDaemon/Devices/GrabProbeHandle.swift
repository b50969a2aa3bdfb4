internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc

/// Reads along on a clone's node: what the desktop does with its lights and sounds and, until it has been seen once,
/// whatever the clone sends, to notice when another program grabs the clone.
///
/// The kernel tells nobody of a grab, but whoever does not have it gets no events any more; a suspicion is proved by
/// trying to grab. Events that are not shown are not even queued, so reading along costs the event path next to nothing.
struct CloneWitness: ~Copyable {
  private let descriptor: FileDescriptor

  /// Sees everything.
  ///
  /// - Throws: open: EACCES where udev has not given the node to pagerd yet, ENOENT.
  init(node: String) throws(SystemError) {
    descriptor = try FileDescriptor.open(node, flags: O_RDONLY)
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// Shows everything from now on, or lights and sounds only.
  ///
  /// - Returns: false when the kernel cannot (before 4.4).
  @discardableResult
  func show(everything: Bool) -> Bool {
    var types: UInt64 = everything ? .max : 1 << UInt64(EV_LED) | 1 << UInt64(EV_SND)
    return withUnsafePointer(to: &types) { types in
      var mask = ev_mask_types(types)
      return cl_ioctl(descriptor.rawValue, ev_request_set_mask(), &mask) >= 0
    }
  }

  /// Reads what is there, at most the buffer's capacity.
  ///
  /// - Returns: how many events came.
  func read(into buffer: borrowing EventBuffer) -> Int {
    buffer.fill(from: descriptor.rawValue)
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
