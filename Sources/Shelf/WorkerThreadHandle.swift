internal import CLinux
internal import Glibc

/// One thread with a pipe in each direction: one wakes it, the other says that it has something to tell.
final class WorkerThread: Sendable {
  private struct Ends: Sendable {
    var reading: Int32 = -1
    var writing: Int32 = -1
  }

  private let work: Ends
  private let answers: Ends
  private let done: Ends
  private let stop: Ends

  init() {
    work = Self.makePipe()
    answers = Self.makePipe()
    done = Self.makePipe()
    stop = Self.makePipe()
  }

  deinit {
    for ends in [work, answers, done, stop] {
      _ = cl_close(ends.reading)
      _ = cl_close(ends.writing)
    }
  }

  /// A process that has no descriptors left at its start cannot go on.
  private static func makePipe() -> Ends {
    var ends: [Int32] = [-1, -1]
    let result = cl_pipe(&ends)
    precondition(result == 0, "pipe failed (error \(-result)): too many open files?")
    return Ends(reading: ends[0], writing: ends[1])
  }

  var answerDescriptor: Int32 { answers.reading }

  func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(
      Box { [done] in
        body()
        Self.signal(done)
      })
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    // Signals are the first thread's affair: this one begins with all of them blocked.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(&attributes)
    precondition(result == 0, "pthread_create failed (error \(result)): too many threads?")
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func signal(_ ends: Ends) {
    var byte: UInt8 = 1
    // A full pipe wakes as well.
    _ = cl_write(ends.writing, &byte, 1)
  }

  private static func drain(_ ends: Ends) {
    var bytes: [UInt8] = Array(repeating: 0, count: 256)
    while cl_read(ends.reading, &bytes, bytes.count) > 0 {}
  }

  private static func wait(_ ends: Ends, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
    return cl_poll(&entry, 1, milliseconds) > 0
  }

  func wake() { Self.signal(work) }
  func answer() { Self.signal(answers) }
  func clearAnswers() { Self.drain(answers) }

  /// Waits for `wake`, but returns no sooner than after `atLeast` and no later than after `atMost` (-1: no limit).
  /// Ending is not held up by the first.
  func waitForWork(atLeast: Int32, atMost: Int32) {
    if atLeast > 0, Self.wait(stop, milliseconds: atLeast) {
      return
    }
    _ = Self.wait(work, milliseconds: atMost < 0 ? -1 : max(0, atMost - atLeast))
    Self.drain(work)
  }

  /// - Returns: false when the thread has not ended within `milliseconds`.
  func join(milliseconds: Int32) -> Bool {
    Self.signal(stop)
    return Self.wait(done, milliseconds: milliseconds)
  }
}
