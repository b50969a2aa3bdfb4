import CKernelShims
import Glibc

/// Something with a descriptor that a waiting test reads from.
protocol Source: AnyObject {
  /// The descriptor to poll; negative once it is closed.
  var descriptor: Int32 { get }
  /// Reads everything that is there; must not block.
  func drain()
}

/// A scenario cannot go on: a state that it needs did not come.
struct Stopped: Error, Equatable {
  var reason: String
}

/// One scenario's surroundings: its checks, everything it started, and the only way to wait.
final class World {
  let scenario: String
  private let report: Report
  private var sources: [any Source] = []
  private var closers: [() -> Void] = []
  private(set) var failures = 0

  /// How long a state may take before the scenario gives up, in seconds. Generous: the processor is emulated.
  static let patience = 20.0

  init(scenario: String, report: Report) {
    (self.scenario, self.report) = (scenario, report)
  }

  func watch(_ source: any Source) { sources.append(source) }
  func unwatch(_ source: any Source) { sources.removeAll { $0 === source } }

  /// Runs at the end of the scenario, the latest first.
  func atEnd(_ close: @escaping () -> Void) { closers.append(close) }

  func finish() {
    while let close = closers.popLast() { close() }
    sources.removeAll()
  }

  // MARK: Checks

  func check(_ name: String, _ holds: Bool, _ detail: @autoclosure () -> String = "") {
    if !holds { failures += 1 }
    report.check(scenario, name, holds, detail())
  }

  func equal<Value: Equatable>(_ name: String, _ actual: Value, _ expected: Value, _ detail: String = "") {
    check(name, actual == expected, "expected \(expected), got \(actual) \(detail)")
  }

  /// The process sleeps but for its pings. Wake-ups are counted: on a busy host an emulated processor's time is not.
  func checkQuiet(_ process: Process, _ name: String = "it is quiet afterwards") {
    pass(milliseconds: 500)
    let before = process.status("voluntary_ctxt_switches") ?? 0
    let time = process.processorTime
    pass(milliseconds: 2000)
    let wakeUps = (process.status("voluntary_ctxt_switches") ?? 0) - before
    let spent = process.processorTime - time
    check(name, wakeUps <= 16 && spent < 100_000, "\(wakeUps) wake-ups, \(spent) us of processor time in 2 s")
  }

  // MARK: Waiting

  /// Reads from all sources until the condition holds; false when time ran out.
  func wait(seconds: Double = World.patience, until condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ks_now() + UInt64(seconds * 1_000_000)
    while true {
      if try condition() { return true }
      if ks_now() >= deadline { return false }
      turn(milliseconds: 10)
    }
  }

  /// Waits for a state that the rest of the scenario needs.
  func require(
    _ name: String, seconds: Double = World.patience, detail: () -> String = { "" }, until condition: () throws -> Bool
  ) throws {
    let began = ks_now()
    let came = try wait(seconds: seconds, until: condition)
    let took = (ks_now() - began) / 1000
    check(name, came, came ? "after \(took) ms" : "did not come within \(seconds) s; \(detail())")
    if !came { throw Stopped(reason: name) }
  }

  /// Lets time pass where the time itself is the scenario (a hold, a stopped process), reading meanwhile.
  func pass(milliseconds: Int) {
    let deadline = ks_now() + UInt64(milliseconds) * 1000
    while ks_now() < deadline { turn(milliseconds: 5) }
  }

  /// One look at all sources.
  func turn(milliseconds: Int32) {
    var polled = sources.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let ready = poll(&polled, nfds_t(polled.count), milliseconds)
    guard ready > 0 else { return }
    for (index, source) in sources.enumerated() where index < polled.count && polled[index].revents != 0 {
      source.drain()
    }
  }
}
