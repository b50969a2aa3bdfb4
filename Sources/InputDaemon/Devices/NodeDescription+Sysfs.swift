internal import PageKeys

extension NodeDescription {
  /// Describes a node without opening it; the ranges of its axes are not known then.
  ///
  /// Source: Documentation/ABI in the kernel, `/sys/class/input/eventX/device`.
  init(sysfs found: FoundNode) {
    var folder = found.syspath[...]
    if let slash = folder.lastIndex(of: "/") { folder = folder[..<slash] }
    let input = String(folder)
    self.init(
      name: Sysfs.text(input + "/name") ?? "", phys: Sysfs.text(input + "/phys") ?? "",
      uniq: Sysfs.text(input + "/uniq") ?? "", bus: Sysfs.hexadecimal(input + "/id/bustype"),
      vendor: Sysfs.hexadecimal(input + "/id/vendor"), product: Sysfs.hexadecimal(input + "/id/product"),
      version: Sysfs.hexadecimal(input + "/id/version"))
    let capabilities = input + "/capabilities/"
    keys = CodeSet(Sysfs.bits(capabilities + "key"))
    relatives = CodeSet(Sysfs.bits(capabilities + "rel"))
    absolutes = CodeSet(Sysfs.bits(capabilities + "abs"))
    miscellaneous = CodeSet(Sysfs.bits(capabilities + "msc"))
    switches = CodeSet(Sysfs.bits(capabilities + "sw"))
    leds = CodeSet(Sysfs.bits(capabilities + "led"))
    sounds = CodeSet(Sysfs.bits(capabilities + "snd"))
    forceFeedback = CodeSet(Sysfs.bits(capabilities + "ff"))
    hasRepeat = Sysfs.bits(capabilities + "ev").contains(EventType.rep)
    properties = CodeSet(Sysfs.bits(input + "/properties"))
    udev = found.properties
    isVirtual = input.hasPrefix("/sys/devices/virtual/input/")
  }

  /// Adds the ranges and values of the axes, which only the opened node tells.
  mutating func addAxes(of device: borrowing EvdevDevice) {
    for code in absolutes.codes {
      guard let axis = try? device.axis(code) else { continue }
      setAxis(
        code,
        AxisInfo(
          minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat, resolution: axis.resolution,
          value: axis.value))
    }
  }
}
