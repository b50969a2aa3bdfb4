import Glibc
import Testing

@testable import EventLoop

/// Both ends of a pipe, closed with it.
struct PipePair: ~Copyable {
  let reader: FileDescriptor
  let writer: FileDescriptor

  init() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    reader = FileDescriptor(owning: reading)
    writer = FileDescriptor(owning: writing)
  }

  func write(_ bytes: [UInt8]) { _ = try? bytes.withUnsafeBytes { try Descriptor.write(writer.rawValue, $0) } }

  func read() -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try? Descriptor.read(reader.rawValue, appendingTo: &bytes)
    return bytes
  }
}

@Suite struct EventLoopTests {
  @Test func oneWakeUpHandlesInputThenTimersThenTheRest() throws {
    let loop = try EventLoop()
    let input = try PipePair()
    let other = try PipePair()
    let (inputFD, otherFD) = (input.reader.rawValue, other.reader.rawValue)
    var order: [String] = []
    // The order of registration and of readiness does not matter.
    try loop.add(otherFD, .readable) { _ in order.append("other") }
    try loop.add(inputFD, .readable, urgency: .input) { _ in order.append("input") }
    loop.atBatchEnd { order.append("end") }
    other.write([1])
    input.write([1])
    let timer = loop.makeTimer { order.append("timer") }
    timer.deadline = loop.now
    // The timer descriptor becomes readable within the kernel's own time.
    while !order.contains("timer") {
      order = []
      try loop.turn()
    }
    #expect(order == ["input", "timer", "end", "other", "end"])
  }

  @Test func aTimerRunsAtItsDeadlineAndOnce() throws {
    let loop = try EventLoop()
    var fired: [UInt64] = []
    let timer = loop.makeTimer {}
    timer.invalidate()
    let start = loop.now
    let real = loop.makeTimer {
      fired.append(loop.now)
      loop.stop()
    }
    real.deadline = start + 3000
    try loop.run()
    #expect(fired.count == 1)
    #expect(fired[0] >= start + 3000)
    #expect(real.deadline == nil)
    #expect(try loop.turn(milliseconds: 0) == 0)
  }

  @Test func aDeadlineInThePastIsDueNowAndOneBeyondAllTimeNever() throws {
    let loop = try EventLoop()
    var fired: [String] = []
    let past = loop.makeTimer { fired.append("past") }
    let far = loop.makeTimer { fired.append("far") }
    past.deadline = 0
    far.deadline = .max
    while fired.isEmpty { try loop.turn() }
    #expect(fired == ["past"])
    #expect(try loop.turn(milliseconds: 0) == 0)
  }

  @Test func anEdgeIsToldOnceUntilTheInterestIsSetAnew() throws {
    let loop = try EventLoop()
    let pipe = try PipePair()
    var calls = 0
    let registration = try loop.add(pipe.reader.rawValue, [.readable, .edge]) { _ in calls += 1 }
    pipe.write([1, 2])
    try loop.turn(milliseconds: 0)
    try loop.turn(milliseconds: 0)
    #expect(calls == 1)
    try loop.modify(registration, [.readable, .edge])
    try loop.turn(milliseconds: 0)
    #expect(calls == 2, "what was left counts")
    pipe.write([3])
    try loop.turn(milliseconds: 0)
    #expect(calls == 3, "what is new counts")
  }

  @Test func aPausedDescriptorIsNotHeardUntilItIsResumed() throws {
    let loop = try EventLoop()
    let pipe = try PipePair()
    var calls = 0
    let registration = try loop.add(pipe.reader.rawValue, .readable) { _ in calls += 1 }
    loop.pause(registration)
    loop.pause(registration)
    pipe.write([1])
    #expect(try loop.turn(milliseconds: 0) == 0)
    try loop.resume(registration, .readable)
    try loop.turn(milliseconds: 0)
    #expect(calls == 1, "what came meanwhile counts")
    loop.pause(registration)
    loop.remove(registration)
    try loop.resume(registration, .readable)
    #expect(try loop.turn(milliseconds: 0) == 0)
  }

  @Test func workForTheEndOfAWakeUpIsDoneWhenItIsDue() throws {
    let loop = try EventLoop()
    var done: [String] = []
    loop.atBatchEnd { done.append("always") }
    let work = loop.makeBatchEnd { done.append("due") }
    try loop.turn(milliseconds: 0)
    #expect(done == ["always"])
    work.isDue = true
    try loop.turn(milliseconds: 0)
    try loop.turn(milliseconds: 0)
    #expect(done == ["always", "always", "due", "always"])
    work.isDue = true
    work.invalidate()
    try loop.turn(milliseconds: 0)
    #expect(done.count == 5)
  }

  @Test func anIdleLoopArmsNothing() throws {
    let loop = try EventLoop()
    let timer = loop.makeTimer {}
    timer.deadline = loop.now + 1_000_000_000
    try loop.turn(milliseconds: 0)
    timer.deadline = nil
    Faults.inject(.timerSet, errno: EINVAL, skip: 1000)
    defer { Faults.clear() }
    try loop.turn(milliseconds: 0)
    #expect(Faults.count(.timerSet) == 1, "disarmed once")
    for _ in 0..<10 { try loop.turn(milliseconds: 0) }
    #expect(Faults.count(.timerSet) == 1, "and then left alone")
  }

  @Test func aStaleEventForAReusedDescriptorIsDropped() throws {
    let loop = try EventLoop()
    let first = try PipePair()
    var second: [Int32] = []
    defer { second.forEach { close($0) } }
    var seen: [String] = []
    var firstRegistration: EventLoop.Registration?
    let victim = try FileDescriptor.pipe()
    defer { close(victim.writing) }
    var victimRegistration: EventLoop.Registration?
    // Both are ready in one batch; the first handler closes the victim and puts another in its place.
    let firstFD = first.reader.rawValue
    firstRegistration = try loop.add(firstFD, .readable, urgency: .input) { _ in
      seen.append("first")
      if let victimRegistration { loop.remove(victimRegistration) }
      let replacement = try? FileDescriptor.pipe()
      guard let replacement else { return }
      // Closed and used again in one step: other tests open descriptors, too.
      dup2(replacement.reading, victim.reading)
      close(replacement.reading)
      second = [victim.reading, replacement.writing]
      _ = try? loop.add(victim.reading, .readable) { _ in seen.append("replacement") }
      if let firstRegistration { loop.remove(firstRegistration) }
    }
    victimRegistration = try loop.add(victim.reading, .readable) { _ in seen.append("victim") }
    first.write([1])
    var byte: UInt8 = 1
    write(victim.writing, &byte, 1)
    try loop.turn(milliseconds: 0)
    #expect(second.count == 2)
    #expect(seen == ["first"])
  }

  @Test func removingTwiceOrLateTouchesNobodyElse() throws {
    let loop = try EventLoop()
    let pipe = try PipePair()
    let fd = pipe.reader.rawValue
    var seen = 0
    let old = try loop.add(fd, .readable) { _ in Issue.record("removed") }
    loop.remove(old)
    try loop.add(fd, .readable) { _ in seen += 1 }
    loop.remove(old)
    try loop.modify(old, [])
    pipe.write([1])
    try loop.turn(milliseconds: 0)
    #expect(seen == 1)
  }

  @Test func aHandlerMayRemoveItself() throws {
    let loop = try EventLoop()
    let pipe = try PipePair()
    var registration: EventLoop.Registration?
    var seen = 0
    registration = try loop.add(pipe.reader.rawValue, .readable) { _ in
      seen += 1
      if let registration { loop.remove(registration) }
    }
    pipe.write([1])
    for _ in 0..<3 { try loop.turn(milliseconds: 0) }
    #expect(seen == 1)
  }

  @Test func withoutInterestOnlyHangUpIsHeard() throws {
    let loop = try EventLoop()
    let (mine, theirs) = try UnixSocket.pair()
    defer { close(mine) }
    var heard: [Readiness] = []
    let registration = try loop.add(mine, []) { heard.append($0) }
    var byte: UInt8 = 1
    write(theirs, &byte, 1)
    try loop.turn(milliseconds: 0)
    #expect(heard == [])
    close(theirs)
    try loop.turn(milliseconds: 0)
    #expect(heard.count == 1)
    #expect(heard.first?.contains(.hangUp) == true)
    loop.remove(registration)
  }

  @Test func whatCannotBeWaitedForSaysSo() throws {
    let loop = try EventLoop()
    let null = try FileDescriptor.open("/dev/null", flags: O_RDONLY)
    #expect(throws: SystemError(.epollControl, errno: EPERM, subject: "descriptor \(null.rawValue)")) {
      try loop.add(null.rawValue, .readable) { _ in }
    }
  }

  @Test func signalsArriveInTheLoop() throws {
    let loop = try EventLoop()
    var seen: [Int32] = []
    try loop.handleSignals([SIGUSR1, SIGUSR2]) { seen.append($0) }
    defer { SignalMask.unblock([SIGUSR1, SIGUSR2]) }
    pthread_kill(pthread_self(), SIGUSR1)
    pthread_kill(pthread_self(), SIGUSR2)
    try loop.turn(milliseconds: 0)
    #expect(seen.sorted() == [SIGUSR1, SIGUSR2])
  }

  @Test func manualTimeRunsEveryDeadlineInItsOrder() throws {
    let loop = try EventLoop(time: .manual(start: 100))
    var seen: [String] = []
    let late = loop.makeTimer { seen.append("late \(loop.now)") }
    var again: Timer?
    again = loop.makeTimer {
      seen.append("again \(loop.now)")
      if loop.now < 400 { again?.deadline = loop.now + 100 }
    }
    late.deadline = 350
    again?.deadline = 200
    loop.advance(to: 1000)
    #expect(seen == ["again 200", "again 300", "late 350", "again 400"])
    #expect(loop.now == 1000)
  }

  @Test func aProcessThatSleptRunsWhatFellDueOnceAndLate() throws {
    let loop = try EventLoop(time: .manual(start: 0))
    var seen: [UInt64] = []
    var timer: Timer?
    timer = loop.makeTimer {
      seen.append(loop.now)
      timer?.deadline = loop.now + 10
    }
    timer?.deadline = 10
    loop.sleep(to: 1000)
    #expect(seen == [1000])
  }

  @Test func manyDescriptorsAreAllHandled() throws {
    let loop = try EventLoop()
    var ends: [Int32] = []
    defer { ends.forEach { close($0) } }
    var seen: Set<Int32> = []
    for _ in 0..<150 {
      let (reading, writing) = try FileDescriptor.pipe()
      ends += [reading, writing]
      try loop.add(reading, .readable) { _ in
        var bytes: [UInt8] = []
        _ = try? Descriptor.read(reading, appendingTo: &bytes)
        seen.insert(reading)
      }
      var byte: UInt8 = 1
      write(writing, &byte, 1)
    }
    while try loop.turn(milliseconds: 0) > 0 {}
    #expect(seen.count == 150)
  }
}
