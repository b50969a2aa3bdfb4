/// What an absolute axis declares about itself (`struct input_absinfo`).
public struct AxisInfo: Sendable, Equatable {
  public var minimum: Int32
  public var maximum: Int32
  /// Changes up to this size are noise.
  public var fuzz: Int32
  /// Deflections up to this size are rest.
  public var flat: Int32
  /// Units per millimetre, or per radian.
  public var resolution: Int32
  /// The current value; nil where it is unknown, as in recordings.
  public var value: Int32?

  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0, value: Int32? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
    self.value = value
  }
}

/// One event node: what it is and what it can send.
public struct NodeDescription: Sendable, Equatable {
  public var name: String
  /// The physical path, such as `usb-0000:00:14.0-2/input0`; empty where there is none.
  public var phys: String
  /// The unique identifier, such as a Bluetooth address; empty where there is none.
  public var uniq: String
  public var bus: UInt16
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16

  public var keys = CodeSet()
  public var relatives = CodeSet()
  public var absolutes = CodeSet()
  /// The range of each absolute axis, by code; nil where the axis is missing. Always 64 entries.
  public var axes = [AxisInfo?](repeating: nil, count: CodeCount.abs)
  public var miscellaneous = CodeSet()
  public var switches = CodeSet()
  public var leds = CodeSet()
  public var sounds = CodeSet()
  public var forceFeedback = CodeSet()
  public var hasRepeat = false
  /// `INPUT_PROP_*`.
  public var properties = CodeSet()

  /// What udev says, such as `ID_INPUT_KEY` = `1`. Empty: the classes are derived from the capability bits.
  public var udev: [String: String] = [:]
  /// Made through uinput.
  public var isVirtual = false

  public init(
    name: String, phys: String = "", uniq: String = "", bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0,
    version: UInt16 = 0
  ) {
    self.name = name
    self.phys = phys
    self.uniq = uniq
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
  }

  /// Declares an absolute axis with its range.
  public mutating func setAxis(_ code: UInt16, _ info: AxisInfo) {
    guard Int(code) < CodeCount.abs else { return }
    absolutes.insert(code)
    axes[Int(code)] = info
  }
}

/// What a device has pressed, switched and deflected at one moment, as the kernel tells it.
public struct NodeState: Sendable, Equatable {
  public var keysDown = CodeSet()
  public var switchesOn = CodeSet()
  /// Each axis' value by code, nil where unknown or missing. Always 64 entries; those of slots are ignored.
  public var axes = [Int32?](repeating: nil, count: CodeCount.abs)

  public init() {}

  /// The state in which a device begins: nothing pressed, its axes as the description says.
  public init(_ node: NodeDescription) {
    for (index, info) in node.axes.enumerated() { axes[index] = info?.value }
  }
}
