import CKernelShims
import Glibc

/// What a device made through uinput can do.
struct DevicePlan {
  struct AxisRange {
    var code: UInt16
    var minimum: Int32
    var maximum: Int32
    var flat: Int32 = 0
    var value: Int32 = 0
  }

  var name: String
  var phys: String
  var bus: Int32 = 3
  var vendor: Int32 = 0x1209
  var product: Int32 = 0x2301
  var keys: [UInt16] = []
  var relative: [UInt16] = []
  var axes: [AxisRange] = []
  var scans = true
  var leds: [UInt16] = []
  var switches: [UInt16] = []
  var repeats = true
  var properties: [Int32] = []
  var effects: Int32 = 0

  /// A laptop's keyboard: letters, modifiers, volume keys, LEDs, autorepeat.
  static func keyboard(_ name: String, phys: String? = nil) -> DevicePlan {
    DevicePlan(
      name: name, phys: phys ?? "test/\(name)/input0",
      keys: Key.typewriter + Array(96...111) + [Key.mute, Key.volumeDown, Key.volumeUp, 125],
      leds: [Led.numLock, Led.capsLock, 2])
  }
}

/// A device of this test, made through uinput; gone when the object closes it.
final class VirtualDevice: Source {
  private(set) var descriptor: Int32
  let plan: DevicePlan
  /// e.g. `/dev/input/event5`
  let node: String
  /// What the desktop wrote to the device: LED states, and the strengths of uploaded effects.
  private(set) var leds: [UInt16: Int32] = [:]
  private(set) var ledEvents: [Event] = []
  private(set) var uploads: [Int32] = []
  private(set) var plays: [Event] = []
  private(set) var erases = 0
  /// false: requests about effects are left lying, as by a program that hangs.
  var answersEffects = true

  init(_ plan: DevicePlan, in world: World) throws {
    self.plan = plan
    let made = ks_uinput_open()
    guard made >= 0 else { throw Stopped(reason: "cannot open /dev/uinput: \(String(cString: strerror(errno)))") }
    for key in plan.keys { ks_uinput_bit(made, EV_KEY, Int32(key)) }
    for code in plan.relative { ks_uinput_bit(made, EV_REL, Int32(code)) }
    for axis in plan.axes {
      ks_uinput_axis(made, Int32(axis.code), axis.minimum, axis.maximum, axis.flat, axis.value)
    }
    if plan.scans { ks_uinput_bit(made, EV_MSC, MSC_SCAN) }
    for led in plan.leds { ks_uinput_bit(made, EV_LED, Int32(led)) }
    for toggle in plan.switches { ks_uinput_bit(made, EV_SW, Int32(toggle)) }
    if plan.repeats { ks_uinput_bit(made, EV_REP, 0) }
    for property in plan.properties { ks_uinput_property(made, property) }
    if plan.effects > 0 { ks_uinput_bit(made, EV_FF, FF_RUMBLE) }
    ks_uinput_phys(made, plan.phys)
    guard ks_uinput_create(made, plan.name, plan.bus, plan.vendor, plan.product, plan.effects) == 0 else {
      throw Stopped(reason: "cannot make the device \(plan.name): \(String(cString: strerror(errno)))")
    }
    descriptor = made
    var buffer = [CChar](repeating: 0, count: 64)
    ks_uinput_sysname(made, &buffer, buffer.count)
    let system = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = "/sys/devices/virtual/input/\(system)"
    let event = Files.names(in: folder).first { $0.hasPrefix("event") } ?? "event-missing"
    node = "/dev/input/\(event)"
    world.watch(self)
    world.atEnd { [self] in unplug() }
  }

  /// Writes the events and the SYN_REPORT that ends their frame.
  func emit(_ events: [Event]) {
    let raw = (events + [.report]).map(\.raw)
    raw.withUnsafeBytes { bytes in
      _ = write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  /// One frame as a keyboard sends it: the scan code, then the key.
  func key(_ code: UInt16, _ value: Int32) {
    emit(plan.scans ? [Event(.misc, 4, Self.scan(code)), Event(.key, code, value)] : [Event(.key, code, value)])
  }

  func press(_ code: UInt16) {
    key(code, 1)
    key(code, 0)
  }

  /// The scan code that this device sends with a key.
  static func scan(_ code: UInt16) -> Int32 { 0x70000 + Int32(code) }

  func unplug() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// The kernel takes some 100 ms to take a device apart; this test goes on meanwhile.
  func unplugApart() {
    guard descriptor >= 0 else { return }
    ks_close_apart(descriptor)
    descriptor = -1
  }

  func drain() {
    guard answersEffects else { return }
    var raw = [input_event](repeating: input_event(), count: 64)
    while true {
      let count = raw.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for event in raw[..<(count / MemoryLayout<input_event>.size)].map(Event.init(raw:)) {
        switch event.kind {
        case .led:
          leds[event.code] = event.value
          ledEvents.append(event)
        case .forceFeedback: plays.append(event)
        case .uinput where event.code == 1: uploads.append(ks_uinput_answer_upload(descriptor, event.value))
        case .uinput where event.code == 2:
          ks_uinput_answer_erase(descriptor, event.value)
          erases += 1
        default: break
        }
      }
    }
  }
}
