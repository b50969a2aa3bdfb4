internal import EventLoop

/// Tells the service manager that the daemon lives, while it holds somebody's keyboard and only then.
///
/// A daemon that hangs with a keyboard in its hands is killed after five seconds, and the kernel frees the devices.
/// With nothing held there is nothing to lose, and no wake-up.
final class Watchdog {
  /// In microseconds: what the manager waits for a sign, and how often one is given.
  static let patience: UInt64 = 5_000_000
  static let interval: UInt64 = 2_000_000

  private let loop: EventLoop
  private var timer: Timer?
  private var isRunning = false

  init(loop: EventLoop) {
    self.loop = loop
    timer = loop.makeTimer { [unowned self] in beat() }
  }

  deinit { timer?.invalidate() }

  func ready() {
    tell("READY=1" + (isRunning ? "" : "\nWATCHDOG_USEC=0"))
  }

  func stopping() {
    timer?.deadline = nil
    tell("STOPPING=1")
  }

  func heldChanged(isAnythingHeld: Bool) {
    guard isAnythingHeld != isRunning else { return }
    isRunning = isAnythingHeld
    if isAnythingHeld {
      tell("WATCHDOG_USEC=\(Watchdog.patience)")
      beat()
    } else {
      timer?.deadline = nil
      tell("WATCHDOG_USEC=0")
    }
  }

  private func beat() {
    // Nobody listens: then nobody needs to be woken for.
    guard tell("WATCHDOG=1") else { return }
    timer?.deadline = loop.now + Watchdog.interval
  }

  /// - Returns: whether a service manager listens. One that does not answer is its own problem.
  @discardableResult
  private func tell(_ state: String) -> Bool { (try? ServiceManager.notify(state)) ?? false }
}
