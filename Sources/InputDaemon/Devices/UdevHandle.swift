internal import CUdev
internal import EventLoop
internal import Glibc

/// What udev, or the kernel without it, says about one event node.
struct FoundNode: Sendable, Equatable {
  enum Action: Sendable, Equatable {
    /// It is there, or changed.
    case present
    case removed
  }

  var action: Action
  /// `event5`
  var sysname: String
  /// `/dev/input/event5`
  var path: String
  /// The input device above it, `input12`.
  var inputName: String
  /// The sysfs path of the physical device that its siblings share.
  var parent: String
  /// udev has finished with it; always false without udev.
  var isInitialised: Bool
  /// udev's ID_… properties; empty without udev.
  var properties: [String: String]
  /// sysfs's path of it.
  var syspath: String

  var seat: String { properties["ID_SEAT"] ?? "seat0" }
}

/// The library's context, from which everything else of udev is made.
struct Udev: ~Copyable {
  private let context: OpaquePointer

  init() throws(SystemError) {
    guard let context = udev_new() else { throw SystemError(.open, errno: Glibc.errno, subject: "udev") }
    self.context = context
  }

  deinit { udev_unref(context) }

  /// Whose announcements a monitor hears.
  enum Source: String, Sendable, Equatable {
    case udev
    case kernel
  }

  /// udevd is there: it listens on this socket.
  static var isRunning: Bool { access("/run/udev/control", F_OK) == 0 }

  func monitor(_ source: Source) throws(SystemError) -> UdevMonitor {
    try UdevMonitor(context: context, source: source)
  }

  /// One event node (`event5`), if it is there.
  func eventNode(named sysname: String) -> FoundNode? {
    guard let device = udev_device_new_from_subsystem_sysname(context, "input", sysname) else { return nil }
    defer { udev_device_unref(device) }
    return FoundNode(device)
  }

  /// Every event node that is there now.
  func eventNodes() -> [FoundNode] {
    guard let enumeration = udev_enumerate_new(context) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    guard udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
    var found: [FoundNode] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(context, path)
      {
        if let node = FoundNode(device) { found.append(node) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(current)
    }
    return found
  }
}

/// Announcements of input devices.
struct UdevMonitor: ~Copyable {
  private let monitor: OpaquePointer

  fileprivate init(context: OpaquePointer, source: Udev.Source) throws(SystemError) {
    guard let monitor = udev_monitor_new_from_netlink(context, source.rawValue) else {
      throw SystemError(.socket, errno: Glibc.errno, subject: "\(source.rawValue) monitor")
    }
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    // A storm of hundreds of devices fits; without the right to it the default stays.
    udev_monitor_set_receive_buffer_size(monitor, 4 << 20)
    let result = udev_monitor_enable_receiving(monitor)
    guard result >= 0 else {
      udev_monitor_unref(monitor)
      throw SystemError(.bind, errno: -result, subject: "\(source.rawValue) monitor")
    }
    self.monitor = monitor
  }

  deinit { udev_monitor_unref(monitor) }

  var rawValue: Int32 { udev_monitor_get_fd(monitor) }

  enum Received: Sendable, Equatable {
    case node(FoundNode)
    /// Something that is no event node.
    case other
    case nothing
    /// Announcements were lost: everything has to be listed anew.
    case overflow
  }

  func next() -> Received {
    Glibc.errno = 0
    guard let device = udev_monitor_receive_device(monitor) else {
      return Glibc.errno == ENOBUFS ? .overflow : .nothing
    }
    defer { udev_device_unref(device) }
    return FoundNode(device).map(Received.node) ?? .other
  }
}

extension FoundNode {
  fileprivate init?(_ device: OpaquePointer) {
    guard let name = udev_device_get_sysname(device), let path = udev_device_get_devnode(device),
      let syspath = udev_device_get_syspath(device)
    else { return nil }
    sysname = String(cString: name)
    guard sysname.hasPrefix("event") else { return nil }
    self.path = String(cString: path)
    self.syspath = String(cString: syspath)
    let action = udev_device_get_action(device).map { String(cString: $0) }
    self.action = action == "remove" ? .removed : .present
    isInitialised = udev_device_get_is_initialized(device) == 1
    properties = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      if let key = udev_list_entry_get_name(current), strncmp(key, "ID_", 3) == 0,
        let value = udev_list_entry_get_value(current)
      {
        properties[String(cString: key)] = String(cString: value)
      }
      entry = udev_list_entry_get_next(current)
    }
    guard let input = udev_device_get_parent_with_subsystem_devtype(device, "input", nil) else {
      inputName = ""
      parent = self.syspath
      return
    }
    inputName = udev_device_get_sysname(input).map { String(cString: $0) } ?? ""
    parent = FoundNode.physicalParent(of: input) ?? self.syspath
  }

  /// The USB device, else the HID device, else whatever the input device hangs on; a virtual one hangs on nothing.
  private static func physicalParent(of input: OpaquePointer) -> String? {
    let physical =
      udev_device_get_parent_with_subsystem_devtype(input, "usb", "usb_device")
      ?? udev_device_get_parent_with_subsystem_devtype(input, "hid", nil)
      ?? udev_device_get_parent(input)
    guard let physical, let path = udev_device_get_syspath(physical) else { return nil }
    let text = String(cString: path)
    return text.hasSuffix("/virtual/input") ? nil : text
  }
}
