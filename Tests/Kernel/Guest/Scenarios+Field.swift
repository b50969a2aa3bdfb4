import CKernelShims
import Glibc

/// Reports of users of such tools, restated.
extension Scenarios {
  static func permissionComesLater(_ world: World) throws {
    // KarsMulder/evsieve PR #66, xremap/xremap#59: the node is there about a second before its permission.
    chmod("/dev/uinput", 0o666)
    chmod("/run/tmp", 0o1777)
    world.atEnd { chmod("/dev/uinput", 0o600) }
    let device = try VirtualDevice(.keyboard("Later Keyboard"), in: world)
    let hidden = try Process.run(["/usr/bin/udevadm", "settle"])
    world.equal("udev is done", hidden.code, 0)
    chmod(device.node, 0o600)
    let daemon = try Daemon(
      in: world, through: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("no-permission", "Later Keyboard")
    world.pass(milliseconds: 1000)
    let said = daemon.logText.split(separator: "\n")
      .count { $0.contains("Later Keyboard") && $0.contains("permission") }
    world.equal("one line a state, not one a try", said, 1, daemon.tail)
    // Clones of an unprivileged daemon are root's to open as well.
    chmod(device.node, 0o666)
    try daemon.reach("held", "Later Keyboard")
    device.press(Key.volumeDown)
    try world.require("then presses are commands") { reader.names == ["next"] }
  }

  static func reconnects(_ world: World) throws {
    // sezanzeb/input-remapper#25, #765: a Bluetooth device sleeps and reconnects; autoload works once.
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    var descriptors = 0
    var nodes: Set<String> = []
    for cycle in 1...20 {
      let remote = try HIDDevice(
        "Sleepy Remote", uniq: "aa:bb:cc:dd:ee:01", collections: [HIDDevice.consumer(1, usages: [0xe9, 0xea])],
        in: world)
      try daemon.reach("held", "Sleepy Remote")
      nodes.formUnion(remote.nodes().map(\.path))
      remote.report([1, 2])
      remote.report([1, 0])
      try world.require("cycle \(cycle): a press is a page", detail: { daemon.tail }) { reader.commands.count == cycle }
      remote.unplug()
      try world.require("cycle \(cycle): it is gone") { daemon.state(of: "Sleepy Remote") == nil }
      if cycle == 2 { descriptors = daemon.process.descriptorCount }
    }
    world.equal("twenty of twenty", reader.names, Array(repeating: "next", count: 20))
    world.check("descriptors stay flat", daemon.process.descriptorCount <= descriptors, "\(descriptors)")
  }

  static func plugCycles(_ world: World) throws {
    // jtroo/kanata#211, #999, #1644, #1683; KarsMulder/evsieve#2, #29, #39
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    var random = Random(seed: 211)
    var presses = 0
    var cuts = 0
    var descriptors = 0
    for round in 0..<20 {
      // Ten a round: eight wait until they are held and press, two vanish before anybody has looked.
      let plugged = try (0..<8).map { try VirtualDevice(.keyboard("Cycle \($0)"), in: world) }
      let hasty = try (0..<2).map { try VirtualDevice(.keyboard("Hasty \($0)"), in: world) }
      for device in hasty {
        world.pass(milliseconds: random.next(50))
        device.unplug()
      }
      let came = world.wait(seconds: 20) { plugged.allSatisfy { daemon.state(of: $0.plan.name) == "held" } }
      guard came else {
        world.check("round \(round): all are held", false, "\(daemon.devices) \(daemon.tail)")
        return
      }
      let clones = try plugged.map { try Observer(daemon.clone(of: $0).path, in: world) }
      for device in plugged {
        let isCut = random.next(4) == 0
        device.key(Key.a, 1)
        device.key(Key.volumeDown, 1)
        presses += 1
        if isCut { cuts += 1 } else { device.key(Key.volumeDown, 0) }
        let sofar = presses
        guard world.wait(seconds: 10, until: { reader.commands.count >= sofar }) else { break }
        if !isCut { device.key(Key.a, 0) }
        if random.next(2) == 0 { world.pass(milliseconds: random.next(50)) }
        device.unplug()
      }
      _ = world.wait(seconds: 10) { clones.allSatisfy(\.gone) }
      guard clones.allSatisfy({ $0.gone && $0.down.isEmpty }), reader.commands.count == presses else {
        world.check(
          "round \(round): each press one command, nothing held", false,
          "\(reader.commands.count) of \(presses), \(clones.map(\.down)) \(daemon.tail)")
        return
      }
      _ = world.wait(seconds: 10) { daemon.state(of: "Cycle 0") == nil && daemon.state(of: "Cycle 7") == nil }
      if round == 1 { descriptors = daemon.process.descriptorCount }
    }
    world.equal("each press one command", reader.commands.count, presses, "\(cuts) were cut")
    try world.require("no device is left") {
      _ = daemon.state(of: "")
      return !daemon.devices.contains { ($0["name"]?.text ?? "").contains("Cycle") }
    }
    try world.require("the reader has none of them") {
      reader.active?.devices.contains { $0.contains("Cycle") || $0.contains("Hasty") } == false
    }
    world.check(
      "descriptors stay flat", daemon.process.descriptorCount <= descriptors,
      "\(descriptors), then \(daemon.process.descriptorCount)")
    daemon.leaveAlone()
    world.checkQuiet(daemon.process)
  }

  static func stickOverflow(_ world: World) throws {
    // VocaHQ/vocalinux#338, libsdl-org/SDL#3425, peteonrails/voxtype#737
    var plan = DevicePlan(
      name: "Stick Pad", phys: "test/stick/input0", keys: [0x130, 0x131, 0x133], scans: false, repeats: false)
    plan.axes = [.init(code: 3, minimum: -1000, maximum: 1000), .init(code: Axis.hatX, minimum: -1, maximum: 1)]
    world.configure("[device \"Stick Pad\"]\nrole = page-turner\n")
    let held = try world.held(plan)
    held.daemon.process.signal(SIGSTOP)
    for value in 1...2500 {
      held.device.emit([Event(.absolute, 3, Int32(value % 900 + 1))])
      held.device.emit([Event(.absolute, 3, Int32(-value % 900 - 1))])
      if value == 1200 { held.device.press(0x130) }
    }
    // The kernel's own scenario: stopped for three seconds.
    world.pass(milliseconds: 3000)
    held.daemon.process.signal(SIGCONT)
    // What is pressed before it has looked is lost with the rest.
    try world.require("presses work again", detail: { held.daemon.tail }) {
      held.device.press(0x131)
      return world.wait(seconds: 0.3) { held.reader.names.last == "prev" }
    }
    world.check("the press inside is one command or none", held.reader.count("next") <= 1, "\(held.reader.commands)")
    held.checkNothingStuck("nothing is pressed")
    // A key that stays down during the resynchronisation.
    held.device.key(0x130, 1)
    try world.require("a button is held") { held.reader.names.last == "next" }
    let count = held.reader.commands.count
    held.daemon.process.signal(SIGSTOP)
    for value in 1...2500 {
      held.device.emit([Event(.absolute, 3, Int32(value % 900 + 1))])
      held.device.emit([Event(.absolute, 3, Int32(-value % 900 - 1))])
    }
    held.daemon.process.signal(SIGCONT)
    held.device.key(0x130, 0)
    var tries = 0
    try world.require("then presses work again") {
      held.device.press(0x131)
      tries += 1
      return world.wait(seconds: 0.3) { held.reader.names.last == "prev" }
    }
    world.check(
      "none of it was a command", (count + 1...count + tries).contains(held.reader.commands.count),
      "\(held.reader.commands)")
    held.daemon.leaveAlone()
    world.checkQuiet(held.daemon.process)
    held.checkNothingStuck("nothing is pressed at the end")
  }

  static func wakesUpAfterSilence(_ world: World) throws {
    // OGKevin/kobo.koplugin#180, #134
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    func plug() throws -> HIDDevice {
      try HIDDevice(
        "Kobo Remote Again", uniq: "aa:bb:cc:dd:ee:02", collections: [HIDDevice.consumer(1, usages: [0xe9, 0xea])],
        in: world)
    }
    let first = try plug()
    try daemon.reach("held", "Kobo Remote Again")
    first.report([1, 2])
    first.report([1, 0])
    try world.require("a press") { reader.names == ["next"] }
    first.unplug()
    try world.require("asleep it is not listed as held", detail: { "\(daemon.devices)" }) {
      daemon.state(of: "Kobo Remote Again") != "held"
    }
    try world.require("and the reader knows") { reader.active?.devices.contains("Kobo Remote Again") == false }
    let second = try plug()
    try daemon.reach("held", "Kobo Remote Again")
    second.report([1, 1])
    second.report([1, 0])
    try world.require("awake again, the press works") { reader.names == ["next", "prev"] }
  }

  static func debounce(_ world: World) throws {
    // zynthian/zynthian-issue-tracking#1338
    world.configure("[device \"Bouncing Pedal\"]\nrole = page-turner\nB = next\ndebounce = 20ms\n")
    let held = try world.held(
      DevicePlan(name: "Bouncing Pedal", phys: "test/pedal/input0", keys: [Key.b, Key.z], scans: false, repeats: false))
    for value: Int32 in [1, 0, 1, 0, 1] { held.device.key(Key.b, value) }
    try world.require("the first edge acts") { held.reader.names == ["next"] }
    world.pass(milliseconds: 300)
    for value: Int32 in [0, 1, 0] { held.device.key(Key.b, value) }
    world.pass(milliseconds: 100)
    world.equal("a bounced press is one page", held.reader.names, ["next"])
    held.device.key(Key.b, 1)
    try world.require("a second press 100 ms later counts", detail: { held.daemon.tail }) {
      held.reader.names == ["next", "next"]
    }
    held.device.key(Key.b, 0)
    world.pass(milliseconds: 100)
    world.equal("exactly once", held.reader.names, ["next", "next"])
    held.checkNothingStuck("nothing is pressed")
  }

  static func kernelRepeat(_ world: World) throws {
    // geometer/FBReaderJ#508
    let plan = DevicePlan(name: "Repeater", phys: "test/repeat/input0", keys: [Key.pageDown, Key.pageUp])
    world.configure("[device \"Repeater\"]\nrole = page-turner\n")
    let held = try world.held(plan)
    held.device.key(Key.pageDown, 1)
    world.pass(milliseconds: 900)
    held.device.key(Key.pageDown, 0)
    held.device.press(Key.pageUp)
    try world.require("a press after it") { held.reader.names.last == "prev" }
    world.equal("with repeat off a held key is one page", held.reader.names, ["next", "prev"])
    held.device.unplug()
    held.daemon.process.end()
    world.configure("[device \"Repeater Two\"]\nrole = page-turner\nrepeat = 400ms/150ms\n")
    var second = plan
    (second.name, second.phys) = ("Repeater Two", "test/repeat2/input0")
    let device = try VirtualDevice(second, in: world)
    let daemon = try Daemon(in: world, label: "second")
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Repeater Two")
    device.key(Key.pageDown, 1)
    try world.require("with repeat on it repeats") { reader.commands.count >= 5 }
    device.key(Key.pageDown, 0)
    device.press(Key.pageUp)
    try world.require("and ends with the release") { reader.names.last == "prev" }
    let times = reader.commands.map(\.time)
    world.check("the first after its delay", abs(times[1] - times[0] - 400_000) < 2000, "\(times)")
    world.check("then at its rate", abs(times[2] - times[1] - 150_000) < 2000, "\(times)")
    let count = reader.commands.count
    world.pass(milliseconds: 500)
    world.equal("never after the release", reader.commands.count, count)
  }

  static func severalNodes(_ world: World) throws {
    // sezanzeb/input-remapper#430, #1309, #435; zampierilucas/kindle-hid-passthrough#187
    world.configure("[device \"Triple*\"]\nrole = page-turner\n")
    let nodes = try ["Triple", "Triple Keyboard", "Triple Mouse"].enumerated().map { index, name in
      var plan = DevicePlan(
        name: name, phys: "usb-triple-1/input\(index)", keys: [Key.pageDown, Key.pageUp, Key.a], repeats: false)
      plan.product = 0x7777
      return try VirtualDevice(plan, in: world)
    }
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try world.require("one remote of three nodes is held", detail: { "\(daemon.devices)" }) {
      _ = daemon.state(of: "")
      let mine = daemon.devices.filter { $0["name"]?.text?.hasPrefix("Triple") == true }
      return mine.count == 1 && mine[0]["state"]?.text == "held" && mine[0]["nodes"]?.list.count == 3
    }
    nodes[1].press(Key.pageDown)
    try world.require("a press on one node works") { reader.names == ["next"] }
    world.pass(milliseconds: 60)
    nodes[2].press(Key.pageUp)
    try world.require("and one on another", detail: { "\(reader.commands)" }) { reader.names == ["next", "prev"] }
    world.equal("under one name", Set(reader.commands.map(\.device)).count, 1)
    world.pass(milliseconds: 60)
    nodes[0].key(Key.pageDown, 1)
    nodes[1].key(Key.pageDown, 1)
    nodes[0].key(Key.pageDown, 0)
    nodes[1].key(Key.pageDown, 0)
    try world.require("a press on two nodes") { reader.commands.count >= 3 }
    world.pass(milliseconds: 100)
    world.equal("is one command", reader.names, ["next", "prev", "next"])
  }

  static func activity(_ world: World) throws {
    // swaywm/swayidle#122
    let held = try world.held(.keyboard("Lively Keyboard"))
    var node: InputNode?
    try world.require("pagerd has a virtual keyboard", detail: { "\(InputNode.all())" }) {
      if node == nil { held.device.press(Key.volumeDown) }
      world.turn(milliseconds: 30)
      node = InputNode.with(phys: "pagerd/virtual")
      return node != nil
    }
    try held.barrier()
    let before = held.reader.commands.count
    let virtual = try Observer(node!.path, in: world)
    held.device.press(Key.volumeDown)
    try world.require("a press is a page") { held.reader.commands.count == before + 1 }
    for _ in 0..<5 { held.device.press(Key.volumeUp) }
    try world.require("five more") { held.reader.commands.count == before + 6 }
    world.pass(milliseconds: 200)
    let signs = virtual.events.count { $0.kind == .synchronise }
    world.check("at most one sign of activity in 30 s", signs <= 1, "\(virtual.events)")
    world.check(
      "without motion or a key that does anything",
      !virtual.events.contains { $0.kind == .relative && $0.value != 0 || $0.kind == .key && $0.code < 120 },
      "\(virtual.events)")
  }

  static func gestures(_ world: World) throws {
    world.configure(
      """
      [device "Gesture Remote"]
      role = page-turner
      hold VOLUMEUP = next-chapter
      double VOLUMEDOWN = prev-chapter
      PAGEUP+PAGEDOWN = back

      """)
    let held = try world.held(
      DevicePlan(
        name: "Gesture Remote", phys: "test/gesture/input0",
        keys: [Key.volumeUp, Key.volumeDown, Key.pageUp, Key.pageDown], repeats: false))
    held.device.key(Key.volumeUp, 1)
    try world.require("a hold", detail: { held.daemon.tail }) { held.reader.names == ["next-chapter"] }
    held.device.key(Key.volumeUp, 0)
    world.equal("is one", held.reader.commands.first?.gesture, "hold")
    held.device.press(Key.volumeUp)
    try world.require("the same key tapped") { held.reader.names.last == "prev" }
    held.device.press(Key.volumeDown)
    held.device.press(Key.volumeDown)
    try world.require("two taps") { held.reader.names.last == "prev-chapter" }
    held.device.press(Key.volumeDown)
    try world.require("one tap, when no second came") { held.reader.names.last == "next" }
    held.device.key(Key.pageUp, 1)
    held.device.key(Key.pageDown, 1)
    try world.require("two keys at once") { held.reader.names.last == "back" }
    held.device.key(Key.pageUp, 0)
    held.device.key(Key.pageDown, 0)
    // The taker goes in the middle of a hold.
    held.device.key(Key.volumeUp, 1)
    try held.reader.release(world)
    world.pass(milliseconds: 1500)
    held.device.key(Key.volumeUp, 0)
    try held.reader.claim(world)
    world.equal("a hold ends without command when the taker goes", held.reader.names.last, "back")
    world.equal("five commands in all", held.reader.commands.count, 5)
    world.check("nothing is pressed", held.clone.kernelDown.isEmpty)
  }

  static func emit(_ world: World) throws {
    let path = "/etc/pagerd/pagerd.conf"
    Files.write(Array("[device \"Emitting*\"]\nMUTE = toggle\n[emit]\nnext = PAGEDOWN\nprev = PAGEUP\n".utf8), to: path)
    world.atEnd { unlink(path) }
    let device = try VirtualDevice(.keyboard("Emitting Keyboard"), in: world)
    let daemon = try Daemon(in: world)
    try daemon.reach("ready", "Emitting Keyboard")
    let on = try daemon.command(["emit", "on"])
    world.equal("emit on", on.code, 0, on.output)
    try daemon.reach("held", "Emitting Keyboard")
    var node: InputNode?
    try world.require("pagerd has a virtual keyboard") {
      node = InputNode.with(phys: "pagerd/virtual")
      return node != nil
    }
    let (virtual, clone) = (try Observer(node!.path, in: world), try Observer(daemon.clone(of: device).path, in: world))
    device.press(Key.volumeDown)
    try world.require("a press is a Page Down for the desktop", detail: { daemon.tail }) {
      virtual.keys(Key.pageDown) == [1, 0]
    }
    device.press(Key.mute)
    try world.require("a key for whose command there is none passes") { clone.keys(Key.mute) == [1, 0] }
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    device.press(Key.volumeUp)
    device.press(Key.mute)
    try world.require("a reader that claims comes first") { reader.names == ["prev", "toggle"] }
    world.check("and the desktop gets none of it", !virtual.saw(Key.pageUp) && !clone.saw(Key.volumeUp))
    reader.connection.shut()
    let off = try daemon.command(["emit", "off"])
    world.equal("emit off", off.code, 0, off.output)
    try daemon.reach("ready", "Emitting Keyboard")
  }

  static func panic(_ world: World) throws {
    let held = try world.held(.keyboard("Panic Keyboard"))
    held.device.key(Key.volumeDown, 1)
    held.device.key(Key.volumeUp, 1)
    try world.require("both are pages first", seconds: 5) { held.reader.commands.count == 2 }
    try world.require("held for five seconds everything is given back", detail: { held.daemon.tail }) {
      !held.reader.isActive
    }
    held.device.key(Key.volumeDown, 0)
    held.device.key(Key.volumeUp, 0)
    try held.daemon.reach("ready", "Panic Keyboard")
    held.device.press(Key.volumeDown)
    try world.require("the source is everybody's") { held.source.keys(Key.volumeDown).suffix(2) == [1, 0] }
    try held.reader.claim(world)
    try held.daemon.reach("held", "Panic Keyboard")
    held.device.press(Key.volumeUp)
    try world.require("until the next claim") { held.reader.names.last == "prev" }
    held.checkNothingStuck("nothing is pressed")
  }
}
