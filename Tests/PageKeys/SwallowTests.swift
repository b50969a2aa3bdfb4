import PageKeys
import Testing

/// What reaches the clone: decided at the press, followed by the release.
@Suite struct SwallowTests {
  static let a: UInt16 = 30
  static let scanA: Int32 = 0x70004
  static let scanVolume: Int32 = 0xc00ea

  @Test func aSharedKeyboardTypesWithItsScanCodes() {
    let rig = Rig(role: .shared)
    rig.frame([(4, 4, SwallowTests.scanA), (1, 30, 1)], at: 0)
    rig.frame([(4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 1)], at: 1)
    rig.frame([(4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 0)], at: 2)
    rig.frame([(4, 4, SwallowTests.scanA), (1, 30, 0)], at: 3)
    #expect(rig.seen() == "MSC_SCAN=458756 A=1 | MSC_SCAN=458756 A=0 |")
    #expect(rig.story == "tap:next@1")
  }

  @Test func oneFrameOfBothIsParted() {
    let rig = Rig(role: .shared)
    rig.frame(
      [(4, 4, SwallowTests.scanA), (1, 30, 1), (4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 1)], at: 0)
    rig.frame(
      [(4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 0), (4, 4, SwallowTests.scanA), (1, 30, 0)], at: 1)
    #expect(rig.seen() == "MSC_SCAN=458756 A=1 | MSC_SCAN=458756 A=0 |")
  }

  @Test func autorepeatIsNeverForwarded() {
    let rig = Rig(role: .shared)
    rig.key(30, 1, at: 0)
    rig.frame([(1, 30, 2)], at: 1, end: 1)
    rig.frame([(1, KeyCode.volumeDown, 2)], at: 2, end: 1)
    rig.key(30, 0, at: 3)
    #expect(rig.seen() == "A=1 | A=0 |")
    #expect(rig.commands.isEmpty)
  }

  @Test func aPageTurnerIsSilentWhileRouted() {
    let rig = Rig()
    rig.frame([(4, 4, SwallowTests.scanA), (1, 30, 1)], at: 0)
    rig.frame([(2, 0, 5), (2, 1, 5)], at: 1)
    rig.frame([(3, 7, 5)], at: 2)
    rig.frame([(4, 3, 77)], at: 3)
    rig.frame([(4, 4, SwallowTests.scanA), (1, 30, 0)], at: 4)
    #expect(rig.seen() == "")
  }

  @Test func powerSleepWakeUpAndSwitchesAlwaysPass() {
    let rig = Rig()
    for code in [KeyCode.power, KeyCode.sleep, KeyCode.wakeUp] {
      rig.frame([(4, 4, 0x10081), (1, code, 1)], at: 0)
      rig.key(code, 0, at: 1)
    }
    rig.frame([(5, 0, 1)], at: 2)
    #expect(
      rig.seen()
        == "MSC_SCAN=65665 POWER=1 | POWER=0 | MSC_SCAN=65665 SLEEP=1 | SLEEP=0 | MSC_SCAN=65665 WAKEUP=1 | WAKEUP=0 | SW_LID=1 |"
    )
  }

  @Test func aProfileSaysOtherwise() {
    let rig = Rig("swallow = POWER SW_LID\nSLEEP = first\npass = B PAGEDOWN")
    rig.key(KeyCode.power, 1, at: 0)
    rig.key(KeyCode.power, 0, at: 1)
    rig.key(KeyCode.sleep, 1, at: 2)
    rig.key(KeyCode.sleep, 0, at: 3)
    rig.frame([(5, 0, 1)], at: 4)
    rig.key(48, 1, at: 5)
    rig.key(48, 0, at: 6)
    rig.key(KeyCode.pageDown, 1, at: 7)
    rig.key(KeyCode.pageDown, 0, at: 8)
    #expect(rig.seen() == "B=1 | B=0 | PAGEDOWN=1 | PAGEDOWN=0 |")
    #expect(rig.commands == ["first"])
    rig.routed = false
    rig.catchUp(at: 9)
    #expect(rig.clones[0]?.switches == [0])
    rig.key(KeyCode.power, 1, at: 10)
    #expect(rig.clones[0]?.keys == [KeyCode.power])
  }

  @Test(arguments: [Role.pageTurner, .shared]) func withNobodyThereEverythingPasses(_ role: Role) {
    let rig = Rig(role: role)
    rig.routed = false
    rig.frame([(4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 1)], at: 0)
    rig.frame([(4, 4, SwallowTests.scanVolume), (1, KeyCode.volumeDown, 0)], at: 1)
    rig.frame([(2, 8, -1), (2, 11, -120)], at: 2)
    #expect(
      rig.seen()
        == "MSC_SCAN=786666 VOLUMEDOWN=1 | MSC_SCAN=786666 VOLUMEDOWN=0 | REL_WHEEL=-1 REL_WHEEL_HI_RES=-120 |")
    #expect(rig.commands.isEmpty)
  }

  /// Scenario 4 (gvalkov/python-evdev 4): a focus change between press and release.
  @Test(arguments: [Role.pageTurner, .shared], [true, false]) func theReleaseFollowsThePress(
    _ role: Role, _ routedFirst: Bool
  ) {
    let rig = Rig(role: role)
    rig.routed = routedFirst
    rig.key(KeyCode.volumeDown, 1, at: 0)
    rig.routed.toggle()
    rig.catchUp(at: 1)
    rig.key(KeyCode.volumeDown, 0, at: 2)
    #expect(rig.seen() == (routedFirst ? "" : "VOLUMEDOWN=1 | VOLUMEDOWN=0 |"))
    #expect(rig.commands == (routedFirst ? ["next"] : []))
    #expect(!rig.isDown(0))
  }

  @Test func aLetterHeldOverAFocusChangeIsReleased() {
    let rig = Rig()
    rig.routed = false
    rig.key(30, 1, at: 0)
    rig.routed = true
    rig.key(48, 1, at: 1)
    rig.key(30, 0, at: 2)
    rig.routed = false
    rig.key(48, 0, at: 3)
    #expect(rig.seen() == "A=1 | A=0 |")
  }

  @Test func pressAndReleaseInOneFrame() {
    let rig = Rig()
    rig.frame([(1, KeyCode.volumeDown, 1), (1, KeyCode.volumeDown, 0)], at: 0)
    rig.frame([(1, KeyCode.volumeDown, 1), (1, KeyCode.volumeDown, 0)], at: 1)
    #expect(rig.commands == ["next", "next"])
    let unrouted = Rig()
    unrouted.routed = false
    unrouted.frame([(1, KeyCode.volumeDown, 1), (1, KeyCode.volumeDown, 0)], at: 0)
    #expect(unrouted.seen() == "VOLUMEDOWN=1 VOLUMEDOWN=0 |")
  }

  @Test func rolloverInOneFrame() {
    let rig = Rig()
    rig.key(KeyCode.playPause, 1, at: 0)
    rig.frame([(1, KeyCode.playPause, 0), (1, KeyCode.previousSong, 1)], at: 10)
    rig.key(KeyCode.previousSong, 0, at: 20)
    #expect(rig.commands == ["toggle", "prev"])
  }

  // MARK: Ghost reports

  @Test func aReportOfManyKeysCallsNothing() {
    let ghosts: [UInt16] = [38, 35, 65, 4, KeyCode.right, KeyCode.volumeUp]
    let rig = Rig()
    rig.frame(ghosts.map { (1, $0, 1) }, at: 0)
    rig.frame(ghosts.map { (1, $0, 0) }, at: 6_000)
    #expect(rig.commands.isEmpty)
    #expect(rig.seen() == "")
    rig.key(KeyCode.right, 1, at: 100_000)
    #expect(rig.commands == ["next"])
  }

  /// zampierilucas/kindle-hid-passthrough 84: the kernel cuts the report after eight events, SYN_REPORT 1.
  @Test func aReportThatTheKernelCutIsOne() {
    let rig = Rig("debounce = 0\nhold UP = last")
    func keys(_ codes: [UInt16], _ value: Int32) -> [(UInt16, UInt16, Int32)] {
      codes.flatMap { code -> [(UInt16, UInt16, Int32)] in [(4, 4, Int32(code)), (1, code, value)] }
    }
    rig.frame(keys([65, 4, 38, 35], 1), at: 0, end: 1)
    rig.frame(keys([KeyCode.right, KeyCode.up], 1), at: 0)
    rig.frame(keys([65, 4, 38, 35], 0), at: 6_537, end: 1)
    rig.frame(keys([KeyCode.right, KeyCode.up], 0), at: 6_537)
    rig.advance(to: 900_000)
    #expect(rig.commands.isEmpty)
    #expect(!rig.isDown(0))
    rig.key(KeyCode.up, 1, at: 1_000_000)
    rig.key(KeyCode.up, 0, at: 1_050_000)
    #expect(rig.commands == ["prev"])
  }

  @Test func onASharedKeyboardAGhostReportOnlyTypes() {
    let rig = Rig(role: .shared)
    rig.frame([(1, 30, 1), (1, 48, 1), (1, 46, 1), (1, KeyCode.volumeUp, 1)], at: 0)
    rig.frame([(1, 30, 0), (1, 48, 0), (1, 46, 0), (1, KeyCode.volumeUp, 0)], at: 1)
    #expect(rig.seen() == "A=1 B=1 C=1 | A=0 B=0 C=0 |")
    #expect(rig.commands.isEmpty)
  }

  @Test func twoFingersAtOnceAreNoGhost() {
    let rig = Rig()
    rig.frame([(1, KeyCode.volumeDown, 1), (1, KeyCode.pageUp, 1)], at: 0)
    #expect(rig.commands == ["next", "prev"])
  }

  // MARK: Latch

  @Test func aLatchCountsPerChange() {
    let rig = Rig("latch BTN_2\nBTN_2 = next")
    rig.frame([(1, 0x102, 1)], at: 0)
    rig.frame([(1, 0x102, 0)], at: 900_000)
    rig.frame([(1, 0x102, 1)], at: 1_900_000)
    #expect(rig.commands == ["next", "next", "next"])
    #expect(rig.seen() == "")
    #expect(!rig.isDown(0), "a latch does not delay anything")
    let without = Rig("BTN_2 = next")
    without.frame([(1, 0x102, 1)], at: 0)
    without.frame([(1, 0x102, 0)], at: 900_000)
    #expect(without.commands == ["next"])
  }

  @Test func aLatchThatTheCloneHasIsReleasedThere() {
    let rig = Rig("latch BTN_2\nBTN_2 = next")
    rig.routed = false
    rig.frame([(1, 0x102, 1)], at: 0)
    rig.routed = true
    rig.frame([(1, 0x102, 0)], at: 1)
    #expect(rig.clones[0]?.keys.isEmpty == true)
    #expect(rig.commands == ["next"])
  }

  // MARK: The end, and the state at the grab

  @Test func anUnpluggedDeviceLeavesNothingDown() {
    let rig = Rig(role: .shared)
    rig.key(30, 1, at: 0)
    rig.key(KeyCode.leftCtrl, 1, at: 1)
    rig.key(KeyCode.volumeDown, 1, at: 2)
    rig.detach(at: 3)
    #expect(rig.seen() == "A=1 | LEFTCTRL=1 | LEFTCTRL=0 A=0 |")
    rig.key(30, 0, at: 4)
    #expect(rig.seen().hasSuffix("A=0 |"), "a node that is gone says nothing")
    #expect(rig.commands == ["next"])
  }

  @Test func keysDownAtTheGrabAreNobodysPress() {
    let rig = Rig()
    var state = NodeState()
    state.keysDown = [KeyCode.volumeDown, 30]
    state.switchesOn = [0]
    rig.synchronise(with: state, at: 0)
    #expect(rig.seen() == "SW_LID=1 |")
    rig.key(KeyCode.volumeDown, 0, at: 1)
    rig.routed = false
    rig.key(30, 0, at: 2)
    #expect(rig.seen() == "SW_LID=1 |")
    #expect(rig.commands.isEmpty)
    rig.key(30, 1, at: 3)
    #expect(rig.clones[0]?.keys == [30])
    rig.letGo(at: 4)
    #expect(rig.clones[0]?.keys.isEmpty == true)
  }

  @Test func emptyFramesAreDropped() {
    let rig = Rig()
    rig.routed = false
    rig.frame([], at: 0)
    rig.frame([(4, 4, 5)], at: 1)
    #expect(rig.seen() == "MSC_SCAN=5 |")
  }

  @Test func ledsAreNotForwarded() {
    let rig = Rig(role: .shared)
    rig.frame([(0x11, 1, 1)], at: 0)
    rig.frame([(0x14, 0, 250)], at: 0)
    #expect(rig.seen() == "")
  }
}
