internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc
internal import PageKeys

/// One opened evdev node.
///
/// Events are read in batches with one read(2); libevdev, which makes a system call for each event, is asked only what
/// the device can do and how its state differs after an overflow.
struct EvdevDevice: ~Copyable {
  let path: String
  private let descriptor: FileDescriptor
  private let device: OpaquePointer

  /// Opens the node for reading and writing, stamps its events on CLOCK_MONOTONIC and asks what it can do.
  ///
  /// - Throws: open: EACCES, ENOENT, ENODEV, ENXIO; ioctl: what libevdev met.
  init(path: String) throws(SystemError) {
    let descriptor = try FileDescriptor.open(path, flags: O_RDWR)
    var clock = CLOCK_MONOTONIC
    try EvdevDevice.check(cl_ioctl(descriptor.rawValue, ev_request_set_clock(), &clock), path)
    var device: OpaquePointer?
    let fault = cl_fault_take(CL_IOCTL)
    let result = fault != 0 ? -fault : libevdev_new_from_fd(descriptor.rawValue, &device)
    guard result == 0, let device else { throw SystemError(.ioctl, errno: -result, subject: path) }
    self.path = path
    self.descriptor = descriptor
    self.device = device
  }

  deinit { libevdev_free(device) }

  var rawValue: Int32 { descriptor.rawValue }

  // MARK: What it is

  var name: String { String(cString: libevdev_get_name(device)) }
  var phys: String { libevdev_get_phys(device).map { String(cString: $0) } ?? "" }
  var uniq: String { libevdev_get_uniq(device).map { String(cString: $0) } ?? "" }
  var bus: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)) }
  var vendor: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)) }
  var product: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_product(device)) }
  var version: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_version(device)) }

  func has(type: UInt16) -> Bool { libevdev_has_event_type(device, UInt32(type)) == 1 }
  func has(type: UInt16, code: UInt16) -> Bool { libevdev_has_event_code(device, UInt32(type), UInt32(code)) == 1 }
  func has(property: UInt16) -> Bool { libevdev_has_property(device, UInt32(property)) == 1 }

  /// The codes of `type` that the device has, ascending. Allocates.
  func codes(of type: UInt16) -> [UInt16] {
    guard has(type: type) else { return [] }
    let highest = libevdev_event_type_get_max(UInt32(type))
    guard highest >= 0 else { return [] }
    return (0...UInt16(highest)).filter { has(type: type, code: $0) }
  }

  /// The properties (INPUT_PROP_…) that the device has, ascending.
  var properties: [UInt16] { (0..<32).filter { has(property: $0) } }

  // MARK: State

  /// An axis as the kernel describes it.
  struct Axis: Sendable, Equatable {
    var value, minimum, maximum, fuzz, flat, resolution: Int32
  }

  func axis(_ code: UInt16) throws(SystemError) -> Axis {
    var info = input_absinfo()
    try EvdevDevice.check(cl_ioctl(rawValue, ev_request_axis(UInt32(code)), &info), path)
    return Axis(
      value: info.value, minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
      resolution: info.resolution)
  }

  /// The keys that are down. The kernel drops key events still queued for this descriptor with it.
  func readKeys(into keys: inout KeyBits) throws(SystemError) {
    let result = keys.withMutableBytes { buffer in
      cl_ioctl(rawValue, ev_request_keys(UInt(KeyBits.byteCount)), buffer.baseAddress)
    }
    try EvdevDevice.check(result, path)
  }

  /// One bit a switch, from SW_LID.
  func switches() throws(SystemError) -> UInt32 {
    var bits: UInt32 = 0
    try EvdevDevice.check(cl_ioctl(rawValue, ev_request_switches(4), &bits), path)
    return bits
  }

  /// The values of a multi-touch axis, one a slot.
  func slots(of axis: UInt16, count: Int) throws(SystemError) -> [Int32] {
    var request = [Int32](repeating: 0, count: count + 1)
    request[0] = Int32(axis)
    let length = UInt(request.count * 4)
    let result = request.withUnsafeMutableBytes { cl_ioctl(rawValue, ev_request_slots(length), $0.baseAddress) }
    try EvdevDevice.check(result, path)
    return Array(request.dropFirst())
  }

  /// Milliseconds until the first repeat, and between repeats; nil when the device does not repeat.
  func repeatTimes() -> (delay: Int32, period: Int32)? {
    var times: (UInt32, UInt32) = (0, 0)
    guard cl_ioctl(rawValue, ev_request_repeat_times(), &times) >= 0 else { return nil }
    return (Int32(truncatingIfNeeded: times.0), Int32(truncatingIfNeeded: times.1))
  }

  // MARK: Holding

  enum GrabOutcome: Sendable, Equatable {
    case held
    case busy
    case gone
    case failed(Int32)
  }

  /// Takes the device for this descriptor alone. Does not block.
  func grab() -> GrabOutcome {
    let result = cl_ioctl_value(rawValue, ev_request_grab(), 1)
    switch Int32(truncatingIfNeeded: -result) {
    case ...0: return .held
    case EBUSY: return .busy
    case ENODEV: return .gone
    case let error: return .failed(error)
    }
  }

  /// Gives the device back to everybody. Blocks for some 35 ms. A device that is gone is given back already.
  func ungrab() { _ = cl_ioctl_value(rawValue, ev_request_grab(), 0) }

  // MARK: Events

  enum ReadOutcome: Sendable, Equatable {
    /// So many events; fewer than the buffer holds means that the queue is empty.
    case events(Int)
    case nothing
    case gone
  }

  /// Reads what is pending, at most the buffer's capacity, with one system call. Never waits, never allocates.
  @inline(__always)
  func read(into buffer: borrowing EventBuffer) -> ReadOutcome {
    let result = cl_read(rawValue, buffer.storage, buffer.byteCount)
    if result > 0 { return .events(result / MemoryLayout<input_event>.stride) }
    switch Int32(truncatingIfNeeded: -result) {
    case EAGAIN: return .nothing
    // Anything but "not now" on an input device means that nothing will ever come again.
    default: return .gone
    }
  }

  /// Sends events into the device: LEDs, effects to play, the release of a phantom key.
  ///
  /// - Returns: false when the device took them not.
  @discardableResult
  func write(type: UInt16, code: UInt16, value: Int32, synchronised: Bool = true) -> Bool {
    var events = (ev_event(type, code, value), ev_event(UInt16(EV_SYN), UInt16(SYN_REPORT), 0))
    let size = MemoryLayout<input_event>.stride * (synchronised ? 2 : 1)
    return withUnsafeBytes(of: &events) { cl_write(rawValue, $0.baseAddress, size) } == size
  }

  // MARK: After an overflow

  /// Lets libevdev find out how the device differs from the state that was last known, as after SYN_DROPPED.
  ///
  /// What is still queued is discarded, as it is older than the state that the kernel now reports.
  /// - Parameters:
  ///   - keys: the keys that the events so far have put down.
  ///   - axes: the last value of each axis, by code.
  ///   - switches: one bit a switch.
  ///   - touch: the slots, on a device that has them.
  /// - Returns: each difference as an event, and the ends of the frames. Allocates.
  func differences(
    from keys: KeyBits, axes: [Int32?], switches: UInt32, touch: MultiTouchState?
  ) -> [InputEvent] {
    var found: [InputEvent] = []
    for code in codes(of: UInt16(EV_KEY)) {
      libevdev_set_event_value(device, UInt32(EV_KEY), UInt32(code), keys.contains(code) ? 1 : 0)
    }
    for code in codes(of: UInt16(EV_SW)) where code < 32 {
      libevdev_set_event_value(device, UInt32(EV_SW), UInt32(code), Int32((switches >> UInt32(code)) & 1))
    }
    for (code, value) in axes.enumerated() where code < Int(MultiTouchState.slotCode) {
      if let value { libevdev_set_event_value(device, UInt32(EV_ABS), UInt32(code), value) }
    }
    if let touch {
      for slot in 0..<touch.slotCount {
        for code in MultiTouchState.codes where has(type: UInt16(EV_ABS), code: code) {
          libevdev_set_slot_value(device, UInt32(slot), UInt32(code), touch[slot, code])
        }
      }
      libevdev_set_event_value(device, UInt32(EV_ABS), UInt32(MultiTouchState.slotCode), Int32(touch.current))
    }
    var event = input_event()
    _ = libevdev_next_event(device, UInt32(LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue), &event)
    // Each difference comes once, so the state's size bounds the loop whatever the device does meanwhile.
    var budget = 16_384
    while budget > 0 {
      let result = libevdev_next_event(device, UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue), &event)
      guard result == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) else { break }
      found.append(InputEvent(type: event.type, code: event.code, value: event.value, time: ev_event_time(&event)))
      budget -= 1
    }
    return found
  }

  /// The number of slots; 0 on a device without multi-touch.
  var slotCount: Int { max(0, Int(libevdev_get_num_slots(device))) }

  // MARK: Force feedback

  /// Hands the effect to the device, which may take its time: until then no other call but reading may be made.
  ///
  /// - Parameters:
  ///   - number: of an effect to change, -1 for a new one.
  ///   - finish: is told 0 or the negated errno.
  func upload(_ upload: EffectUpload, as number: Int16, _ aside: Aside, finish: @escaping (Int32) -> Void) {
    aside.ioctl(rawValue, UInt(ev_request_upload_effect()), upload.prepared(as: number)) { result in
      finish(Int32(truncatingIfNeeded: min(0, result)))
    }
  }

  /// As `upload`.
  func erase(effect number: Int16, _ aside: Aside, finish: @escaping (Int32) -> Void) {
    let argument = UnsafeMutableRawPointer(bitPattern: UInt(max(0, number)))
    aside.ioctl(rawValue, UInt(ev_request_erase_effect()), argument) { result in
      finish(Int32(truncatingIfNeeded: min(0, result)))
    }
  }

  /// How many effects the device keeps at once; 0 when it does not say.
  var effectCount: Int32 {
    var count: Int32 = 0
    return cl_ioctl(rawValue, ev_request_effect_count(), &count) < 0 ? 0 : count
  }

  // MARK: For the clone

  /// Lends libevdev's view of the device to whoever makes a device like it.
  func withLibevdev<R>(_ body: (OpaquePointer) -> R) -> R { body(device) }

  private static func check(_ result: Int, _ path: String) throws(SystemError) {
    guard result < 0 else { return }
    throw SystemError(.ioctl, errno: Int32(truncatingIfNeeded: -result), subject: path)
  }
}
