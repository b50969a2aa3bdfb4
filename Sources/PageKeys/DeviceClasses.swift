/// The classes that udev gives an input device (`ID_INPUT_*`).
public struct DeviceClasses: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let key = DeviceClasses(rawValue: 1 << 0)
  public static let keyboard = DeviceClasses(rawValue: 1 << 1)
  public static let mouse = DeviceClasses(rawValue: 1 << 2)
  public static let touchpad = DeviceClasses(rawValue: 1 << 3)
  public static let touchscreen = DeviceClasses(rawValue: 1 << 4)
  public static let joystick = DeviceClasses(rawValue: 1 << 5)
  public static let tablet = DeviceClasses(rawValue: 1 << 6)
  public static let tabletPad = DeviceClasses(rawValue: 1 << 7)
  public static let pointingStick = DeviceClasses(rawValue: 1 << 8)
  public static let accelerometer = DeviceClasses(rawValue: 1 << 9)
  public static let lidSwitch = DeviceClasses(rawValue: 1 << 10)

  /// What points at a place: the classes that a page turner does not have.
  static let pointers: DeviceClasses = [
    .mouse, .touchpad, .touchscreen, .tablet, .tabletPad, .pointingStick, .accelerometer,
  ]

  static let names: [(String, DeviceClasses)] = [
    ("ID_INPUT_KEY", .key), ("ID_INPUT_KEYBOARD", .keyboard), ("ID_INPUT_MOUSE", .mouse),
    ("ID_INPUT_TOUCHPAD", .touchpad), ("ID_INPUT_TOUCHSCREEN", .touchscreen), ("ID_INPUT_JOYSTICK", .joystick),
    ("ID_INPUT_TABLET", .tablet), ("ID_INPUT_TABLET_PAD", .tabletPad), ("ID_INPUT_POINTINGSTICK", .pointingStick),
    ("ID_INPUT_ACCELEROMETER", .accelerometer), ("ID_INPUT_SWITCH", .lidSwitch),
  ]

  /// What udev says about the node, or what it would say where it has not spoken.
  public init(_ node: NodeDescription) {
    guard node.udev["ID_INPUT"] != nil || node.udev.keys.contains(where: { $0.hasPrefix("ID_INPUT_") }) else {
      self = DeviceClasses.derived(from: node)
      return
    }
    self = []
    for (name, item) in DeviceClasses.names where node.udev[name] == "1" { insert(item) }
  }

  /// The classes' names as udev spells them, for people.
  public var udevNames: [String] {
    DeviceClasses.names.filter { contains($0.1) }.map { $0.0 }
  }
}

extension DeviceClasses {
  /// What udev's `input_id` makes of the capability bits. Source: behaviour of systemd 252's builtin.
  public static func derived(from node: NodeDescription) -> DeviceClasses {
    var classes = pointerClasses(of: node)
    let isPointer = !classes.isEmpty
    // An accelerometer is nothing else to udev's key test; it still runs.
    let keys = keyClasses(of: node)
    classes.formUnion(keys)
    let hasWheel = node.relatives.contains(RelativeCode.wheel) || node.relatives.contains(RelativeCode.horizontalWheel)
    if !isPointer, keys.isEmpty, hasWheel { classes.insert(.key) }
    if !node.switches.isEmpty { classes.insert(.lidSwitch) }
    return classes
  }

  private static func keyClasses(of node: NodeDescription) -> DeviceClasses {
    let hasKeys =
      node.keys.contains(anyOf: 1...0xff) || node.keys.contains(anyOf: KeyCode.keyOK...(KeyCode.dpadUp - 1))
      || node.keys.contains(anyOf: KeyCode.alsToggle...(KeyCode.triggerHappy1 - 1))
    guard hasKeys else { return [] }
    // ESC, digits and the letters up to D: a keyboard to type on.
    return (1...31).allSatisfy { node.keys.contains($0) } ? [.key, .keyboard] : [.key]
  }

  private struct Facts {
    let hasCoordinates: Bool
    let hasTouches: Bool
    let hasMotion: Bool
    let hasMouseButton: Bool
    let hasStylus: Bool
    let hasPen: Bool
    let hasFingerOnly: Bool
    let hasTouch: Bool
    let isDirect: Bool
    let hasWheel: Bool
    let hasPadButtons: Bool
    let joystickButtons: Int
    let joystickAxes: Int

    init(_ node: NodeDescription) {
      let keys = node.keys
      let axes = node.absolutes
      hasCoordinates = axes.contains(AbsoluteCode.x) && axes.contains(AbsoluteCode.y)
      // A device that claims every axis has no touches.
      let claimsAll = axes.contains(AbsoluteCode.slot) && axes.contains(AbsoluteCode.slot - 1)
      hasTouches = axes.contains(AbsoluteCode.positionX) && axes.contains(AbsoluteCode.positionY) && !claimsAll
      hasMotion = node.relatives.contains(RelativeCode.x) && node.relatives.contains(RelativeCode.y)
      hasMouseButton = keys.contains(anyOf: KeyCode.left1...(KeyCode.joystick - 1))
      hasStylus = keys.contains(KeyCode.stylus)
      hasPen = keys.contains(KeyCode.toolPen)
      hasFingerOnly = keys.contains(KeyCode.toolFinger) && !hasPen
      hasTouch = keys.contains(KeyCode.touch)
      isDirect = node.properties.contains(PropertyCode.direct)
      hasWheel =
        node.relatives.contains(RelativeCode.wheel) || node.relatives.contains(RelativeCode.horizontalWheel)
      hasPadButtons = keys.contains(KeyCode.btn0) && keys.contains(KeyCode.btn1) && !hasPen
      let buttons =
        (KeyCode.joystick..<KeyCode.toolPen).count(where: keys.contains)
        + (KeyCode.triggerHappy1...KeyCode.triggerHappy40).count(where: keys.contains)
        + (KeyCode.dpadUp...KeyCode.dpadRight).count(where: keys.contains)
      joystickButtons = buttons
      joystickAxes = (AbsoluteCode.rx..<AbsoluteCode.pressure).count(where: axes.contains)
    }
  }

  private static func pointerClasses(of node: NodeDescription) -> DeviceClasses {
    let facts = Facts(node)
    let hasDepth = facts.hasCoordinates && node.absolutes.contains(AbsoluteCode.z)
    if node.properties.contains(PropertyCode.accelerometer) || (node.keys.isEmpty && hasDepth) {
      return .accelerometer
    }
    var classes: DeviceClasses = node.properties.contains(PropertyCode.pointingStick) ? .pointingStick : []
    var isMouse = false
    if facts.hasCoordinates {
      if facts.hasStylus || facts.hasPen {
        classes.insert(.tablet)
      } else if facts.hasFingerOnly && !facts.isDirect {
        classes.insert(.touchpad)
      } else if facts.hasMouseButton {
        classes.insert(.mouse)
      } else if facts.hasTouch || facts.isDirect {
        classes.insert(.touchscreen)
      } else if facts.joystickButtons + facts.joystickAxes > 0 {
        classes.insert(.joystick)
      }
    } else if facts.joystickButtons + facts.joystickAxes > 0 {
      classes.insert(.joystick)
    }
    if facts.hasTouches {
      if facts.hasStylus || facts.hasPen {
        classes.insert(.tablet)
      } else if facts.hasFingerOnly && !facts.isDirect {
        classes.insert(.touchpad)
      } else if facts.hasTouch || facts.isDirect {
        classes.insert(.touchscreen)
      }
    }
    if classes.contains(.tablet) && facts.hasPadButtons { classes.insert(.tabletPad) }
    if facts.hasPadButtons && facts.hasWheel && !facts.hasMotion { classes.formUnion([.tablet, .tabletPad]) }
    isMouse =
      classes.isDisjoint(with: [.tablet, .touchpad, .joystick]) && facts.hasMouseButton
      && (facts.hasMotion || !facts.hasCoordinates)
    if isMouse { classes.insert(.mouse) }
    if isMouse && node.bus == Bus.i2c { classes.insert(.pointingStick) }
    if classes.contains(.joystick), !isJoystick(node, facts) { classes.remove(.joystick) }
    return classes
  }

  /// Some keyboards have a few joystick buttons among their bits; they are keyboards all the same.
  private static func isJoystick(_ node: NodeDescription, _ facts: Facts) -> Bool {
    let keyboardKeys = [
      KeyCode.leftCtrl, KeyCode.capsLock, KeyCode.numLock, KeyCode.insert, KeyCode.mute, KeyCode.calc, KeyCode.file,
      KeyCode.mail, KeyCode.playPause, KeyCode.brightnessDown,
    ]
    if keyboardKeys.count(where: node.keys.contains) >= 4 { return false }
    if facts.joystickButtons + facts.joystickAxes < 2 { return false }
    return !(facts.hasWheel && facts.hasPadButtons)
  }
}
