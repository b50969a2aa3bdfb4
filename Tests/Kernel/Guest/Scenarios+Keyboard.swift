import CKernelShims
import Glibc

/// A keyboard with letters and volume keys, and a focused reader.
extension Scenarios {
  /// What all others rest on: devices are made, seen by udev, and behave as a keyboard does.
  static func testBed(_ world: World) throws {
    let keyboard = try VirtualDevice(.keyboard("Bed Keyboard"), in: world)
    try world.require("the node is there") { access(keyboard.node, R_OK) == 0 }
    let observer = try Observer(keyboard.node, in: world)
    keyboard.press(Key.a)
    try world.require("a press is seen") { observer.keyText == "30+ 30-" }
    world.check("with its scan code", observer.sawScan(of: Key.a))
    let hid = try HIDDevice(
      "Bed Remote",
      collections: [
        HIDDevice.keyboard(1), HIDDevice.consumer(2, usages: [0xe9, 0xea]), HIDDevice.mouse(3), HIDDevice.gamepad(4),
        HIDDevice.digitizer(5),
      ], in: world)
    // The kernel keeps consumer control together with the keyboard.
    let nodes = try hid.requireNodes(4, in: world)
    let readers = try nodes.map { try Observer($0.path, in: world) }
    hid.report([2, 1])
    hid.report([2, 0])
    try world.require("volume up through HID", detail: { "\(nodes)" }) {
      readers.contains { $0.keys(Key.volumeUp) == [1, 0] }
    }
    world.check("udev classifies it", Files.names(in: "/run/udev/data").contains { $0.hasPrefix("c13:") })
  }

  static func onePressOnePage(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard A"))
    held.device.press(Key.volumeDown)
    try world.require("VOLUMEDOWN is a command") { held.reader.commands.count == 1 }
    held.device.press(Key.volumeUp)
    try world.require("VOLUMEUP is a command") { held.reader.commands.count == 2 }
    world.equal("the commands", held.reader.names, ["next", "prev"])
    world.equal("the gesture", held.reader.commands[0].gesture, "tap")
    world.equal("the device's name", held.reader.commands[0].device, "Keyboard A")
    world.check(
      "time_us is the kernel's time of the press", abs(Int(ks_now()) - held.reader.commands[1].time) < 5_000_000)
    // Each press waits for the one before: a burst that the kernel's queue does not hold is another scenario.
    for press in 1...100 {
      held.device.press(Key.volumeDown)
      guard world.wait(seconds: 5, until: { held.reader.commands.count >= 2 + press }) else { break }
    }
    world.check(
      "a hundred presses are a hundred commands", held.reader.commands.count >= 102,
      "\(held.reader.commands.count - 2) \(held.daemon.tail)")
    try held.barrier()
    world.equal("a hundred presses, not one more", held.reader.count("next"), 101)
    let first = held.reader.commands[0].seq
    world.equal("seq counts without a gap", held.reader.commands.map(\.seq), Array(first..<first + 102))
    let volume = [Key.volumeDown, Key.volumeUp]
    world.check("no volume key on the clone", !volume.contains { held.clone.saw($0) }, held.clone.keyText)
    world.check("no scan code of one either", !volume.contains { held.clone.sawScan(of: $0) })
    world.check("the source is quiet for others", held.source.events.isEmpty, "\(held.source.events.prefix(5))")
    held.checkNothingStuck("nothing is pressed anywhere")
  }

  static func lettersMeanwhile(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard B"))
    var expected: [Event] = []
    var typed = 0
    for round in 0..<8 {
      for letter in Key.letters {
        for value: Int32 in [1, 0] {
          held.device.key(letter, value)
          expected += [Event(.misc, 4, VirtualDevice.scan(letter)), Event(.key, letter, value), .report]
        }
        typed += 1
        if typed % 3 == 0 { held.device.press(typed % 2 == 0 ? Key.volumeUp : Key.volumeDown) }
        // As fast as it goes without filling the kernel's queue.
        if typed % 5 == 0 { _ = world.wait(seconds: 5) { held.clone.events.count >= expected.count } }
      }
      try world.require("round \(round): the letters arrive", detail: { "\(held.clone.events.count)" }) {
        held.clone.events.count >= expected.count
      }
    }
    let seen = held.clone.events
    let wrong = zip(seen, expected).enumerated().first { !$0.element.0.same(as: $0.element.1) }
    world.check(
      "letters complete, in order, with scan codes and frames", seen.count == expected.count && wrong == nil,
      "\(seen.count) of \(expected.count), first difference \(wrong.map { "\($0)" } ?? "none")")
    try world.require("every page key is a command") { held.reader.commands.count >= typed / 3 }
    try held.barrier()
    world.equal("and no more", held.reader.commands.count, typed / 3)
    // A page key inside a frame with a letter: only the letter arrives.
    held.clone.forget()
    held.device.emit([
      Event(.misc, 4, VirtualDevice.scan(Key.volumeDown)), Event(.key, Key.volumeDown, 1),
      Event(.misc, 4, VirtualDevice.scan(Key.a)), Event(.key, Key.a, 1),
    ])
    held.device.emit([Event(.key, Key.volumeDown, 0), Event(.key, Key.a, 0)])
    try held.barrier()
    world.check("a shared frame keeps its letter", held.clone.keys(Key.a) == [1, 0], held.clone.keyText)
    world.check(
      "and loses its page key with the scan code",
      !held.clone.saw(Key.volumeDown) && !held.clone.sawScan(of: Key.volumeDown), "\(held.clone.events)")
    held.checkNothingStuck("nothing is pressed anywhere")
  }

  static func autorepeat(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard C"), in: world)
    try Observer(device.node, in: world).setRepeatTimes([300, 50])
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Keyboard C")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    world.equal("the clone has the device's repeat times", clone.repeatTimes, [300, 50])
    device.key(Key.a, 1)
    try world.require("the held letter repeats", detail: { daemon.tail }) { clone.keys(Key.a).count { $0 == 2 } >= 20 }
    device.key(Key.a, 0)
    try world.require("and ends") { clone.keys(Key.a).last == 0 }
    let presses = clone.events.filter { $0.kind == .key && $0.code == Key.a }
    let repeats = presses.filter { $0.value == 2 }
    world.check("it begins with the press", presses.first?.value == 1)
    let span = Double((repeats.last?.time ?? 0) - (repeats.first?.time ?? 0)) / 1000
    let expected = span / 50
    world.check(
      "repeats are neither lost nor doubled",
      Double(repeats.count - 1) > expected * 0.6 && Double(repeats.count - 1) < expected * 1.3,
      "\(repeats.count) in \(span) ms")
    world.check(
      "the first comes after the delay", (repeats.first?.time ?? 0) - (presses.first?.time ?? 0) > 250_000,
      "\((repeats.first?.time ?? 0) - (presses.first?.time ?? 0)) us")
    let after = clone.events.count
    device.key(Key.volumeDown, 1)
    world.pass(milliseconds: 600)
    device.key(Key.volumeDown, 0)
    device.press(Key.b)
    try world.require("a letter after a held page key") { clone.keys(Key.b) == [1, 0] }
    world.equal("a held page key counts once", reader.names, ["next"])
    world.check(
      "and no repeat of it is seen", !clone.events[after...].contains { $0.code == Key.volumeDown && $0.kind == .key })
  }

  static func capsLockLight(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard D"))
    held.clone.write([Event(.led, Led.capsLock, 1)])
    try world.require("the light goes on at the device", detail: { held.daemon.tail }) {
      held.device.leds[Led.capsLock] == 1
    }
    world.equal("and the source says so", held.source.kernelLeds, [Led.capsLock])
    held.clone.write([Event(.led, Led.capsLock, 0), Event(.led, Led.numLock, 1)])
    // The events and not the state: the console's own keyboard handler sets all lights whenever somebody ungrabs.
    try world.require("and off again, another on", detail: { "\(held.device.ledEvents)" }) {
      held.device.ledEvents.contains { $0.code == Led.capsLock && $0.value == 0 }
        && held.device.ledEvents.contains { $0.code == Led.numLock && $0.value == 1 }
    }
    try held.checkNextPressWorks()
  }

  static func readerTurnsHundredPages(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard E"), in: world)
    let daemon = try Daemon(in: world)
    let book = "/run/tmp/road.epub"
    TestBook.write(to: book, chapters: 6, paragraphs: 60)
    let pane = try ReaderPane(book: book, daemon: daemon, in: world)
    try pane.requirePage(1, "the book opens at page 1")
    try daemon.reach("held", "Keyboard E")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    device.press(Key.volumeDown)
    try pane.requirePage(2, "VOLUMEDOWN turns one page")
    device.press(Key.volumeUp)
    try pane.requirePage(1, "VOLUMEUP turns it back")
    for press in 0..<100 {
      device.press(Key.volumeDown)
      guard press % 5 == 4 else { continue }
      device.press(Key.a)
      let letters = (press + 1) / 5 * 2
      guard world.wait(seconds: 5, until: { clone.keys(Key.a).count >= letters }) else { break }
    }
    try pane.requirePage(101, "a hundred presses turn a hundred pages")
    device.press(Key.z)
    try world.require("letters pass") { clone.keys(Key.z) == [1, 0] && clone.keys(Key.a).count == 40 }
    world.check("no volume key on the clone", !clone.saw(Key.volumeDown) && !clone.saw(Key.volumeUp), clone.keyText)
    world.equal("still page 101", pane.page, 101)
    try pane.focus(false)
    var before = 0
    try world.require("without focus the volume key is a volume key again", detail: { daemon.tail }) {
      // The report of the lost focus takes its time through tmux; each press until then turns a page.
      device.press(Key.volumeUp)
      before = clone.keys(Key.volumeUp).count
      return world.wait(seconds: 0.3) { clone.keys(Key.volumeUp).count > before } || clone.saw(Key.volumeUp)
    }
    try pane.focus(true)
    let page = pane.page ?? 0
    try world.require("with focus it turns pages again", detail: { "\(pane.look())" }) {
      device.press(Key.volumeDown)
      return world.wait(seconds: 1) { (pane.page ?? 0) > page }
    }
  }

  static func hidKeyboard(_ world: World) throws {
    let hid = try HIDDevice(
      "HID Keyboard", bus: 3, collections: [HIDDevice.keyboard(1), HIDDevice.consumer(2, usages: [0xe9, 0xea, 0xe2])],
      in: world)
    let node = try hid.requireNodes(1, in: world)[0]
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    try daemon.reach("held", node.name)
    world.equal("a keyboard with volume keys is shared", daemon.role(of: node.name), "shared")
    hid.report([2, 2])
    hid.report([2, 0])
    try world.require("volume down of the consumer page is a command", detail: { daemon.tail }) {
      reader.names == ["next"]
    }
    let clones = try InputNode.all().filter { $0.phys == "pagerd/" + hid.phys }.map { try Observer($0.path, in: world) }
    hid.report([2, 4])
    hid.report([2, 0])
    try world.require("mute passes", detail: { "\(clones.map(\.keyText))" }) {
      clones.contains { $0.keys(Key.mute) == [1, 0] }
    }
    world.check("the volume does not move", !clones.contains { $0.saw(Key.volumeDown) })
  }
}
