import CKernelShims
import Glibc

/// A further reader of an event node, as a compositor is one: sees what the desktop would see.
final class Observer: Source {
  private(set) var descriptor: Int32
  /// Asks for the state of keys, LEDs and switches: the kernel throws away such events still queued for whoever asks.
  private let asking: Int32
  let path: String
  /// Everything that came, SYN_REPORT included, in order.
  private(set) var events: [Event] = []
  /// The keys that are down for somebody who follows the events and resynchronises as libevdev does.
  private(set) var down: Set<UInt16> = []
  private(set) var overflows = 0
  /// The device went away under the reader.
  private(set) var gone = false

  init(_ path: String, in world: World) throws {
    self.path = path
    descriptor = ks_evdev_open(path)
    guard descriptor >= 0 else { throw Stopped(reason: "cannot open \(path): \(String(cString: strerror(errno)))") }
    ks_evdev_monotonic(descriptor)
    asking = ks_evdev_open(path)
    down = kernelDown
    world.watch(self)
    world.atEnd { [self] in shut() }
  }

  func shut() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    close(asking)
    descriptor = -1
  }

  func drain() {
    var raw = [input_event](repeating: input_event(), count: 256)
    while descriptor >= 0 {
      let count = raw.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == ENODEV {
        gone = true
        shut()
      }
      guard count > 0 else { return }
      for event in raw[..<(count / MemoryLayout<input_event>.size)].map(Event.init(raw:)) { take(event) }
    }
  }

  private func take(_ event: Event) {
    events.append(event)
    if event.kind == .synchronise, event.code == 3 {
      overflows += 1
      down = kernelDown
    }
    guard event.kind == .key else { return }
    if event.value == 0 { down.remove(event.code) } else { down.insert(event.code) }
  }

  /// What the kernel holds as pressed on this device now.
  var kernelDown: Set<UInt16> {
    var bits = [UInt8](repeating: 0, count: 96)
    guard descriptor >= 0, ks_evdev_keys(asking, &bits, bits.count) >= 0 else { return [] }
    return Set((0..<UInt16(768)).filter { bits[Int($0 / 8)] & (1 << ($0 % 8)) != 0 })
  }

  var kernelLeds: Set<UInt16> {
    var bits = [UInt8](repeating: 0, count: 4)
    guard descriptor >= 0, ks_evdev_leds(asking, &bits, bits.count) >= 0 else { return [] }
    return Set((0..<UInt16(16)).filter { bits[Int($0 / 8)] & (1 << ($0 % 8)) != 0 })
  }

  var kernelSwitches: Set<UInt16> {
    var bits = [UInt8](repeating: 0, count: 4)
    guard descriptor >= 0, ks_evdev_switches(asking, &bits, bits.count) >= 0 else { return [] }
    return Set((0..<UInt16(16)).filter { bits[Int($0 / 8)] & (1 << ($0 % 8)) != 0 })
  }

  func axis(_ code: UInt16) -> Int32? {
    var info = input_absinfo()
    return ks_evdev_axis(descriptor, Int32(code), &info) < 0 ? nil : info.value
  }

  /// Delay and period in milliseconds.
  var repeatTimes: [UInt32] {
    var times: [UInt32] = [0, 0]
    ks_evdev_repeat(descriptor, &times)
    return times
  }

  func setRepeatTimes(_ times: [UInt32]) {
    var times = times
    ks_evdev_set_repeat(descriptor, &times)
  }

  func write(_ events: [Event]) {
    let raw = (events + [.report]).map(\.raw)
    raw.withUnsafeBytes { bytes in
      _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  func grab(_ on: Bool) -> Bool { ks_evdev_grab(descriptor, on ? 1 : 0) == 0 }

  /// Capability bits of one event type.
  func capabilities(_ kind: Event.Kind) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: 96)
    ks_evdev_bits(descriptor, Int32(kind.rawValue), &bits, bits.count)
    return bits
  }

  func forget() { events.removeAll() }

  func keys(_ code: UInt16) -> [Int32] {
    events.filter { $0.kind == .key && $0.code == code }.map(\.value)
  }

  /// The key events without autorepeat, e.g. "30+ 30-".
  var keyText: String {
    events.filter { $0.kind == .key && $0.value != 2 }.map { "\($0.code)\($0.value == 0 ? "-" : "+")" }
      .joined(separator: " ")
  }

  /// How often the key went down and came up again, for somebody who heeds only changes, as compositors do.
  func strokes(_ code: UInt16) -> Int {
    var (isDown, count) = (false, 0)
    for value in keys(code) where value != 2 {
      if isDown, value == 0 { count += 1 }
      isDown = value == 1
    }
    return count
  }

  func saw(_ code: UInt16) -> Bool { events.contains { $0.kind == .key && $0.code == code } }
  func sawScan(of code: UInt16) -> Bool {
    events.contains { $0.kind == .misc && $0.code == 4 && $0.value == VirtualDevice.scan(code) }
  }
}
