/// One thread's loop: descriptors, deadlines and signals.
///
/// A wake-up handles, in this order: peers that have gone, input devices, timers that are due, all other descriptors,
/// then the end-of-batch hooks (which write the sockets). With no deadline set and nothing ready the process sleeps
/// without any wake-up. Handling an event allocates nothing.
public final class EventLoop {
  /// Where the time comes from.
  public enum TimeSource: Sendable {
    case monotonic
    /// Time stands still until `advance(to:)`; in µs.
    case manual(start: UInt64)
  }

  /// Names one `add`; a later registration of the same descriptor number has another.
  public struct Registration: Sendable, Hashable {
    let fd: Int32
    let id: UInt32
  }

  private struct Slot {
    let id: UInt32
    let urgency: Urgency
    let handler: (Readiness) -> Void
  }

  private let epoll: Epoll
  private var timerDescriptor: TimerDescriptor
  private var slots: [Slot?] = []
  private var lastID: UInt32 = 0
  private let timers = TimerList()
  private let batchEnds = BatchEndList()
  private var manualTime: UInt64?
  private var isRunning = false
  private var signals: SignalDescriptor?

  /// The registration of the timer descriptor; every other one has a number above it.
  private static let timerID: UInt32 = 0

  /// - Throws: epoll_create1, timerfd_create, epoll_ctl.
  public init(time: TimeSource = .monotonic) throws(SystemError) {
    epoll = try Epoll()
    timerDescriptor = try TimerDescriptor()
    if case .manual(let start) = time { manualTime = start }
    try epoll.add(timerDescriptor.rawValue, registration: EventLoop.timerID, .readable)
  }

  deinit {
    timers.removeAll()
    batchEnds.removeAll()
  }

  /// The time in µs: CLOCK_MONOTONIC, or the manual time.
  public var now: UInt64 { manualTime ?? MonotonicClock.microseconds }

  // MARK: Descriptors

  /// Calls `handler` whenever `fd` is ready (level-triggered unless `interest` says otherwise), until `remove`. The
  /// caller keeps the descriptor and removes the registration before closing it.
  ///
  /// - Throws: epoll_ctl: EPERM for what cannot be waited for (a regular file, /dev/null), EEXIST, ENOSPC.
  @discardableResult
  public func add(
    _ fd: Int32, _ interest: Interest, urgency: Urgency = .normal, handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    lastID = lastID == .max ? 1 : lastID + 1
    try epoll.add(fd, registration: lastID, interest)
    let index = Int(fd)
    if index >= slots.count { slots.append(contentsOf: repeatElement(nil, count: index + 1 - slots.count)) }
    slots[index] = Slot(id: lastID, urgency: urgency, handler: handler)
    return Registration(fd: fd, id: lastID)
  }

  /// Changes what the registration waits for.
  ///
  /// - Throws: epoll_ctl. A registration that was removed is left alone.
  public func modify(_ registration: Registration, _ interest: Interest) throws(SystemError) {
    guard isCurrent(registration) else { return }
    try epoll.modify(registration.fd, registration: registration.id, interest)
  }

  /// Hears nothing of the descriptor, not even of its end, until `resume`: it costs the kernel nothing then. Pausing
  /// twice does nothing.
  public func pause(_ registration: Registration) {
    if isCurrent(registration) { epoll.remove(registration.fd) }
  }

  /// Hears of a paused descriptor again; what is ready already counts.
  ///
  /// - Throws: epoll_ctl: EEXIST for what is not paused, ENOSPC, ENOMEM.
  public func resume(_ registration: Registration, _ interest: Interest) throws(SystemError) {
    guard isCurrent(registration) else { return }
    try epoll.add(registration.fd, registration: registration.id, interest)
  }

  /// Ends a registration; its handler is not called any more, not even for an event of the running wake-up.
  /// Removing twice does nothing.
  public func remove(_ registration: Registration) {
    guard isCurrent(registration) else { return }
    slots[Int(registration.fd)] = nil
    epoll.remove(registration.fd)
  }

  private func isCurrent(_ registration: Registration) -> Bool {
    let index = Int(registration.fd)
    return index < slots.count && slots[index]?.id == registration.id
  }

  // MARK: Timers

  /// Makes an idle timer of this loop.
  public func makeTimer(_ handler: @escaping () -> Void) -> Timer {
    timers.add(handler)
  }

  /// The earliest deadline of all timers, in µs.
  public var nextDeadline: UInt64? { timers.nextDeadline }

  /// Moves the manual time on and runs every timer that falls due on the way, in the order of the deadlines.
  public func advance(to time: UInt64) {
    precondition(manualTime != nil, "only a loop with manual time is advanced")
    while let deadline = nextDeadline, deadline <= time {
      manualTime = max(manualTime ?? 0, deadline)
      timers.runDue(at: deadline)
      batchEnds.run()
    }
    manualTime = max(manualTime ?? 0, time)
  }

  /// Moves the manual time on as it does for a process that was stopped: whatever fell due on the way runs once, late.
  public func sleep(to time: UInt64) {
    precondition(manualTime != nil, "only a loop with manual time is put to sleep")
    manualTime = max(manualTime ?? 0, time)
    timers.runDue(at: time)
    batchEnds.run()
  }

  // MARK: Signals

  /// Blocks these signals in the calling thread and hands them to `handler` from inside the loop. Call it once, before
  /// any other thread is started.
  ///
  /// - Throws: pthread_sigmask, signalfd, epoll_ctl.
  public func handleSignals(_ numbers: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
    precondition(signals == nil, "signals are handled in one place")
    let descriptor = try SignalDescriptor(numbers)
    try add(descriptor.rawValue, .readable) { [unowned self] _ in
      while let number = self.signals?.next() { handler(number) }
    }
    signals = consume descriptor
  }

  // MARK: Running

  /// Adds work for the end of every wake-up.
  public func atBatchEnd(_ work: @escaping () -> Void) { batchEnds.add(isAlwaysDue: true, work) }

  /// Makes work for the end of those wake-ups in which it falls due: what was collected is written once.
  public func makeBatchEnd(_ work: @escaping () -> Void) -> BatchEnd { batchEnds.add(isAlwaysDue: false, work) }

  /// Runs until `stop`.
  ///
  /// - Throws: epoll_wait and timerfd_settime; both mean that the process cannot go on.
  public func run() throws(SystemError) {
    isRunning = true
    while isRunning { try turn() }
  }

  /// Lets `run` return after the current wake-up.
  public func stop() { isRunning = false }

  /// One wake-up: waits up to `milliseconds` (-1: without limit, 0: not at all) and handles what is ready.
  ///
  /// - Returns: the number of descriptors that were ready.
  @discardableResult
  public func turn(milliseconds: Int32 = -1) throws(SystemError) -> Int {
    if timers.hasChanged && manualTime == nil {
      timers.hasChanged = false
      try timerDescriptor.arm(timers.nextDeadline)
    }
    let count = try epoll.wait(milliseconds: milliseconds)
    var timerIsDue = false
    var inputWasReady = false
    var othersAreReady = false
    if count > 1, finishEndings(of: count) { batchEnds.run() }
    for index in 0..<count {
      let event = epoll.event(index)
      if event.registration == EventLoop.timerID {
        timerIsDue = true
      } else if dispatch(event, .input) {
        inputWasReady = true
      } else {
        othersAreReady = true
      }
    }
    if timerIsDue {
      try timerDescriptor.expire()
      timers.hasChanged = true
      timers.runDue(at: now)
    }
    if othersAreReady {
      // What a press brought is written before anything else is read.
      if inputWasReady { batchEnds.run() }
      for index in 0..<count {
        let event = epoll.event(index)
        if event.registration != EventLoop.timerID { dispatch(event, .normal) }
      }
    }
    batchEnds.run()
    return count
  }

  /// Whoever has gone is to be known before anything is handed to him. A bounded number: many who go at once keep no
  /// input waiting.
  ///
  /// - Returns: whether there was any.
  private func finishEndings(of count: Int) -> Bool {
    var left = 8
    for index in 0..<count where left > 0 {
      let event = epoll.event(index)
      guard event.readiness.contains(.hangUp), event.registration != EventLoop.timerID else { continue }
      if dispatch(event, .normal) { left -= 1 }
    }
    return left < 8
  }

  /// - Returns: false when the event belongs to another urgency; a stale event is dropped.
  @discardableResult
  private func dispatch(_ event: Epoll.Event, _ urgency: Urgency) -> Bool {
    let index = Int(event.fd)
    guard index < slots.count, let slot = slots[index], slot.id == event.registration else { return true }
    guard slot.urgency == urgency else { return false }
    slot.handler(event.readiness)
    return true
  }
}
