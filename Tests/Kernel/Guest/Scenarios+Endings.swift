import CKernelShims
import Glibc

/// Things that die, stop or vanish, each while a letter is held.
extension Scenarios {
  static func daemonKilled(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard J"))
    held.device.key(Key.a, 1)
    try world.require("a letter is held") { held.clone.down == [Key.a] }
    held.device.key(Key.volumeDown, 1)
    try world.require("and a page key") { held.reader.commands.count == 1 }
    held.daemon.process.signal(SIGKILL)
    try world.require("the clone goes with the daemon") { held.clone.gone }
    world.check("its readers saw the release", held.clone.down.isEmpty, "\(held.clone.down)")
    try world.require("the reader is told by the end of the connection") { held.reader.connection.closed }
    held.device.key(Key.volumeDown, 0)
    held.device.key(Key.a, 0)
    // The kernel closes a dead process's files one after the other.
    try world.require("the source is everybody's at once", seconds: 5) {
      held.device.press(Key.volumeUp)
      return world.wait(seconds: 0.2) { held.source.saw(Key.volumeUp) }
    }
    world.check("nothing is pressed there", held.source.down.isEmpty && held.source.kernelDown.isEmpty)
    try world.require("the dead one is gone") { held.daemon.process.exitCode != nil }
    // Its socket is replaced.
    let next = try Daemon(in: world)
    let reader = try Subscriber(next, in: world)
    try reader.claim(world)
    try next.reach("held", "Keyboard J")
    held.device.press(Key.volumeDown)
    try world.require("the next daemon's reader gets the next press") { reader.names == ["next"] }
  }

  static func daemonTerminated(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard K"))
    held.device.key(Key.a, 1)
    try world.require("a letter is held") { held.clone.down == [Key.a] }
    held.daemon.process.signal(SIGTERM)
    try world.require("it ends", detail: { held.daemon.tail }) { held.daemon.process.exitCode != nil }
    world.equal("with exit code 0", held.daemon.process.exitCode, 0)
    try world.require("its clients hear why", detail: { "\(held.reader.connection.messages.suffix(2))" }) {
      held.reader.connection.of(type: "bye").first?["reason"]?.text == "shutdown"
    }
    world.check("the socket is gone", access(held.daemon.socket, F_OK) != 0)
    try world.require("the clone is gone") { held.clone.gone }
    world.check("nobody sees the letter pressed", held.clone.down.isEmpty)
    held.device.key(Key.a, 0)
    held.device.press(Key.volumeUp)
    try world.require("the source is everybody's") { held.source.keys(Key.volumeUp) == [1, 0] }
    world.check("nothing is pressed there", held.source.down.isEmpty && held.source.kernelDown.isEmpty)
  }

  static func readerKilled(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard L"), in: world)
    let daemon = try Daemon(in: world)
    let book = "/run/tmp/killed.epub"
    TestBook.write(to: book, chapters: 2, paragraphs: 20)
    let pane = try ReaderPane(book: book, daemon: daemon, in: world)
    try pane.requirePage(1, "the reader shows page 1")
    try daemon.reach("held", "Keyboard L")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    let source = try Observer(device.node, in: world)
    device.press(Key.volumeDown)
    try pane.requirePage(2, "a press turns the page")
    device.key(Key.a, 1)
    try world.require("a letter is held") { clone.down == [Key.a] }
    guard let identifier = pane.identifier else { throw Stopped(reason: "the pane has no process") }
    kill(identifier, SIGKILL)
    try world.require("a volume key is a volume key at once", detail: { clone.keyText }) {
      device.press(Key.volumeDown)
      return world.wait(seconds: 0.5) { clone.saw(Key.volumeDown) || source.saw(Key.volumeDown) }
    }
    world.check("the held letter stays down where it was", clone.kernelDown.contains(Key.a), "\(clone.kernelDown)")
    device.key(Key.a, 0)
    try world.require("and goes up when it is let go") { clone.down.isEmpty }
    try daemon.reach("ready", "Keyboard L")
    source.forget()
    device.press(Key.volumeUp)
    try world.require("then the source is everybody's") { source.keys(Key.volumeUp) == [1, 0] }
    world.check("nothing is pressed for anybody", clone.kernelDown.isEmpty && source.kernelDown.isEmpty)
    let again = try ReaderPane(book: book, daemon: daemon, label: "again", in: world)
    try world.require("a new reader shows a page", detail: { again.look() }) { again.page != nil }
  }

  static func readerStopped(_ world: World) throws {
    let device = try VirtualDevice(.keyboard("Keyboard M"), in: world)
    let daemon = try Daemon(in: world)
    let book = "/run/tmp/stopped.epub"
    TestBook.write(to: book, chapters: 2, paragraphs: 20)
    let pane = try ReaderPane(book: book, daemon: daemon, in: world)
    try pane.requirePage(1, "the reader shows page 1")
    let background = try Subscriber(daemon, role: "background", name: "background", in: world)
    try daemon.reach("held", "Keyboard M")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    device.press(Key.volumeDown)
    try pane.requirePage(2, "a press turns the page")
    device.key(Key.a, 1)
    try world.require("a letter is held") { clone.down == [Key.a] }
    guard let identifier = pane.identifier else { throw Stopped(reason: "the pane has no process") }
    kill(identifier, SIGSTOP)
    let began = ks_now()
    try world.require("the stopped reader is suspended, the next one served", detail: { daemon.tail }) {
      background.isActive
    }
    let took = Double(ks_now() - began) / 1_000_000
    world.check("within 5 s", took <= 5, "\(took) s")
    device.press(Key.volumeDown)
    try world.require("the next press goes to the next client") { background.names == ["next"] }
    world.check("the letter is still down, once", clone.keys(Key.a).filter { $0 != 2 } == [1])
    kill(identifier, SIGCONT)
    try world.require("after SIGCONT its claim is back") { !background.isActive }
    device.press(Key.volumeDown)
    try pane.requirePage(3, "and the next press turns its page")
    world.equal("the other got exactly one", background.names, ["next"])
    device.key(Key.a, 0)
    try world.require("the letter goes up") { clone.down.isEmpty }
  }

  static func daemonStoppedUnderOverflow(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard N"))
    held.device.key(Key.a, 1)
    try world.require("a letter is held") { held.clone.down == [Key.a] }
    held.daemon.process.signal(SIGSTOP)
    held.device.key(Key.a, 0)
    held.device.press(Key.volumeDown)
    for _ in 0..<2500 { held.device.press(Key.b) }
    held.device.key(Key.s, 1)
    // The three seconds are the scenario: longer than the daemon's own ping, shorter than its watchdog.
    world.pass(milliseconds: 3000)
    held.daemon.process.signal(SIGCONT)
    try world.require("the release that the kernel swallowed arrives", detail: { held.daemon.tail }) {
      !held.clone.down.contains(Key.a)
    }
    try world.require("a letter that is down meanwhile is down", detail: { held.clone.keyText }) {
      held.clone.kernelDown == [Key.s]
    }
    held.device.key(Key.s, 0)
    try held.barrier()
    held.checkNothingStuck("clone and source agree on every key")
    world.check("the press inside is one command or none", held.reader.commands.count <= 1, "\(held.reader.commands)")
    held.daemon.leaveAlone()
    world.checkQuiet(held.daemon.process)
    try held.checkNextPressWorks()

    // The page key itself is down when it stops; its release is lost.
    held.device.key(Key.volumeUp, 1)
    let count = held.reader.commands.count
    try world.require("a page key is held") { held.reader.commands.last?.command == "prev" }
    held.daemon.process.signal(SIGSTOP)
    held.device.key(Key.volumeUp, 0)
    for _ in 0..<2500 { held.device.press(Key.b) }
    held.daemon.process.signal(SIGCONT)
    // What is pressed before it has looked is lost with the rest.
    try world.require("letters go through again", detail: { held.daemon.tail }) {
      held.device.press(Key.d)
      return world.wait(seconds: 0.3) { held.clone.saw(Key.d) }
    }
    try held.barrier()
    world.check("its invented release is no command", held.reader.commands.count <= count + 1)
    held.checkNothingStuck("nothing is pressed after the second overflow")
    try held.checkNextPressWorks("a press after the second overflow works")
  }

  static func unpluggedInMidPress(_ world: World) throws {
    let held = try world.held(.keyboard("Keyboard O"))
    held.device.key(Key.a, 1)
    held.device.key(Key.volumeDown, 1)
    try world.require("a letter and a page key are held") {
      held.clone.down == [Key.a] && held.reader.commands.count == 1
    }
    held.device.unplug()
    try world.require("the letter goes up on the clone", detail: { "\(held.clone.down)" }) { held.clone.down.isEmpty }
    try world.require("the daemon forgets the device") { held.daemon.state(of: "Keyboard O") == nil }
    try world.require("the reader hears that it is gone") {
      held.reader.active?.devices.contains("Keyboard O") == false
    }
    world.equal("one command for the cut press", held.reader.names, ["next"])
    let again = try VirtualDevice(held.device.plan, in: world)
    try held.daemon.reach("held", "Keyboard O")
    again.press(Key.volumeDown)
    try world.require("plugged in again, the next press works") { held.reader.names == ["next", "next"] }
    let clone = try Observer(held.daemon.clone(of: again).path, in: world)
    again.press(Key.a)
    try world.require("and the next letter") { clone.keys(Key.a) == [1, 0] }
    world.equal("exactly one more", held.reader.names, ["next", "next"])
  }
}
