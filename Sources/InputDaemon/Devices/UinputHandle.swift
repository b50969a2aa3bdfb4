internal import CEvdev
internal import CLinux
internal import EventLoop
internal import Glibc
internal import PageKeys

/// Where devices are made.
enum Uinput {
  static let paths = ["/dev/uinput", "/dev/input/uinput"]

  /// Opens /dev/uinput.
  ///
  /// - Throws: open: ENOENT (no module), EACCES (no permission), ENODEV.
  static func open() throws(SystemError) -> FileDescriptor {
    var failure: SystemError?
    for path in paths {
      do throws(SystemError) {
        return try FileDescriptor.open(path, flags: O_RDWR)
      } catch {
        if failure == nil || (failure?.errno == ENOENT && error.errno != ENOENT) { failure = error }
      }
    }
    throw failure ?? SystemError(.open, errno: ENOENT, subject: paths[0])
  }

  /// The start of `phys` of everything that a pagerd makes.
  static let physPrefix = "pagerd/"

  static func setPhys(_ phys: String, on descriptor: borrowing FileDescriptor) throws(SystemError) {
    let result = phys.withCString { text in
      cl_ioctl(descriptor.rawValue, ui_request_set_phys(), UnsafeMutableRawPointer(mutating: text))
    }
    guard result >= 0 else {
      throw SystemError(.ioctl, errno: Int32(truncatingIfNeeded: -result), subject: paths[0])
    }
  }

  /// The name of the input device behind a uinput descriptor (`input12`).
  static func sysname(of descriptor: borrowing FileDescriptor) -> String {
    var name = [CChar](repeating: 0, count: 64)
    guard cl_ioctl(descriptor.rawValue, ui_request_sysname(64), &name) >= 0 else { return "" }
    name[63] = 0
    return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// A virtual device that is like a real one; what is written to it reaches the desktop.
struct UinputClone: ~Copyable {
  /// `input12`; its event node is announced as a child of it.
  let sysname: String
  /// `/dev/input/event13`
  let node: String
  private let descriptor: FileDescriptor
  private let device: OpaquePointer

  /// Makes a device with the source's name, ids, capabilities, properties and axes; `phys` is `pagerd/` and the old one.
  ///
  /// - Throws: open, ioctl or write on /dev/uinput.
  init(of source: borrowing EvdevDevice) throws(SystemError) {
    let descriptor = try Uinput.open()
    try Uinput.setPhys(Uinput.physPrefix + source.phys, on: descriptor)
    let fault = cl_fault_take(CL_IOCTL)
    var device: OpaquePointer?
    let result =
      fault != 0
      ? -fault
      : source.withLibevdev { libevdev in
        // The kernel refuses a device without a name.
        let isNameless = libevdev_get_name(libevdev)?.pointee == 0
        if isNameless { libevdev_set_name(libevdev, "Unnamed device") }
        defer { if isNameless { libevdev_set_name(libevdev, "") } }
        return libevdev_uinput_create_from_device(libevdev, descriptor.rawValue, &device)
      }
    guard result == 0, let device else { throw SystemError(.ioctl, errno: -result, subject: Uinput.paths[0]) }
    sysname = Uinput.sysname(of: descriptor)
    node = libevdev_uinput_get_devnode(device).map { String(cString: $0) } ?? ""
    self.descriptor = descriptor
    self.device = device
  }

  /// Blocks for some 95 ms, unless `destroyAside` has been through.
  deinit { libevdev_uinput_destroy(device) }

  /// Takes the device away from the desktop without keeping the loop waiting; nothing else may be done with it.
  func destroyAside(_ aside: Aside, finish: @escaping () -> Void) {
    aside.ioctl(rawValue, UInt(ui_request_destroy()), nil) { _ in finish() }
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// Writes `count` events with one system call.
  @inline(__always)
  func write(_ buffer: borrowing EventBuffer, count: Int) { writeEvents(rawValue, buffer, count) }

  /// Reads what the desktop sent to the device: LEDs, effects to play, requests about effects.
  ///
  /// One at a time: while a request is being answered elsewhere, what follows it has to wait.
  func read() -> InputEvent? {
    var event = input_event()
    let size = MemoryLayout<input_event>.stride
    guard cl_read(rawValue, &event, size) == size else { return nil }
    return InputEvent(type: event.type, code: event.code, value: event.value, time: 0)
  }

  // MARK: Force feedback

  /// Takes an upload request.
  ///
  /// - Returns: nil if there is no such request (its asker has given up).
  func beginUpload(request: UInt32) -> EffectUpload? {
    let upload = EffectUpload()
    upload.raw.pointee.request_id = request
    return cl_ioctl(rawValue, ui_request_begin_upload(), upload.raw) >= 0 ? upload : nil
  }

  /// - Parameter result: 0 or the negated errno.
  func end(_ upload: EffectUpload, result: Int32) {
    upload.raw.pointee.retval = result
    _ = cl_ioctl(rawValue, ui_request_end_upload(), upload.raw)
  }

  /// Takes an erase request.
  ///
  /// - Returns: the number of the effect here; nil if there is no such request.
  func beginErase(request: UInt32) -> Int16? {
    var erase = uinput_ff_erase()
    erase.request_id = request
    guard cl_ioctl(rawValue, ui_request_begin_erase(), &erase) >= 0 else { return nil }
    return Int16(truncatingIfNeeded: erase.effect_id)
  }

  func endErase(request: UInt32, result: Int32) {
    var erase = uinput_ff_erase()
    erase.request_id = request
    erase.retval = result
    _ = cl_ioctl(rawValue, ui_request_end_erase(), &erase)
  }
}

/// An effect on its way from the clone to the device; at one place in memory until it is answered.
final class EffectUpload {
  fileprivate let raw: UnsafeMutablePointer<uinput_ff_upload>
  fileprivate let effect: UnsafeMutablePointer<ff_effect>

  fileprivate init() {
    raw = .allocate(capacity: 1)
    raw.initialize(to: uinput_ff_upload())
    effect = .allocate(capacity: 1)
    effect.initialize(to: ff_effect())
  }

  deinit {
    raw.deallocate()
    effect.deallocate()
  }

  /// The effect's number on the clone.
  var number: Int16 { raw.pointee.effect.id }

  /// The effect as the device is to have it.
  ///
  /// - Parameter number: of the effect there that it changes, -1 for a new one.
  func prepared(as number: Int16) -> UnsafeMutableRawPointer {
    effect.pointee = raw.pointee.effect
    effect.pointee.id = number
    return UnsafeMutableRawPointer(effect)
  }

  /// The number that the device gave it.
  var numberOnDevice: Int16 { effect.pointee.id }
}

/// The keyboard of pagerd's own: emitted keys and the sign of activity.
struct VirtualKeyboard: ~Copyable {
  let sysname: String
  private let descriptor: FileDescriptor

  static let phys = "pagerd/virtual"
  static let name = "pagerd virtual keyboard"

  /// - Parameter keys: the codes that it can send.
  init(keys: [UInt16]) throws(SystemError) {
    let descriptor = try Uinput.open()
    let fd = descriptor.rawValue
    func check(_ result: Int) throws(SystemError) {
      guard result < 0 else { return }
      throw SystemError(.ioctl, errno: Int32(truncatingIfNeeded: -result), subject: Uinput.paths[0])
    }
    try Uinput.setPhys(VirtualKeyboard.phys, on: descriptor)
    try check(cl_ioctl_value(fd, ui_request_set_event_type(), UInt(EV_KEY)))
    for key in keys { try check(cl_ioctl_value(fd, ui_request_set_key(), UInt(key))) }
    try check(cl_ioctl_value(fd, ui_request_set_event_type(), UInt(EV_MSC)))
    try check(cl_ioctl_value(fd, ui_request_set_misc(), UInt(MSC_SCAN)))
    var setup = ui_setup(VirtualKeyboard.name, UInt16(BUS_VIRTUAL), 0x7067, 0x0001, 1)
    try check(cl_ioctl(fd, ui_request_setup(), &setup))
    try check(cl_ioctl(fd, ui_request_create(), nil))
    sysname = Uinput.sysname(of: descriptor)
    self.descriptor = descriptor
  }

  func write(_ buffer: borrowing EventBuffer, count: Int) { writeEvents(descriptor.rawValue, buffer, count) }
}

/// Writes all events; uinput takes them at once, unless a signal cuts it short.
@inline(__always)
private func writeEvents(_ fd: Int32, _ buffer: borrowing EventBuffer, _ count: Int) {
  var done = 0
  let total = count * MemoryLayout<input_event>.stride
  while done < total {
    let written = cl_write(fd, UnsafeRawPointer(buffer.storage) + done, total - done)
    // A virtual device has no queue that could be full: what fails once fails for good, and the unplug follows.
    guard written > 0 else { return }
    done += written
  }
}
