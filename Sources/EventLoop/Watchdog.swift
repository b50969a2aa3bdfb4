/// Tells the service manager that this process is alive, but only while a hang would hurt somebody.
///
/// Switched off it costs no wake-up: the manager is told to expect nothing (`WATCHDOG_USEC=0`).
public final class Watchdog {
  /// Whether the manager watches. Switching it on sends the first sign of life.
  public var isOn = false {
    didSet {
      guard isOn != oldValue else { return }
      tell("WATCHDOG_USEC=\(isOn ? patience : 0)")
      timer?.deadline = nil
      if isOn { signOfLife() }
    }
  }

  private let loop: EventLoop
  private let patience: UInt64
  private let notify: (String) -> Bool
  private var timer: Timer?

  /// - Parameters:
  ///   - patience: µs without a sign of life after which the manager ends this process.
  ///   - notify: sends a state to the manager; false when nobody listens.
  public init(
    loop: EventLoop, patience: UInt64 = 5_000_000,
    notify: @escaping (String) -> Bool = { state in (try? ServiceManager.notify(state)) ?? true }
  ) {
    self.loop = loop
    self.patience = patience
    self.notify = notify
    timer = loop.makeTimer { [weak self] in self?.signOfLife() }
  }

  deinit { timer?.invalidate() }

  private func signOfLife() {
    if tell("WATCHDOG=1") { timer?.deadline = loop.now + patience / 3 }
  }

  @discardableResult
  private func tell(_ state: String) -> Bool { notify(state) }
}
