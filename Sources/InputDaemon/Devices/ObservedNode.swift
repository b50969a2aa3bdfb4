internal import EventLoop
internal import PageKeys

/// A node that is not shared, opened only because somebody who may wants to see what it sends.
final class ObservedNode {
  private let device: EvdevDevice
  private let loop: EventLoop
  private var registration: EventLoop.Registration?

  /// - Parameter observe: gets every event; nil when the device is gone.
  init(
    path: String, loop: EventLoop, bench: Workbench, observe: @escaping (InputEvent?) -> Void
  ) throws(SystemError) {
    device = try EvdevDevice(path: path)
    self.loop = loop
    registration = try loop.add(device.rawValue, .readable) { [unowned self] _ in read(bench, observe) }
  }

  deinit { if let registration { loop.remove(registration) } }

  private func read(_ bench: Workbench, _ observe: (InputEvent?) -> Void) {
    switch device.read(into: bench.input) {
    case .events(let count):
      for index in 0..<count { observe(bench.input.event(index)) }
    case .nothing: break
    case .gone:
      if let registration { loop.remove(registration) }
      registration = nil
      observe(nil)
    }
  }
}
