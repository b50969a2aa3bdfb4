import Glibc

/// Nobody reads, nobody is in front, or that changes while keys are held.
extension Scenarios {
  static func nobodyReads(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard F"), in: world)
    let daemon = try Daemon(in: world)
    try daemon.reach("ready", "Keyboard F")
    let source = try Observer(device.node, in: world)
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    for key in [Key.volumeDown, Key.a, Key.volumeUp] { device.press(key) }
    try world.require("the source is everybody's", detail: { source.keyText }) {
      source.keyText == "114+ 114- 30+ 30- 115+ 115-"
    }
    world.check("it can be grabbed by anybody", source.grab(true) && source.grab(false))
    // An observer of the socket is no reader: nothing is held for it.
    let watcher = try Subscriber(daemon, role: "observer", in: world)
    device.press(Key.volumeDown)
    try world.require("nor is it for an observer") { source.keys(Key.volumeDown).count == 4 }
    world.equal("the daemon still says ready", daemon.state(of: "Keyboard F"), "ready")
    world.check("nothing comes from the clone", clone.events.isEmpty, "\(clone.events)")
    world.check("no command", watcher.commands.isEmpty)
  }

  static func readerWithoutFocus(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard G"), in: world)
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try daemon.reach("held", "Keyboard G")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    let source = try Observer(device.node, in: world)
    for key in [Key.volumeDown, Key.a, Key.volumeUp] { device.press(key) }
    try world.require("every key arrives through the clone", detail: { clone.keyText }) {
      clone.keyText == "114+ 114- 30+ 30- 115+ 115-"
    }
    world.check("with the scan code of the volume key", clone.sawScan(of: Key.volumeDown))
    world.check("and not from the source", source.events.isEmpty, source.keyText)
    world.check("no command", reader.commands.isEmpty, "\(reader.commands)")
    reader.connection.shut()
    try daemon.reach("ready", "Keyboard G")
    device.press(Key.volumeDown)
    try world.require("when it is gone the source is everybody's again") { source.keys(Key.volumeDown) == [1, 0] }
  }

  static func focusWhileKeysAreHeld(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard H"))
    let (device, clone, reader) = (held.device, held.clone, held.reader)
    device.key(Key.leftAlt, 1)
    device.key(Key.a, 1)
    try world.require("Alt and a letter are down") { clone.down == [Key.leftAlt, Key.a] }
    try reader.release(world)
    world.check("losing focus releases nothing", clone.kernelDown == [Key.leftAlt, Key.a], "\(clone.kernelDown)")
    device.key(Key.volumeDown, 1)
    try world.require("without focus the volume key goes down on the clone") { clone.down.contains(Key.volumeDown) }
    try reader.claim(world)
    world.check(
      "nor does gaining it", clone.kernelDown == [Key.leftAlt, Key.a, Key.volumeDown], "\(clone.kernelDown)")
    device.key(Key.volumeDown, 0)
    try world.require("the release follows its press to the clone") { !clone.down.contains(Key.volumeDown) }
    world.check("and was no command", reader.commands.isEmpty, "\(reader.commands)")
    device.key(Key.volumeUp, 1)
    try world.require("a press with focus is a command") { reader.names == ["prev"] }
    try reader.release(world)
    device.key(Key.volumeUp, 0)
    device.press(Key.s)
    try world.require("a letter after it") { clone.keys(Key.s) == [1, 0] }
    world.check("its release stays swallowed without focus", !clone.saw(Key.volumeUp), clone.keyText)
    try reader.claim(world)
    device.key(Key.a, 0)
    device.key(Key.leftAlt, 0)
    try world.require("Alt and the letter go up when they are let go") { clone.down.isEmpty }
    world.equal("the letter once down, once up", clone.keys(Key.a).filter { $0 != 2 }, [1, 0])
    held.checkNothingStuck("clone and source agree")
    try held.checkNextPressWorks()
  }

  static func focusStorm(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard I"))
    let (device, clone, reader) = (held.device, held.clone, held.reader)
    var random = Random(seed: 7)
    var letters: [Event] = []
    var down: Set<UInt16> = []
    var volumePresses = 0
    var volumeDown = false
    for step in 0..<240 {
      switch random.next(6) {
      case 0: reader.focus(step % 2 == 0)
      case 1:
        volumeDown.toggle()
        if volumeDown { volumePresses += 1 }
        device.key(Key.volumeDown, volumeDown ? 1 : 0)
      default:
        let letter = [Key.leftAlt, Key.a, Key.s, Key.d][random.next(4)]
        let value: Int32 = down.contains(letter) ? 0 : 1
        if value == 1 { down.insert(letter) } else { down.remove(letter) }
        device.key(letter, value)
        letters.append(Event(.key, letter, value))
      }
      // Not more at once than the kernel's queue holds.
      if step % 8 == 7 {
        let sent = letters.count
        _ = world.wait(seconds: 5) {
          clone.events.count { $0.kind == .key && $0.value != 2 && $0.code != Key.volumeDown } >= sent
        }
      }
    }
    for letter in down.sorted() {
      device.key(letter, 0)
      letters.append(Event(.key, letter, 0))
    }
    if volumeDown { device.key(Key.volumeDown, 0) }
    try held.barrier()
    let seen = clone.events.filter { event in
      event.kind == .key && event.value != 2 && event.code != Key.volumeDown && event.code != Key.z
    }
    world.check(
      "every letter in order, none early, none lost", seen.elementsEqual(letters) { $0.same(as: $1) },
      "\(seen.count) of \(letters.count)")
    let passed = clone.keys(Key.volumeDown)
    world.check(
      "a volume press is a command or passes whole, never both, never neither",
      passed.count { $0 == 1 } + reader.commands.count == volumePresses
        && passed.count { $0 == 1 } == passed.count { $0 == 0 },
      "\(volumePresses) presses, \(reader.commands.count) commands, clone \(passed)")
    held.checkNothingStuck("clone and source agree on every key")
  }
}

/// A small generator with a seed, so that a failing run can be repeated.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
