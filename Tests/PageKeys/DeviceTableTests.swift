import PageKeys
import ReaderIPC
import TestSupport
import Testing

/// docs/devices.md says what works without configuration: the same devices as devices.d, and what it says is so.
@Suite struct DeviceTableTests {
  private static let table: [[String]] = (TextFiles.text(TestPaths.root + "/docs/devices.md") ?? "")
    .split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") && !$0.hasPrefix("| device") }
    .map { $0.split(separator: "|").map { cell in String(cell) } }
    .filter { $0.count >= 4 && Int($0[0].filter { $0 != " " }) == nil }

  private static func quoted(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// `05f3:00ff` and `0003:05f3:00ff` as the former.
  private static func numbers(_ text: String) -> [String] {
    var found: [String] = []
    for word in text.split(whereSeparator: { !($0.isHexDigit || $0 == ":") }) {
      let parts = word.split(separator: ":")
      guard parts.count >= 2, parts.allSatisfy({ $0.count == 4 }) else { continue }
      found.append(parts.suffix(2).joined(separator: ":"))
    }
    return found
  }

  private static let profiles: [String] = TextFiles.names(in: TestPaths.root + "/devices.d", ending: ".conf")
    .flatMap { (TextFiles.text(TestPaths.root + "/devices.d/" + $0) ?? "").split(separator: "\n").map(String.init) }

  @Test func everyProfileIsInTheTableAndBack() {
    #expect(Self.table.count >= 30)
    let named = Self.profiles.filter { $0.hasPrefix("[device \"") }.map { String($0.dropFirst(9).dropLast(2)) }
    let shown = Self.table.flatMap { Self.quoted($0[1]) }
    let beside = Self.table.flatMap { Self.quoted($0[3]) }
    #expect(Set(shown).subtracting(named).isEmpty)
    #expect(Set(named).subtracting(shown).subtracting(beside).isEmpty)
    let numbered = Self.profiles.filter { $0.hasPrefix("id ") }.flatMap { Self.numbers($0) }
    #expect(Set(numbered) == Set(Self.table.flatMap { Self.numbers($0[1]) }))
  }

  /// Name or number of a device, what is done to it, and the commands that the table's line promises; `.`: none.
  @Test(arguments: [
    ("AB Shutter3", "VOLUMEUP VOLUMEDOWN ENTER", "prev next next"),
    ("camera-remote-control", "VOLUMEUP ENTER", "prev next"),
    ("Kobo Remote", "RIGHT LEFT UP DOWN", "next prev prev next"),
    ("Free3-P", "UP DOWN", "prev next"), ("HBTR002-1", "VOLUMEDOWN VOLUMEUP", "next prev"),
    ("E1 Control", "NEXTSONG PREVIOUSSONG VOLUMEUP", "next prev prev"), ("EGV101", "LEFT ENTER", "prev toggle"),
    ("NVIDIA SHIELD Remote", "RIGHT LEFT SELECT", "next prev toggle"),
    ("Amazon Fire TV Remote", "DOWN UP KPENTER", "next prev toggle"), ("T01", "swipe-left swipe-right", "next prev"),
    ("D01", "swipe-up swipe-down", "next prev"), ("D01 Pro", "NEXTSONG PREVIOUSSONG POWER", "next prev ."),
    ("D02", "PLAYPAUSE NEXTSONG VOLUMEUP", "next next prev"), ("J06", "swipe-down swipe-up", "prev next"),
    ("JX-11", "swipe-up swipe-right", "next prev"),
    ("BLE-M3", "wheel-down wheel-up BTN_LEFT BTN_RIGHT", "next prev next prev"),
    ("CheerTok Air", "VOLUMEUP BACK CAMERA HOMEPAGE", "prev prev prev next"),
    ("VEC USB Footpedal", "F14 F15 F16", "prev toggle next"), ("05f3:00ff", "F14 F15 F16", "prev toggle next"),
    ("PCsensor FootSwitch", "A B C", "prev next next"), ("3553:b001", "A B C", "prev next next"),
    ("0426:3011", "A B C", "prev next next"), ("AirTurn PED", "UP DOWN PAGEUP PAGEDOWN", "prev next prev next"),
    ("BT-105", "LEFT RIGHT", "prev next"), ("PageFlip Firefly", "PAGEUP DOWN", "prev next"),
    ("iRig BlueTurn", "PAGEDOWN UP", "next prev"), ("Donner Bluetooth Page Turner", "PAGEDOWN LEFT", "next prev"),
    ("M-VAVE Cube Turner", "PAGEUP RIGHT", "prev next"),
    ("Griffin PowerMate", "dial-right dial-left BTN_0", "next prev toggle"),
    ("Griffin SoundKnob", "dial-right BTN_0", "next toggle"),
    (
      "0b33:0020", "BTN_4 BTN_5 BTN_6 BTN_7 BTN_8 dial-right dial-left wheel-up wheel-down",
      "prev prev toggle next next . . . ."
    ),
    ("046d:c538", "PAGEUP PAGEDOWN F5 ESC DOT", "prev next . . ."), ("SPOTLIGHT", "LEFT RIGHT", "prev next"),
    ("Kensington Wireless Presenter", "PAGEDOWN PAGEUP B", "next prev ."),
    ("Norwii Wireless Presenter", "PAGEDOWN", "next"),
    ("8BitDo M30 gamepad", "BTN_SOUTH BTN_EAST stick-right stick-left", "next prev next prev"),
    ("8BitDo Zero 2 gamepad", "BTN_SOUTH BTN_EAST stick-down stick-up", "next prev next prev"),
    ("8BitDo Micro", "C D E F G J O", "prev next prev next next prev toggle"),
    ("0738:4716", "BTN_SOUTH BTN_EAST hat-right hat-up", "next prev next prev"),
    ("Joy-Con (L)", "stick-right stick-left", "next prev"),
    ("Nintendo Wii Remote", "LEFT RIGHT NEXT PREVIOUS BTN_1 BTN_2", "prev next next prev prev next"),
    ("Plantronics Plantronics .Audio 648 USB", "VOLUMEUP VOLUMEDOWN PLAYPAUSE", "prev next ."),
  ])
  func doesWhatTheTableSays(_ device: String, _ acts: String, _ promised: String) throws {
    for (act, command) in zip(acts.split(separator: " "), promised.split(separator: " ")) {
      let fired = try recording(of: device, String(act)).replay(Profiles.shipped).map(\.command.description)
      #expect(fired == (command == "." ? [] : [String(command)]), "\(device): \(act)")
    }
  }

  private func recording(of device: String, _ act: String) throws -> Recording {
    var node = NodeDescription(name: device, bus: Bus.usb)
    if let number = Self.numbers(device).first {
      (node.vendor, node.product) = (
        try #require(UInt16(number.prefix(4), radix: 16)), try #require(UInt16(number.suffix(4), radix: 16))
      )
    }
    let parts = act.split(separator: "-").map(String.init)
    var steps: [(UInt16, UInt16, Int32)] = []
    let isBack = parts.last == "left" || parts.last == "up"
    let isUpright = parts.last == "up" || parts.last == "down"
    switch parts[0] {
    case "wheel":
      node.relatives = [RelativeCode.wheel]
      steps = [(EventType.rel, RelativeCode.wheel, isBack ? 1 : -1)]
    case "dial":
      node.relatives = [RelativeCode.dial]
      steps = [(EventType.rel, RelativeCode.dial, isBack ? -1 : 1)]
    case "hat", "stick", "swipe":
      let first = parts[0] == "hat" ? AbsoluteCode.hat0X : AbsoluteCode.x
      for code in [first, first + 1] {
        node.absolutes.insert(code)
        node.axes[Int(code)] = AxisInfo(minimum: -100, maximum: 100, value: 0)
      }
      let code = isUpright ? first + 1 : first
      if parts[0] == "swipe" {
        node.keys = [KeyCode.touch]
        let way: [Int32] = isBack ? [80, 0, -80] : [-80, 0, 80]
        steps = [(EventType.abs, code, way[0]), (EventType.key, KeyCode.touch, 1)]
        steps += way.dropFirst().map { (EventType.abs, code, $0) } + [(EventType.key, KeyCode.touch, 0)]
      } else {
        node.keys = [KeyCode.south]
        steps = [(EventType.abs, code, isBack ? -100 : 100), (EventType.abs, code, 0)]
      }
    default:
      let code = try #require(KeyNames.key(act), "\(act)")
      node.keys = [code]
      steps = [(EventType.key, code, 1), (EventType.key, code, 0)]
    }
    var recording = Recording(node: node)
    for (index, step) in steps.enumerated() {
      let time = UInt64(index) * 30_000
      recording.events.append(InputEvent(type: step.0, code: step.1, value: step.2, time: time))
      // The first touch and its place come in one frame.
      if parts[0] == "swipe", index == 0 { continue }
      recording.events.append(InputEvent(type: EventType.syn, code: 0, value: 0, time: time))
    }
    return recording
  }
}
