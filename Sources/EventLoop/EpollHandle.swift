internal import CLinux
internal import Glibc

/// One epoll instance and the batch of events that it last returned.
struct Epoll: ~Copyable {
  private let descriptor: FileDescriptor
  private let batch: UnsafeMutablePointer<cl_event>

  struct Event {
    let fd: Int32
    let registration: UInt32
    let readiness: Readiness
  }

  init() throws(SystemError) {
    descriptor = FileDescriptor(owning: Int32(try SystemCall.epollCreate.check(cl_epoll_create(), "epoll")))
    batch = .allocate(capacity: Int(CL_EPOLL_BATCH))
  }

  deinit { batch.deallocate() }

  func add(_ fd: Int32, registration: UInt32, _ interest: Interest) throws(SystemError) {
    try control(EPOLL_CTL_ADD, fd, registration, interest)
  }

  func modify(_ fd: Int32, registration: UInt32, _ interest: Interest) throws(SystemError) {
    try control(EPOLL_CTL_MOD, fd, registration, interest)
  }

  /// A descriptor that is closed already is no error: the kernel has forgotten it.
  func remove(_ fd: Int32) { _ = cl_epoll_ctl(descriptor.rawValue, EPOLL_CTL_DEL, fd, 0, 0) }

  /// - Returns: the number of events in the batch.
  func wait(milliseconds: Int32) throws(SystemError) -> Int {
    let result = cl_epoll_wait(descriptor.rawValue, batch, CL_EPOLL_BATCH, milliseconds)
    return try SystemCall.epollWait.check(result, "epoll")
  }

  @inline(__always)
  func event(_ index: Int) -> Event {
    let event = batch[index]
    return Event(fd: event.fd, registration: event.registration, readiness: Readiness(epoll: event.events))
  }

  private func control(
    _ operation: Int32, _ fd: Int32, _ registration: UInt32, _ interest: Interest
  ) throws(SystemError) {
    let result = cl_epoll_ctl(descriptor.rawValue, operation, fd, registration, interest.epoll)
    _ = try SystemCall.epollControl.check(result, "descriptor \(fd)")
  }
}

extension Interest {
  fileprivate var epoll: UInt32 {
    var events: UInt32 = 0
    if contains(.readable) { events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
    if contains(.writable) { events |= EPOLLOUT.rawValue }
    if contains(.priority) { events |= EPOLLPRI.rawValue }
    if contains(.edge) { events |= EPOLLET.rawValue }
    return events
  }
}

extension Readiness {
  @inline(__always)
  fileprivate init(epoll events: UInt32) {
    // EPOLLIN, EPOLLPRI, EPOLLOUT, EPOLLERR and EPOLLHUP are the lowest five bits on every machine; EPOLLRDHUP is 0x2000.
    self.init(rawValue: UInt8(truncatingIfNeeded: events & 0x1F | (events & EPOLLRDHUP.rawValue) >> 8))
  }
}
