import CKernelShims
import Glibc

/// What the auto rule makes of devices, and what a page turner's keys do.
extension Scenarios {
  static func rolesByTheAutoRule(_ world: World) throws {
    let volume: [UInt16] = [0xe9, 0xea]
    let next: [UInt16] = [0xb5, 0xb6, 0xcd]
    let clicker = try HIDDevice(
      "Auto Clicker", uniq: "aa:00:00:00:00:01", collections: [HIDDevice.consumer(1, usages: next)], in: world)
    let pad = try HIDDevice(
      "Auto Pad", uniq: "aa:00:00:00:00:02", collections: [HIDDevice.gamepad(1)], in: world)
    _ = try HIDDevice("Auto Mouse", uniq: "aa:00:00:00:00:03", collections: [HIDDevice.mouse(1)], in: world)
    _ = try HIDDevice("Auto Pen", uniq: "aa:00:00:00:00:04", collections: [HIDDevice.digitizer(1)], in: world)
    _ = try HIDDevice(
      "Auto Headset", uniq: "aa:00:00:00:00:05", collections: [HIDDevice.consumer(1, usages: volume + next)], in: world)
    _ = try HIDDevice(
      "Auto Typer", uniq: "aa:00:00:00:00:06", bus: 3, collections: [HIDDevice.keyboard(1)], in: world)
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    func role(_ prefix: String) -> String? {
      daemon.devices.first { $0["name"]?.text?.hasPrefix(prefix) == true }?["role"]?.text
    }
    func state(_ prefix: String) -> String? {
      _ = daemon.state(of: "")
      return daemon.devices.first { $0["name"]?.text?.hasPrefix(prefix) == true }?["state"]?.text
    }
    for (name, expected) in [
      ("Auto Clicker", "page-turner"), ("Auto Pad", "page-turner"), ("Auto Mouse", "ignore"), ("Auto Pen", "ignore"),
      ("Auto Headset", "shared"), ("Auto Typer", "ignore"),
    ] {
      let settled = expected == "ignore" ? "ignored" : "held"
      try world.require("\(name) is \(settled)", detail: { "\(daemon.devices)" }) { state(name) == settled }
      world.equal("\(name)'s role", role(name), expected, "\(daemon.devices)")
    }
    clicker.report([1, 1])
    clicker.report([1, 0])
    clicker.report([1, 2])
    clicker.report([1, 0])
    try world.require("a clicker's next and previous song turn pages", detail: { "\(reader.commands)" }) {
      reader.names == ["next", "prev"]
    }
    clicker.report([1, 4])
    clicker.report([1, 0])
    try world.require("its play key shows the controls") { reader.names.last == "toggle" }
    let rest: [UInt8] = [1, 0, 0, 8, 128, 128]
    for report: [UInt8] in [[1, 1, 0, 8, 128, 128], rest, [1, 2, 0, 8, 128, 128], rest] { pad.report(report) }
    try world.require("a pad's first two buttons", detail: { "\(reader.commands)" }) {
      reader.names.dropFirst(3) == ["next", "prev"]
    }
    for report: [UInt8] in [[1, 0, 0, 2, 128, 128], rest, [1, 0, 0, 6, 128, 128], rest] { pad.report(report) }
    try world.require("its hat right and left", detail: { "\(reader.commands)" }) {
      reader.names.dropFirst(5) == ["next", "prev"]
    }
    for report: [UInt8] in [[1, 0, 0, 8, 255, 128], rest, [1, 0, 0, 8, 128, 0], rest] { pad.report(report) }
    try world.require("its stick right and up", detail: { "\(reader.commands)" }) {
      reader.names.dropFirst(7) == ["next", "prev"]
    }
    let clones = try InputNode.all().filter { $0.phys.hasPrefix("pagerd/test-hid/Auto Pad") }
      .map { try Observer($0.path, in: world) }
    pad.report([1, 8, 0, 8, 128, 128])
    pad.report(rest)
    pad.report([1, 1, 0, 8, 128, 128])
    pad.report(rest)
    try world.require("one more page") { reader.names.count == 10 }
    world.check("what else a page turner sends is swallowed while routed", clones.allSatisfy { $0.keyText.isEmpty })
  }

  static func padFollowsItsPress(_ world: World) throws {
    var plan = DevicePlan(
      name: "Pad A", phys: "test/pad-a/input0", keys: [0x130, 0x131, 0x133, 0x134], scans: false, repeats: false)
    plan.axes = [
      .init(code: Axis.x, minimum: -32768, maximum: 32767, flat: 128),
      .init(code: Axis.hatX, minimum: -1, maximum: 1), .init(code: 2, minimum: 0, maximum: 255),
    ]
    world.configure("[device \"Pad A\"]\nrole = page-turner\n")
    let held = try world.held(plan)
    let (device, clone, reader) = (held.device, held.clone, held.reader)
    device.emit([Event(.absolute, Axis.hatX, 1)])
    try world.require("the hat's throw is a page") { reader.names == ["next"] }
    try reader.release(world)
    device.emit([Event(.absolute, 2, 200)])
    try world.require("without focus other axes pass") { clone.axis(2) == 200 }
    world.equal("a swallowed throw is not shown when focus goes", clone.axis(Axis.hatX), 0)
    device.emit([Event(.absolute, Axis.hatX, 0)])
    device.key(0x133, 1)
    try world.require("a button passes without focus", detail: { clone.keyText }) { clone.keys(0x133) == [1] }
    world.check(
      "the return follows its throw", !clone.events.contains { $0.kind == .absolute && $0.code == Axis.hatX },
      "\(clone.events)")
    device.emit([Event(.absolute, Axis.hatX, -1)])
    try world.require("a throw without focus passes") { clone.axis(Axis.hatX) == -1 }
    try reader.claim(world)
    device.emit([Event(.absolute, Axis.hatX, 0)])
    try world.require("and so does its return with focus") { clone.axis(Axis.hatX) == 0 }
    device.key(0x133, 0)
    try world.require("and the button's release") { clone.keys(0x133) == [1, 0] }
    world.equal("none of it was a command", reader.names, ["next"])
    device.emit([Event(.absolute, 2, 17)])
    device.press(0x131)
    try world.require("a button is a page") { reader.names == ["next", "prev"] }
    try reader.release(world)
    try world.require("an axis that moved while routed is brought up to date", detail: { "\(clone.axis(2) ?? -1)" }) {
      clone.axis(2) == 17
    }
    device.press(0x130)
    try world.require("without focus a page button passes") { clone.keys(0x130) == [1, 0] }
    world.check("nothing is pressed", clone.kernelDown.isEmpty)
  }

  static func releaseFollowsPress(_ world: World) throws {
    // gvalkov/python-evdev#4: grab on press, ungrab on release, and others never see the release.
    let device = try VirtualDevice(.keyboard("Evdev 4"), in: world)
    let source = try Observer(device.node, in: world)
    let daemon = try Daemon(in: world)
    try daemon.reach("ready", "Evdev 4")
    device.key(Key.a, 1)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("waiting-for-key", "Evdev 4")
    device.key(Key.a, 0)
    try daemon.reach("held", "Evdev 4")
    world.equal("down and up at the source", source.keys(Key.a).filter { $0 != 2 }, [1, 0])
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    device.key(Key.s, 1)
    try world.require("a letter goes down on the clone") { clone.keys(Key.s) == [1] }
    reader.connection.shut()
    device.key(Key.d, 1)
    device.key(Key.d, 0)
    try world.require("the device stays held while a key is down", detail: { "\(clone.keyText) \(source.keyText)" }) {
      clone.keys(Key.d) == [1, 0]
    }
    device.key(Key.s, 0)
    try world.require("down and up on the clone") { clone.keys(Key.s).filter { $0 != 2 } == [1, 0] }
    try daemon.reach("ready", "Evdev 4")
    world.check("the source saw neither", !source.saw(Key.s) && !source.saw(Key.d), source.keyText)
    device.press(Key.b)
    try world.require("then the source is everybody's") { source.keys(Key.b) == [1, 0] }
    world.check("nothing is pressed", clone.kernelDown.isEmpty && source.kernelDown.isEmpty)
  }

  static func backgroundMedia(_ world: World) throws {
    // arianneorpilla/jidoujisho#280, #380; readest/readest#4139
    world.configure("[device \"Media Remote\"]\nrole = page-turner\n")
    let plan = DevicePlan(
      name: "Media Remote", phys: "test/media/input0",
      keys: [Key.nextSong, Key.playPause, Key.previousSong, Key.volumeUp, Key.volumeDown])
    let held = try world.held(plan, role: "background")
    for key in [Key.nextSong, Key.playPause, Key.volumeUp] { held.device.press(key) }
    try world.require("a background client gets them") { held.reader.names == ["next", "toggle", "prev"] }
    world.check("nothing reaches the clone", held.clone.keyText.isEmpty, held.clone.keyText)
    held.reader.connection.shut()
    try held.daemon.reach("ready", "Media Remote")
    for key in [Key.nextSong, Key.playPause, Key.volumeUp] { held.device.press(key) }
    try world.require("with no subscriber they are everybody's", detail: { held.source.keyText }) {
      held.source.keyText == "163+ 163- 164+ 164- 115+ 115-"
    }
  }
}
