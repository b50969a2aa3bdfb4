internal import CLinux
internal import EventLoop

/// Lets the kernel wait elsewhere: calls that block for long are made on a thread of their own, one each, and their
/// answers come back through the loop.
///
/// The input path takes no part in it: no thread ever touches anything but the one call that it was made for.
final class Aside {
  private final class Job {
    let call: UnsafeMutablePointer<cl_aside>
    let finish: (Int) -> Void

    init(_ call: cl_aside, finish: @escaping (Int) -> Void) {
      self.call = .allocate(capacity: 1)
      self.call.initialize(to: call)
      self.finish = finish
    }

    // At the end of the process a thread may still be about to write to it.
    deinit { if cl_aside_done(call) { call.deallocate() } }
  }

  private let loop: EventLoop
  private let wake: FileDescriptor
  private var registration: EventLoop.Registration?
  private var jobs: [Job] = []

  /// - Throws: what eventfd or epoll_ctl met.
  init(loop: EventLoop) throws(SystemError) {
    self.loop = loop
    let fd = cl_eventfd()
    guard fd >= 0 else { throw SystemError(.open, errno: Int32(truncatingIfNeeded: -fd), subject: "eventfd") }
    wake = FileDescriptor(owning: Int32(truncatingIfNeeded: fd))
    registration = try loop.add(wake.rawValue, .readable) { [unowned self] _ in collect() }
  }

  deinit {
    if let registration { loop.remove(registration) }
  }

  /// Calls ioctl beside the loop; if no thread can be made, here and now.
  ///
  /// - Parameters:
  ///   - argument: what it points to must live until `finish`, as must the descriptor.
  ///   - finish: is handed the result, or the negated errno, on the loop's thread.
  func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?, finish: @escaping (Int) -> Void) {
    let job = Job(
      cl_aside(fd: fd, request: request, argument: argument, wake: wake.rawValue, result: 0, done: 0), finish: finish)
    guard cl_aside_start(job.call) == 0 else {
      // Nothing was started, so nobody else writes to it.
      job.call.pointee.done = 1
      return finish(cl_ioctl(fd, request, argument))
    }
    jobs.append(job)
  }

  private func collect() {
    cl_eventfd_clear(wake.rawValue)
    var finished: [Job] = []
    jobs.removeAll { job in
      guard cl_aside_done(job.call) else { return false }
      finished.append(job)
      return true
    }
    for job in finished { job.finish(job.call.pointee.result) }
  }
}
