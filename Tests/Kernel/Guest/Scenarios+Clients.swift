import CKernelShims
import Glibc
import KernelCatalogue

/// Who gets the commands, and what clients may do to each other: nothing.
extension Scenarios {
  static func twoReaders(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard X"))
    let second = try Subscriber(held.daemon, name: "second", in: world)
    try second.claim(world)
    try world.require("the first is told") { !held.reader.isActive }
    held.device.press(Key.volumeDown)
    try world.require("the one that claimed last turns") { second.names == ["next"] }
    world.check("the other does not", held.reader.commands.isEmpty)
    held.reader.focus(true)
    try world.require("a new claim goes to the top") { held.reader.isActive && !second.isActive }
    held.device.press(Key.volumeUp)
    try world.require("and turns") { held.reader.names == ["prev"] }
    held.reader.connection.shut()
    try world.require("when it is gone the other does") { second.isActive }
    held.device.press(Key.volumeDown)
    try world.require("at the next press") { second.names == ["next", "next"] }
    try held.barrier()
    world.equal("no press for two", second.commands.map(\.seq).count, 2)
    second.focus(false)
    try world.require("without any claim nothing is routed") { !second.isActive }
    held.clone.forget()
    held.device.press(Key.volumeDown)
    try world.require("and the volume key passes") { held.clone.keys(Key.volumeDown) == [1, 0] }
  }

  static func backgroundClient(_ world: World) throws {
    // arianneorpilla/jidoujisho#280, #380; readest/readest#4139
    let held = try world.held(.keyboard("Keyboard Y"))
    let background = try Subscriber(held.daemon, role: "background", name: "background", in: world)
    let watcher = try Subscriber(held.daemon, role: "observer", name: "watcher", in: world)
    held.device.press(Key.volumeDown)
    try world.require("a window that claims comes first") { held.reader.names == ["next"] }
    try held.reader.release(world)
    try world.require("with none the background client is served") { background.isActive }
    held.device.press(Key.volumeDown)
    try world.require("and turns") { background.names == ["next"] }
    let later = try Subscriber(held.daemon, role: "background", name: "later", in: world)
    try world.require("the background client that subscribed last comes first") { later.isActive }
    held.device.press(Key.volumeUp)
    try world.require("and turns") { later.names == ["prev"] }
    try held.reader.claim(world)
    held.device.press(Key.volumeUp)
    try world.require("a claim takes over") { held.reader.names == ["next", "prev"] }
    try held.barrier()
    world.equal("nobody else got it", [background.commands.count, later.commands.count], [1, 1])
    try world.require("an observer sees all") { watcher.names == ["next", "next", "prev", "prev"] }
    world.check("nothing reached the clone", !held.clone.saw(Key.volumeDown) && !held.clone.saw(Key.volumeUp))
    // Sent commands go the same way.
    watcher.connection.send(#"{"type":"send","command":"first"}"#)
    try world.require("a sent command is delivered like a press") { held.reader.names.last == "first" }
    world.equal("from the device named send", held.reader.commands.last?.device, "send")
  }

  static func hungReader(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard Z"))
    let second = try Subscriber(held.daemon, name: "second", in: world)
    try second.claim(world)
    second.connection.answersPings = false
    held.device.key(Key.a, 1)
    let began = ks_now()
    try world.require("a reader that answers no ping is suspended") { held.reader.isActive }
    world.check("within 5 s", ks_now() - began < 5_000_000, "\((ks_now() - began) / 1000) ms")
    try world.require("and told") { !second.isActive }
    held.device.press(Key.volumeDown)
    try world.require("the one before it turns") { held.reader.names == ["next"] }
    second.connection.answersPings = true
    second.connection.send(#"{"type":"pong"}"#)
    try world.require("a late pong restores it at its old place", detail: { held.daemon.tail }) {
      second.isActive && !held.reader.isActive
    }
    held.device.press(Key.volumeDown)
    try world.require("and it turns") { second.names == ["next"] }
    held.device.key(Key.a, 0)
    try held.barrier()
    held.checkNothingStuck("nothing is pressed")
    // Alone and suspended it still counts for holding, but takes nothing.
    held.reader.connection.shut()
    second.connection.answersPings = false
    try world.require("alone it is suspended too") { !second.isActive }
    held.clone.forget()
    held.device.press(Key.volumeDown)
    try world.require("then the volume key passes through the clone") { held.clone.keys(Key.volumeDown) == [1, 0] }
    world.equal("the device stays held", held.daemon.state(of: "Keyboard Z"), "held")
  }

  static func thirtyTwoClients(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard 1"))
    let others = try (0..<29).map { index in
      try Subscriber(held.daemon, role: ["reader", "observer"][index % 2], name: "client \(index)", in: world)
    }
    let deaf = try Connection(held.daemon.socket, in: world)
    deaf.reads = false
    world.unwatch(deaf)
    deaf.send(#"{"type":"subscribe","client":"deaf","role":"observer"}"#)
    let flood = try Process(
      ["/proc/self/exe", "--flood", held.daemon.socket], log: held.daemon.process.log, in: world)
    try world.require("the others are connected") { others.allSatisfy { !$0.connection.of(type: "hello").isEmpty } }
    var slowest: UInt64 = 0
    for press in 1...300 {
      let began = ks_now()
      held.device.press(Key.volumeDown)
      guard world.wait(seconds: 10, until: { held.reader.commands.count >= press }) else {
        world.check("every press turns its page", false, "press \(press): \(held.daemon.tail)")
        return
      }
      slowest = max(slowest, ks_now() - began)
    }
    world.check("every press turns its page at once", slowest < 250_000, "slowest \(slowest) us")
    world.equal("exactly once", held.reader.commands.count, 300)
    try world.require("the observers see all", detail: { "\(others.map(\.commands.count))" }) {
      others.enumerated().allSatisfy { $0.element.commands.count == ($0.offset % 2 == 1 ? 300 : 0) }
    }
    try world.require("who floods is dropped", detail: { held.daemon.tail }) { flood.exitCode != nil }
    world.equal("with an end of its connection", flood.exitCode, 0)
    try held.checkNextPressWorks()
    held.checkNothingStuck("nothing is pressed")
  }

  static func hostileLines(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard 2"))
    let lines: [(String, [UInt8])] = [
      ("not JSON", Array("hello there\n".utf8)),
      ("cut", Array(#"{"type":"subscribe","client":"#.utf8) + [10]),
      ("not UTF-8", Array(#"{"type":""#.utf8) + [0xff, 0xfe] + Array("\"}\n".utf8)),
      ("deep", [UInt8](repeating: 91, count: 2000) + [UInt8](repeating: 93, count: 2000) + [10]),
      ("oversized", [UInt8](repeating: 97, count: 100_000) + [10]),
      ("endless", [UInt8](repeating: 123, count: 300_000)),
      ("an array", Array("[1,2,3]\n".utf8)),
      ("a huge number", Array((#"{"type":"focus","value":1e999999}"# + "\n").utf8)),
      ("NUL bytes", [UInt8](repeating: 0, count: 64) + [10]),
    ]
    for (name, bytes) in lines {
      let hostile = try Connection(held.daemon.socket, in: world)
      try world.require("\(name): greeted") { !hostile.of(type: "hello").isEmpty }
      var sent = 0
      _ = world.wait(seconds: 5) {
        guard !hostile.closed, sent < bytes.count else { return true }
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(hostile.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { sent += count }
        return sent >= bytes.count || (count < 0 && errno != EAGAIN)
      }
      try world.require("\(name): an error or a bye", detail: { "\(hostile.messages)" }) {
        hostile.closed || !hostile.of(type: "error").isEmpty || !hostile.of(type: "bye").isEmpty
      }
      hostile.shut()
      held.device.press(Key.volumeDown)
    }
    try world.require("every press meanwhile turned its page", detail: { held.daemon.tail }) {
      held.reader.commands.count == lines.count
    }
    world.equal("the daemon lives", held.daemon.process.exitCode, nil)
    try held.checkNextPressWorks()
  }

  static func kernelAnnounces(_ world: World) throws {
    world.check("there is no udevd", access("/run/udev/control", F_OK) != 0)
    let held = try world.held(.keyboard("Keyboard 3"))
    try held.checkNextPressWorks("a press works without udevd")
    let later = try VirtualDevice(.keyboard("Keyboard 4"), in: world)
    try held.daemon.reach("held", "Keyboard 4")
    later.press(Key.volumeUp)
    try world.require("on a device plugged in later too") { held.reader.names.last == "prev" }
    held.device.key(Key.a, 1)
    try world.require("a letter is held") { held.clone.down == [Key.a] }
    for command in [
      ["/lib/systemd/systemd-udevd", "--daemon"], ["/usr/bin/udevadm", "trigger", "--subsystem-match=input"],
      ["/usr/bin/udevadm", "settle"],
    ] {
      let run = try Process.run(command)
      world.check(command.joined(separator: " "), run.code == 0, run.output)
    }
    held.device.key(Key.a, 0)
    try world.require("the letter goes up when udevd has come") { held.clone.down.isEmpty }
    try held.daemon.reach("held", "Keyboard 3")
    try held.checkNextPressWorks("and the next press works")
    let last = try VirtualDevice(.keyboard("Keyboard 5"), in: world)
    try held.daemon.reach("held", "Keyboard 5")
    last.press(Key.volumeUp)
    try world.require("as does a device that udevd announces") { held.reader.names.last == "prev" }
  }
}
