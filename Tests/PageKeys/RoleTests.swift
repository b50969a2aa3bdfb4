import PageKeys
import Testing

/// The rules of `auto`, and what they make of the devices around.
@Suite struct RoleTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let node: NodeDescription
    let siblings: [NodeDescription]
    let role: Role
    let rule: Int
    var testDescription: String { name }

    init(_ name: String, _ node: NodeDescription, _ role: Role, _ rule: Int, siblings: [NodeDescription] = []) {
      self.name = name
      self.node = node
      self.siblings = siblings
      self.role = role
      self.rule = rule
    }
  }

  private static func node(
    _ bus: UInt16 = Bus.usb, keys: [UInt16] = [], rel: [UInt16] = [], abs: [UInt16] = [], sw: [UInt16] = [],
    props: [UInt16] = [], phys: String = "", isVirtual: Bool = false
  ) -> NodeDescription {
    var node = NodeDescription(name: "n", phys: phys, bus: bus)
    node.keys = CodeSet(keys)
    node.relatives = CodeSet(rel)
    for code in abs {
      node.setAxis(code, (0x10...0x17).contains(code) ? AxisTests.hat : AxisTests.byte)
    }
    node.switches = CodeSet(sw)
    node.properties = CodeSet(props)
    node.isVirtual = isVirtual
    return node
  }

  private static let letters = Array(UInt16(1)...58)
  private static let volume = [KeyCode.volumeUp, KeyCode.volumeDown]
  private static let mouse = node(keys: [0x110, 0x111, 0x112], rel: [0, 1, 8])
  private static let arrows = [KeyCode.left, KeyCode.right]

  static let cases: [Case] = [
    // A laptop.
    Case("laptop keyboard with volume keys", node(0x11, keys: letters + volume), .shared, 5),
    Case("laptop keyboard without", node(0x11, keys: letters), .ignore, 8),
    Case("USB keyboard with volume keys", node(keys: letters + volume), .shared, 5),
    Case("USB keyboard without", node(keys: letters + [104, 109]), .ignore, 8),
    Case("power button", node(Bus.host, keys: [KeyCode.power]), .ignore, 4),
    Case("sleep button", node(Bus.host, keys: [KeyCode.sleep]), .ignore, 4),
    Case("lid", node(Bus.host, sw: [0]), .ignore, 4),
    Case("video bus", node(Bus.host, keys: [224, 225, 227, 241, 242]), .ignore, 4),
    Case("hot keys with volume", node(Bus.host, keys: volume + [113, 224, 225]), .shared, 5),
    Case("hot keys without", node(Bus.host, keys: [113, 224, 148, 149]), .ignore, 4),
    Case("headphone jack", node(0, sw: [2, 4]), .ignore, 8),
    Case("PC speaker", node(0x10), .ignore, 8),
    Case("tablet buttons of a convertible", node(Bus.host, keys: volume + [KeyCode.power], sw: [1]), .shared, 5),
    // Sound.
    Case("USB headset", node(keys: volume + [113, 164]), .shared, 5),
    Case("headset without volume down", node(keys: [KeyCode.volumeUp, 164]), .ignore, 8),
    Case(
      "speaker over AVRCP", node(Bus.bluetooth, keys: [163, 164, 165, 166, 200, 201, 207, 208, 168]), .pageTurner, 7),
    Case("AVRCP made through uinput", node(Bus.bluetooth, keys: [163, 165, 200, 201], isVirtual: true), .ignore, 4),
    Case(
      "AVRCP with volume, through uinput", node(Bus.bluetooth, keys: [163, 165] + volume, isVirtual: true), .shared, 5),
    // Pointers.
    Case("mouse", mouse, .ignore, 3),
    Case("mouse with side buttons", node(keys: Array(0x110...0x117), rel: [0, 1, 6, 8, 11, 12]), .ignore, 3),
    Case("mouse with volume keys on it", node(keys: [0x110, 0x111] + volume, rel: [0, 1]), .ignore, 3),
    Case("touch pad", node(0x18, keys: [0x110, 0x145, 0x14a], abs: [0, 1, 0x2f, 0x35, 0x36, 0x39]), .ignore, 3),
    Case("pointing stick", node(0x11, keys: [0x110, 0x111], rel: [0, 1], props: [5]), .ignore, 3),
    Case("touch screen", node(0x18, keys: [0x14a], abs: [0, 1, 0x2f, 0x35, 0x36, 0x39], props: [1]), .ignore, 3),
    Case("pen", node(keys: [0x140, 0x14a, 0x14b], abs: [0, 1, 0x18]), .ignore, 3),
    Case("tablet's pad", node(keys: [0x100, 0x101, 0x102, 0x103, 0x14b], abs: [0, 1, 8]), .ignore, 3),
    Case("tablet's pad with a ring", node(keys: [0x100, 0x101], rel: [8]), .ignore, 3),
    Case("accelerometer", node(0x18, abs: [0, 1, 2]), .ignore, 3),
    Case("virtual machine's tablet", node(keys: [0x110, 0x111], rel: [8], abs: [0, 1]), .ignore, 3),
    Case("ring that looks like a pen", node(Bus.bluetooth, keys: [0x140, 0x14a], abs: [0, 1]), .ignore, 3),
    // A keyboard that is a pointer too stays a keyboard.
    Case("keyboard with a touch pad in one node", node(keys: letters + volume + [0x110], rel: [0, 1]), .shared, 5),
    // Pads.
    Case("Xbox pad", node(keys: Array(0x130...0x13e), abs: [0, 1, 2, 3, 4, 5, 0x10, 0x11]), .pageTurner, 6),
    Case("pad without a hat", node(keys: [0x130, 0x131, 0x133, 0x134], abs: [0, 1]), .pageTurner, 6),
    Case("flight stick", node(keys: [0x120, 0x121, 0x122], abs: [0, 1, 5, 6, 0x10, 0x11]), .pageTurner, 6),
    Case("flight stick without a hat", node(keys: [0x120, 0x121, 0x122], abs: [0, 1, 5, 6]), .pageTurner, 7),
    Case("rudder pedals", node(abs: [3, 4, 5]), .ignore, 8),
    Case(
      "steering wheel without a hat", node(keys: Array(0x120...0x12b) + Array(0x2c0...0x2c8), abs: [0, 3]), .ignore, 8),
    Case("pad over uinput", node(keys: [0x130, 0x131], abs: [0, 1, 0x10], isVirtual: true), .ignore, 4),
    // Small remotes.
    Case("presenter", node(keys: [1, 52, 63, 104, 109]), .pageTurner, 7),
    Case("pedal with arrows", node(Bus.bluetooth, keys: arrows), .pageTurner, 7),
    Case("remote that only goes on", node(keys: [KeyCode.right, KeyCode.pageDown]), .ignore, 8),
    Case("remote with a power key", node(keys: arrows + [KeyCode.power]), .ignore, 8),
    Case("remote with a wake-up key", node(keys: arrows + [KeyCode.wakeUp]), .ignore, 8),
    Case("remote with a switch", node(keys: arrows, sw: [2]), .ignore, 8),
    Case("sixteen keys", node(keys: arrows + Array(183...194) + [52, 1]), .pageTurner, 7),
    Case("seventeen keys", node(keys: arrows + Array(183...194) + [52, 1, 2]), .ignore, 8),
    Case("presenter beside a mouse", node(keys: arrows), .ignore, 8, siblings: [mouse]),
    Case("presenter beside a keyboard", node(keys: arrows), .ignore, 8, siblings: [node(keys: letters)]),
    Case("presenter beside its twin", node(keys: arrows), .pageTurner, 7, siblings: [node(keys: arrows)]),
    Case("dial", node(keys: [0x100], rel: [7]), .pageTurner, 7),
    Case("wheel alone", node(rel: [8]), .pageTurner, 7),
    Case("I2C remote", node(0x18, keys: arrows), .ignore, 8),
    Case("receiver's consumer node", node(keys: volume + [113, 163, 164, 165]), .shared, 5),
    Case("receiver's system node", node(keys: [116, 142, 143]), .ignore, 8),
    // Programs.
    Case("virtual keyboard with volume keys", node(Bus.virtual, keys: letters + volume, isVirtual: true), .shared, 5),
    Case("virtual keyboard", node(Bus.virtual, keys: letters, isVirtual: true), .ignore, 4),
    Case("virtual arrows", node(keys: arrows, isVirtual: true), .ignore, 4),
    Case("pagerd's own clone", node(keys: letters + volume, phys: "pagerd/usb-1/input0"), .ignore, 1),
    Case("pagerd's virtual keyboard", node(Bus.virtual, keys: volume, phys: "pagerd/virtual"), .ignore, 1),
  ]

  @Test(arguments: cases) func judges(_ item: Case) {
    let verdict = judge(item.node, siblings: item.siblings, settings: DeviceSettings())
    #expect(verdict.role == item.role)
    #expect(verdict.rule == item.rule, "\(verdict.reason)")
    #expect(!verdict.reason.isEmpty)
  }

  @Test func aProfileDecidesBeforeEverythingButTheClone() throws {
    var configuration = Configuration()
    try configuration.add("[device \"n\"]\nrole = page-turner", file: "x")
    let settings = configuration.settings(for: [RoleTests.mouse])
    #expect(judge(RoleTests.mouse, siblings: [], settings: settings).role == .pageTurner)
    var clone = RoleTests.mouse
    clone.phys = "pagerd/x"
    #expect(judge(clone, siblings: [], settings: settings).rule == 1)
  }

  @Test func aProfileWithoutARoleIsJudged() throws {
    var configuration = Configuration()
    try configuration.add("[device \"n\"]\nF14 = prev\nF15 = next", file: "x")
    let pedal = RoleTests.node(keys: [184, 185])
    #expect(judge(pedal, siblings: [], settings: DeviceSettings()).role == .ignore)
    #expect(judge(pedal, siblings: [], settings: configuration.settings(for: [pedal])).rule == 7)
  }

  @Test func oneIgnoredNodeIsNoWordAboutTheOthers() throws {
    var configuration = Configuration()
    try configuration.add("[device \"pad*\"]\nrole = page-turner\n[device \"pad IR\"]\nrole = ignore", file: "x")
    let pad = NodeDescription(name: "pad")
    let infrared = NodeDescription(name: "pad IR")
    let settings = configuration.settings(for: [pad, infrared])
    #expect(judge(pad, siblings: [infrared], settings: settings).role == .pageTurner)
    #expect(judge(infrared, siblings: [pad], settings: settings).role == .ignore)
  }

  @Test func whatUdevSaysComesFirst() {
    var ring = RoleTests.node(Bus.bluetooth, keys: arrowsAndTouch)
    #expect(judge(ring, siblings: [], settings: DeviceSettings()).rule == 7)
    ring.udev = ["ID_INPUT": "1", "ID_INPUT_TABLET": "1"]
    #expect(judge(ring, siblings: [], settings: DeviceSettings()).rule == 3)
    ring.udev = ["ID_INPUT": "1", "ID_INPUT_TABLET": "1", "ID_INPUT_KEYBOARD": "1"]
    #expect(judge(ring, siblings: [], settings: DeviceSettings()).rule == 8)
  }

  private let arrowsAndTouch: [UInt16] = [KeyCode.left, KeyCode.right]

  // MARK: Classes

  @Test(
    arguments: [
      ("keyboard", node(keys: letters), ["ID_INPUT_KEY", "ID_INPUT_KEYBOARD"]),
      ("half a keyboard", node(keys: Array(2...31)), ["ID_INPUT_KEY"]),
      ("mouse", mouse, ["ID_INPUT_MOUSE"]),
      ("wheel alone", node(rel: [8]), ["ID_INPUT_KEY"]),
      ("lid", node(sw: [0]), ["ID_INPUT_SWITCH"]),
      ("pad", node(keys: [0x130, 0x131], abs: [0, 1]), ["ID_INPUT_JOYSTICK"]),
      ("one joystick button", node(keys: [0x120], abs: [0, 1]), []),
      ("buttons without axes", node(keys: [0x120, 0x121]), ["ID_INPUT_JOYSTICK"]),
      (
        "keyboard with joystick bits", node(keys: letters + [69, 110, 113, 164, 0x120, 0x121]),
        ["ID_INPUT_KEY", "ID_INPUT_KEYBOARD"]
      ),
      ("touch screen", node(keys: [0x14a], abs: [0, 1]), ["ID_INPUT_TOUCHSCREEN"]),
      ("pen ring", node(keys: [0x140, 0x14a], abs: [0, 1]), ["ID_INPUT_TABLET"]),
      (
        "accelerometer by property", node(keys: [30], abs: [0, 1], props: [6]),
        ["ID_INPUT_KEY", "ID_INPUT_ACCELEROMETER"]
      ),
      ("I2C mouse", node(0x18, keys: [0x110], rel: [0, 1]), ["ID_INPUT_MOUSE", "ID_INPUT_POINTINGSTICK"]),
      ("claims every axis", node(keys: [0x130, 0x131], abs: Array(0...0x3d)), ["ID_INPUT_JOYSTICK"]),
      ("remote keys from the upper blocks", node(keys: [0x160, 0x161]), ["ID_INPUT_KEY"]),
      ("pad's buttons are no keys", node(keys: [0x220, 0x221]), ["ID_INPUT_JOYSTICK"]),
      ("nothing", node(), []),
    ] as [(String, NodeDescription, [String])])
  func derivesUdevsClasses(_ name: String, _ node: NodeDescription, _ expected: [String]) {
    #expect(Set(DeviceClasses.derived(from: node).udevNames) == Set(expected))
  }
}
