import PageKeys
import ReaderIPC
import TestSupport
import Testing

@Suite struct ProfileTests {
  @Test func thereAreEnough() {
    #expect(Profiles.shipped.deviceCount >= 30)
  }

  /// Each file by itself, so that a fault names its file.
  @Test(arguments: TextFiles.names(in: TestPaths.root + "/devices.d", ending: ".conf"))
  func everyFileIsUnderstood(_ name: String) throws {
    var configuration = Configuration()
    try configuration.add(try #require(TextFiles.text(TestPaths.root + "/devices.d/" + name)), file: name)
    #expect(configuration.deviceCount > 0)
  }

  /// What the reports and recordings name is known by name or number, and so are all of its nodes.
  @Test(arguments: [
    "AB Shutter3", "AB Shutter3 Keyboard", "AB Shutter 3", "camera-remote-control", "Kobo Remote", "Free3-P", "Free2-R",
    "EGV101 Consumer Control", "EGV101", "EGV101 Mouse", "T01", "D01", "D01 Pro", "D02", "JX-11", "HBTR002-X",
    "VEC  VEC USB Footpedal", "PCsensor FootSwitch Keyboard", "Griffin PowerMate", "AirTurn PEDpro",
    "8BitDo M30 in X-Input mode", "8BitDo Zero 2 gamepad", "8bitDo Micro gamepad", "8BitDo Micro gamepad", "SPOTLIGHT",
    "Nintendo Wii Remote", "Joy-Con (L)",
  ])
  func knowsByName(_ name: String) {
    #expect(Profiles.shipped.settings(for: [NodeDescription(name: name)]).role == .pageTurner)
  }

  @Test(arguments: [
    (0x046d, 0xc538), (0x05f3, 0x00ff), (0x0738, 0x4716), (0x0c45, 0x7404), (0x0b33, 0x0020),
  ])
  func knowsByNumber(_ vendor: Int, _ product: Int) {
    let node = NodeDescription(name: "?", bus: Bus.usb, vendor: UInt16(vendor), product: UInt16(product))
    #expect(Profiles.shipped.settings(for: [node]).role == .pageTurner)
  }

  @Test func motionSensorsOfKnownPadsStayAlone() {
    let nodes = [NodeDescription(name: "Joy-Con (L)"), NodeDescription(name: "Joy-Con (L) IMU")]
    let settings = Profiles.shipped.settings(for: nodes)
    #expect(judge(nodes[0], siblings: [nodes[1]], settings: settings).role == .pageTurner)
    #expect(judge(nodes[1], siblings: [nodes[0]], settings: settings).role == .ignore)
  }

  /// No shipped profile takes what belongs to everybody.
  @Test(arguments: [
    "AT Translated Set 2 keyboard", "Logitech USB Keyboard", "Logitech USB Receiver", "Power Button", "Lid Switch",
    "Logitech M720 Triathlon", "Wacom Intuos Pro M Pen", "SynPS/2 Synaptics TouchPad", "Dell KB216 Wired Keyboard",
    "Apple Inc. Magic Keyboard", "USB Optical Mouse",
  ])
  func leavesOthersAlone(_ name: String) {
    #expect(!Profiles.shipped.settings(for: [NodeDescription(name: name, bus: Bus.usb)]).isNamed)
  }

  @Test func theKnownPedalKnowsItsThreeSides() {
    let settings = Profiles.shipped.settings(for: [NodeDescription(name: "VEC  VEC USB Footpedal")])
    let bound = settings.bindings.map { "\($0.trigger) \($0.command.map(\.description) ?? "")" }
    #expect(bound.count == 3)
    let rig = Rig("F14 = prev\nF15 = toggle\nF16 = next")
    for code in UInt16(184)...186 { rig.key(code, 1, at: 0) }
    #expect(rig.commands == ["prev", "toggle", "next"])
  }
}
