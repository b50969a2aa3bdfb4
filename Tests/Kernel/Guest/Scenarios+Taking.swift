import CKernelShims
import Glibc

/// Keys that are down when the daemon comes, devices that come later, clones and other grabbers.
extension Scenarios {
  static func startedWhileVolumeIsHeld(_ world: World) throws {
    try startedWhileHeld(Key.volumeDown, "Keyboard P", world)
  }

  static func startedWhileEnterIsHeld(_ world: World) throws {
    try startedWhileHeld(Key.enter, "Keyboard Q", world)
  }

  private static func startedWhileHeld(_ key: UInt16, _ name: String, _ world: World) throws {
    let device = try VirtualDevice(.keyboard(name), in: world)
    let other = try VirtualDevice(.keyboard(name + " Other"), in: world)
    let source = try Observer(device.node, in: world)
    device.key(key, 1)
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("waiting-for-key", name)
    world.check("it is not grabbed while the key is down", source.grab(true) && source.grab(false))
    // A change of any key says that somebody is there: the wait has no limit then.
    device.key(key, 0)
    try world.require("the release is seen by the others") { source.keys(key).last == 0 }
    try daemon.reach("held", name)
    try daemon.reach("held", name + " Other")
    world.equal("one press, one release at the source", source.keys(key).filter { $0 != 2 }, [1, 0])
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    world.check("no command for the old press", reader.commands.isEmpty, "\(reader.commands)")
    world.check("the clone has nothing pressed", clone.kernelDown.isEmpty)
    device.press(Key.volumeDown)
    try world.require("the next press works") { reader.names == ["next"] }
    other.press(Key.volumeUp)
    try world.require("on the other device too") { reader.names == ["next", "prev"] }
    device.press(key == Key.enter ? Key.enter : Key.a)
    try world.require("and the other keys pass") { clone.keys(key == Key.enter ? Key.enter : Key.a) == [1, 0] }
    world.check("no key repeats", !clone.events.contains { $0.kind == .key && $0.value == 2 })
  }

  static func stuckKey(_ world: World) throws {
    // KarsMulder/evsieve#57: a key that is down for good must not keep the device from being used.
    let device = try VirtualDevice(.keyboard("Keyboard R"), in: world)
    let other = try VirtualDevice(.keyboard("Keyboard R Other"), in: world)
    let source = try Observer(device.node, in: world)
    device.key(Key.volumeUp, 1)
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Keyboard R Other")
    other.press(Key.volumeDown)
    try world.require("other devices work at once") { reader.names == ["next"] }
    try daemon.reach("held", "Keyboard R")
    try world.require("others see one clean release of the phantom") {
      source.keys(Key.volumeUp).filter { $0 != 2 } == [1, 0]
    }
    world.check("the log names the device", daemon.logText.contains("Keyboard R"), daemon.tail)
    world.check("and the key", daemon.logText.contains("VOLUMEUP"), daemon.tail)
    world.equal("no command for it", reader.names, ["next"])
    device.press(Key.volumeDown)
    try world.require("the next press works") { reader.names == ["next", "next"] }
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    device.press(Key.a)
    try world.require("letters pass") { clone.keys(Key.a) == [1, 0] }
    world.check("nothing is pressed", clone.kernelDown.isEmpty && source.kernelDown.isEmpty)
  }

  static func eventsBeforeTheGrab(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard S"), in: world)
    let daemon = try Daemon(in: world)
    try daemon.reach("ready", "Keyboard S")
    let source = try Observer(device.node, in: world)
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    for _ in 0..<5 {
      device.press(Key.volumeDown)
      device.press(Key.a)
    }
    try world.require("the others have the earlier events") { source.keys(Key.a).count == 10 }
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Keyboard S")
    device.press(Key.z)
    try world.require("a letter comes through the clone") { clone.keys(Key.z) == [1, 0] }
    world.equal("earlier letters are not typed again", clone.keyText, "44+ 44-")
    world.check("earlier page keys are no commands", reader.commands.isEmpty, "\(reader.commands)")
    // Typing goes on while the device is taken: each press reaches exactly one side, whole.
    reader.connection.shut()
    try daemon.reach("ready", "Keyboard S")
    source.forget()
    clone.forget()
    let second = try Subscriber(daemon, name: "second", in: world)
    second.focus(true)
    var sent = 0
    try world.require("the device is held while letters are typed") {
      device.press(Key.letters[sent % Key.letters.count])
      sent += 1
      world.turn(milliseconds: 4)
      return daemon.state(of: "Keyboard S") == "held" && clone.events.count > 20
    }
    device.press(Key.z)
    try world.require("the last letter arrives") { clone.saw(Key.z) && clone.keys(Key.z).last == 0 }
    let both = (source.events + clone.events).filter { $0.kind == .key && $0.value != 2 && $0.code != Key.z }
    let expected = (0..<sent).map { Key.letters[$0 % Key.letters.count] }.filter { $0 != Key.z }
    world.check(
      "every press reaches exactly one side, in order",
      both.filter { $0.value == 1 }.map(\.code) == expected && both.filter { $0.value == 0 }.map(\.code) == expected,
      "\(both.count { $0.value == 1 }) presses and \(both.count { $0.value == 0 }) releases of \(expected.count)")
    world.check("nothing is pressed", source.down.isEmpty && clone.down.isEmpty)
    // An overflow in the queue of a device that nobody reads is discarded as a whole.
    second.connection.shut()
    try daemon.reach("ready", "Keyboard S")
    clone.forget()
    for _ in 0..<400 { device.press(Key.volumeDown) }
    let third = try Subscriber(daemon, name: "third", in: world)
    try third.claim(world)
    try daemon.reach("held", "Keyboard S")
    device.press(Key.a)
    try world.require("a letter after an overflow before the grab") { clone.keys(Key.a) == [1, 0] }
    world.equal("nothing else is typed", clone.keyText, "30+ 30-")
    world.check("no command of it", third.commands.isEmpty, "\(third.commands.count)")
  }

  /// A stream of presses while a device is taken and given back again and again, each step of it drawn out: every
  /// press reaches exactly one of the desktop (through the device or its clone) and the reader.
  static func typedWhileTaken(_ world: World) throws {
    // The kernel's queue holds 64 events: without scan codes, and no faster than pagerd can be away for.
    var plan = DevicePlan.keyboard("Keyboard V")
    plan.scans = false
    let device = try VirtualDevice(plan, in: world)
    let daemon = try Daemon(in: world, environment: ["LD_PRELOAD": Daemon.binaries + "/slow-grab.so"])
    try daemon.reach("ready", "Keyboard V")
    let source = try Observer(device.node, in: world)
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    let keys = Array(Key.letters.prefix(7)) + [Key.volumeDown]
    var sent: [UInt16: Int] = [:]
    var total = 0
    func type() {
      let code = keys[total % keys.count]
      // Every third key is held for a while.
      device.key(code, 1)
      if total % 3 == 0 { world.pass(milliseconds: 7) }
      device.key(code, 0)
      sent[code, default: 0] += 1
      total += 1
      world.pass(milliseconds: 10)
    }
    var commands = 0
    for round in 0..<6 {
      let reader = try Subscriber(daemon, name: "reader \(round)", in: world)
      reader.focus(true)
      try world.require("round \(round): taken while keys are typed", detail: { daemon.tail }) {
        type()
        return daemon.state(of: "Keyboard V") == "held"
      }
      for _ in 0..<20 { type() }
      // Its last commands are read before it goes, and none is on its way to it.
      reader.focus(false)
      try world.require("round \(round): nobody is active") { !reader.isActive }
      device.press(Key.z)
      try world.require("round \(round): a letter is through") { clone.keys(Key.z).count { $0 == 0 } == round + 1 }
      commands += reader.names.count
      let before = total
      reader.connection.shut()
      try world.require("round \(round): given back while keys are typed", detail: { daemon.tail }) {
        type()
        return daemon.state(of: "Keyboard V") == "ready"
      }
      world.check("round \(round): keys were typed meanwhile", total > before)
    }
    func strokes(_ code: UInt16) -> Int { source.strokes(code) + clone.strokes(code) }
    _ = world.wait(seconds: 5) {
      keys.allSatisfy { strokes($0) + ($0 == Key.volumeDown ? commands : 0) >= sent[$0] ?? 0 }
    }
    for code in keys where code != Key.volumeDown {
      world.equal("presses of \(code)", strokes(code), sent[code] ?? 0)
    }
    let detail = "device \(source.keys(Key.volumeDown)), clone \(clone.keys(Key.volumeDown))"
    world.equal("volume presses and commands", strokes(Key.volumeDown) + commands, sent[Key.volumeDown] ?? 0, detail)
    world.check("there were commands", commands > 0)
    world.check("the kernel dropped nothing", !daemon.logText.contains("dropped"), daemon.tail)
    world.check(
      "nothing is pressed",
      [source.down, clone.down, source.kernelDown, clone.kernelDown].allSatisfy(\.isEmpty))
  }

  static func pluggedInLater(_ world: World) throws {
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    reader.focus(true)
    try world.require("a reader is answered without a device") { reader.active?.value == true }
    let device = try VirtualDevice(.keyboard("Keyboard T"), in: world)
    try daemon.reach("held", "Keyboard T")
    try world.require("the reader hears of the device") { reader.active?.devices.contains("Keyboard T") == true }
    device.press(Key.volumeDown)
    try world.require("its first press works", detail: { daemon.tail }) { reader.names == ["next"] }
    device.unplug()
    try world.require("and hears when it is gone") { reader.active?.devices.contains("Keyboard T") == false }
  }

  static func cloneIsLeftAlone(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard U"))
    let second = try Daemon(in: world, label: "second")
    let other = try Subscriber(second, name: "other", in: world)
    other.focus(true)
    try second.reach("busy", "Keyboard U")
    let isTaken = second.devices.contains { device in
      device["state"]?.text == "held" && (device["nodes"]?.list ?? []).contains(.string(held.clone.path))
    }
    world.check("the other daemon does not hold the clone", !isTaken, "\(second.devices)")
    world.check(
      "no clone of a clone", !InputNode.all().contains { $0.phys.hasPrefix("pagerd/pagerd/") }, "\(InputNode.all())")
    held.device.press(Key.a)
    try world.require("letters pass once") { held.clone.keys(Key.a) == [1, 0] }
    try held.checkNextPressWorks()
    world.check("nothing reaches the other", other.commands.isEmpty, "\(other.commands)")
    // When the first goes, the second takes over.
    held.daemon.process.signal(SIGTERM)
    try second.reach("held", "Keyboard U")
    held.device.press(Key.volumeUp)
    try world.require("the second serves the device after the first has gone") { other.names == ["prev"] }
  }

  static func grabbedByAnother(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard V"), in: world)
    let grabber = try Observer(device.node, in: world)
    world.check("another program grabs the device", grabber.grab(true))
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("busy", "Keyboard V")
    device.press(Key.volumeDown)
    try world.require("the grabber has its keys") { grabber.keys(Key.volumeDown) == [1, 0] }
    world.check("the log names the device", daemon.logText.contains("Keyboard V"), daemon.tail)
    world.check("it can be let go", grabber.grab(false))
    try daemon.reach("held", "Keyboard V")
    device.press(Key.volumeDown)
    try world.require("then presses are commands") { reader.names == ["next"] }
    // A remapper that grabs every keyboard, the clone too, and makes one of its own: a loop.
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    world.check("a remapper grabs the clone", clone.grab(true))
    let made = try VirtualDevice(.keyboard("Remapper's Keyboard"), in: world)
    try world.require("pagerd stops sharing the device", detail: { "\(daemon.devices) \(daemon.tail)" }) {
      device.press(Key.a)
      world.turn(milliseconds: 50)
      return daemon.state(of: "Keyboard V").map { $0 != "held" } ?? false
    }
    world.check("and names the loop", daemon.logText.contains(clone.path), daemon.tail)
    made.unplug()
    let before = grabber.keys(Key.b).count
    device.press(Key.b)
    try world.require("the source is everybody's") { grabber.keys(Key.b).count > before }
  }

  static func cloneIsFaithful(_ world: World) throws {
    var plan = DevicePlan.keyboard("Keyboard W")
    plan.axes = [.init(code: Axis.x, minimum: -100, maximum: 100, flat: 5, value: 42)]
    plan.relative = [8]
    plan.switches = [0]
    plan.properties = [4]
    plan.effects = 4
    let device = try VirtualDevice(plan, in: world)
    device.emit([Event(.toggle, 0, 1), Event(.absolute, Axis.x, 77)])
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Keyboard W")
    let node = try daemon.clone(of: device)
    let (clone, source) = (try Observer(node.path, in: world), try Observer(device.node, in: world))
    world.equal("its name", node.name, "Keyboard W")
    for kind: Event.Kind in [.synchronise, .key, .relative, .absolute, .misc, .toggle, .led, .forceFeedback] {
      world.equal("capabilities of \(kind)", clone.capabilities(kind), source.capabilities(kind))
    }
    let folder = "/sys/class/input/\(node.path.split(separator: "/").last!)/device/"
    let original = "/sys/class/input/\(device.node.split(separator: "/").last!)/device/"
    for file in ["id/bustype", "id/vendor", "id/product", "id/version", "properties"] {
      world.equal(file, Files.trimmed(folder + file), Files.trimmed(original + file))
    }
    world.equal("repeat times", clone.repeatTimes, source.repeatTimes)
    try world.require("the closed lid is closed on the clone", detail: { daemon.tail }) { clone.kernelSwitches == [0] }
    try world.require("the axis stands where it stands", detail: { "\(clone.axis(Axis.x) ?? 0)" }) {
      clone.axis(Axis.x) == 77
    }
    device.emit([Event(.toggle, 0, 0)])
    try world.require("an opened lid passes") { clone.kernelSwitches.isEmpty }
    let rumble = try Process(
      ["/proc/self/exe", "--rumble", node.path], log: daemon.process.log, in: world)
    try world.require("a rumble ends", detail: { daemon.tail }) { rumble.exitCode != nil }
    world.equal("the desktop could play it", rumble.exitCode, 0, daemon.tail)
    try world.require("the device was told to", detail: { "\(device.uploads) \(device.plays)" }) {
      device.uploads == [4096] && device.plays.contains { $0.value == 1 } && device.erases == 1
    }
  }
}
