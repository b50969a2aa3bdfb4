import PageKeys
import Testing

/// What each input of a page turner means before anybody configures it.
@Suite struct DefaultBindingTests {
  @Test(arguments: [
    ("VOLUMEDOWN", "next"), ("PAGEDOWN", "next"), ("RIGHT", "next"), ("DOWN", "next"), ("NEXTSONG", "next"),
    ("FORWARD", "next"), ("SPACE", "next"), ("BTN_SOUTH", "next"), ("BTN_LEFT", "next"), ("BTN_DPAD_RIGHT", "next"),
    ("VOLUMEUP", "prev"), ("PAGEUP", "prev"), ("LEFT", "prev"), ("UP", "prev"), ("PREVIOUSSONG", "prev"),
    ("BACK", "prev"), ("BTN_EAST", "prev"), ("BTN_RIGHT", "prev"), ("BTN_DPAD_UP", "prev"), ("PLAYPAUSE", "toggle"),
    ("ENTER", "toggle"), ("BTN_START", "toggle"), ("MENU", "toggle"), ("ESC", ""), ("A", ""), ("BTN_NORTH", ""),
    ("MUTE", ""), ("POWER", ""), ("NEXT", ""), ("BTN_MIDDLE", ""), ("KPENTER", ""), ("F5", ""), ("DOT", ""),
  ])
  func keys(_ name: String, _ command: String) throws {
    let code = try #require(KeyNames.key(name))
    for role in [Role.pageTurner, .shared] {
      let rig = Rig(role: role)
      rig.key(code, 1, at: 0)
      rig.key(code, 0, at: 50_000)
      let isShared = role == .shared && !name.hasPrefix("VOLUME")
      #expect(rig.commands.joined() == (isShared ? "" : command), "\(role)")
    }
  }

  @Test func onASharedDeviceNothingButTheVolumeKeys() {
    var node = Rig.keyboard()
    node.setAxis(0x10, AxisTests.hat)
    let rig = Rig(role: .shared, nodes: [node])
    rig.wheel(-1, at: 0)
    rig.axis(0x10, 1, at: 1)
    #expect(rig.commands.isEmpty)
    #expect(rig.seen() == "REL_WHEEL=-1 | ABS_HAT0X=1 |")
  }

  @Test func aPointersPlaceIsNoStick() {
    var node = AxisTests.pad(AxisTests.byte)
    node.keys = [0x110, 0x111]
    let rig = Rig(nodes: [node])
    rig.axis(0, 255, at: 0)
    #expect(rig.commands.isEmpty)
  }
}
