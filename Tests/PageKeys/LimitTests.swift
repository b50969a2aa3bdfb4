import PageKeys
import ReaderIPC
import Testing

/// Commands are emitted as keys, and there are keys for some of them only: what could call no other passes.
@Suite struct LimitTests {
  private func rig(_ lines: String = "", role: Role = .shared) -> Rig {
    let rig = Rig(lines, role: role)
    rig.limit(to: [.next])
    return rig
  }

  @Test(arguments: [Role.shared, .pageTurner])
  func aKeyWhoseCommandNobodyTakesPassesWhole(_ role: Role) {
    let rig = rig(role: role)
    rig.key(KeyCode.volumeUp, 1, at: 0)
    rig.key(KeyCode.volumeUp, 0, at: 10)
    rig.key(KeyCode.volumeDown, 1, at: 20)
    rig.key(KeyCode.volumeDown, 0, at: 30)
    #expect(rig.seen() == "VOLUMEUP=1 | VOLUMEUP=0 |")
    #expect(rig.story == "tap:next@20")
  }

  @Test(arguments: ["hold VOLUMEUP = next", "double VOLUMEUP = next", "VOLUMEUP+A = next"])
  func aKeyIsTakenForAnyOfItsCommands(_ line: String) {
    let rig = rig(line)
    rig.key(KeyCode.volumeUp, 1, at: 0)
    rig.key(KeyCode.volumeUp, 0, at: 10)
    #expect(rig.seen() == "")
  }

  @Test func whatWasBegunGoesWhereItWent() {
    let rig = rig()
    rig.key(KeyCode.volumeUp, 1, at: 0)
    rig.key(KeyCode.volumeDown, 1, at: 1)
    rig.limit(to: nil)
    rig.key(KeyCode.volumeUp, 0, at: 10)
    rig.key(KeyCode.volumeDown, 0, at: 11)
    #expect(rig.seen() == "VOLUMEUP=1 | VOLUMEUP=0 |")
    rig.key(KeyCode.volumeUp, 1, at: 20)
    rig.limit(to: [])
    rig.key(KeyCode.volumeUp, 0, at: 30)
    rig.key(KeyCode.volumeDown, 1, at: 40)
    rig.key(KeyCode.volumeDown, 0, at: 50)
    #expect(rig.seen() == "VOLUMEUP=1 | VOLUMEUP=0 | VOLUMEDOWN=1 | VOLUMEDOWN=0 |")
    #expect(rig.commands.count == 2)
  }

  @Test func wheelsAndDebouncedAndLatchedKeysToo() {
    let wheel = rig(role: .pageTurner)
    wheel.wheel(1, at: 0)
    wheel.wheel(-1, at: 100_000)
    #expect(wheel.seen() == "REL_WHEEL=1 |")
    let bouncing = rig("debounce = 20ms")
    bouncing.key(KeyCode.volumeUp, 1, at: 0)
    bouncing.key(KeyCode.volumeUp, 0, at: 100_000)
    bouncing.advance(to: 200_000)
    #expect(bouncing.seen() == "VOLUMEUP=1 | VOLUMEUP=0 |")
    #expect(bouncing.commands.isEmpty)
    let latching = rig("latch VOLUMEUP")
    latching.key(KeyCode.volumeUp, 1, at: 0)
    latching.key(KeyCode.volumeUp, 0, at: 100_000)
    #expect(latching.seen() == "VOLUMEUP=1 | VOLUMEUP=0 |")
    #expect(latching.commands.isEmpty)
  }
}
