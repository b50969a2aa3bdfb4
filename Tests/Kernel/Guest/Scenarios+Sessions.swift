import CKernelShims
import Glibc

/// Seats and sessions. sd-login asks no service: it reads the files that systemd-logind keeps in /run/systemd/seats,
/// and watches that folder. Here they are written as logind does it, to a file beside and then renamed.
extension Scenarios {
  private static let reading: UInt32 = 1000
  private static let other: UInt32 = 1001

  static func inactiveSession(_ world: World) throws {
    // rvaiya/keyd#936, philipl/evdevremapkeys#18: bindings stay active on the lock screen and for other users.
    let folder = "/run/systemd/seats"
    Files.makeFolder(folder)
    func activate(_ user: UInt32?) {
      let session = user.map { "ACTIVE=c\($0)\nACTIVE_UID=\($0)\n" } ?? ""
      let text =
        "IS_SEAT0=1\nCAN_MULTI_SESSION=1\nCAN_TTY=1\nCAN_GRAPHICAL=0\n\(session)SESSIONS=c1000 c1001\nUIDS=1000 1001\n"
      Files.write(Array(text.utf8), to: folder + "/.#seat0")
      rename(folder + "/.#seat0", folder + "/seat0")
    }
    activate(reading)
    world.atEnd { unlink(folder + "/seat0") }
    let device = try VirtualDevice(.keyboard("Seat Keyboard"), in: world)
    let daemon = try Daemon(in: world)
    try daemon.reach("ready", "Seat Keyboard")
    chmod(daemon.socket, 0o666)
    let stranger = try Connection(daemon.socket, as: other, in: world)
    try world.require("who has no active session is told so", detail: { "\(stranger.messages)" }) {
      stranger.of(type: "error").first?["code"]?.text == "no-rights"
    }
    let reader = try Subscriber(daemon, name: "reading", as: reading, in: world)
    try reader.claim(world)
    try daemon.reach("held", "Seat Keyboard")
    let clone = try Observer(daemon.clone(of: device).path, in: world)
    let source = try Observer(device.node, in: world)
    device.press(Key.volumeDown)
    try world.require("with the session in front a press is a page") { reader.names == ["next"] }
    // A letter is held across the switch, as Alt is when a console is switched.
    device.key(Key.leftAlt, 1)
    try world.require("a key is down") { clone.down == [Key.leftAlt] }
    activate(nil)
    try world.require("with no session in front the reader is told") { !reader.isActive }
    device.press(Key.volumeDown)
    try world.require("and the very next press is a volume key again") { clone.keys(Key.volumeDown) == [1, 0] }
    device.key(Key.leftAlt, 0)
    try world.require("the held key comes up where it went down") { clone.down.isEmpty }
    try daemon.reach("ready", "Seat Keyboard")
    device.press(Key.volumeUp)
    try world.require("then the keyboard is everybody's") { source.keys(Key.volumeUp) == [1, 0] }
    activate(other)
    let second = try Subscriber(daemon, name: "other", as: other, in: world)
    try second.claim(world)
    try daemon.reach("held", "Seat Keyboard")
    reader.focus(true)
    device.press(Key.volumeUp)
    try world.require("the other user's reader gets the other user's presses") { second.names == ["prev"] }
    reader.connection.send(#"{"type":"send","command":"first"}"#)
    try world.require("and nothing of who is not there") { !reader.connection.of(type: "error").isEmpty }
    world.equal("who is not in front gets none", reader.names, ["next"])
    activate(reading)
    try world.require("back in front, the reader is served without a new claim", detail: { daemon.tail }) {
      reader.isActive && !second.isActive
    }
    try daemon.reach("held", "Seat Keyboard")
    clone.forget()
    source.forget()
    device.press(Key.volumeDown)
    try world.require("and turns") { reader.names == ["next", "next"] }
    world.equal("the other one does not", second.names, ["prev"])
    world.check("the volume does not move", !clone.saw(Key.volumeDown) && !source.saw(Key.volumeDown))
    world.check("nothing is pressed", clone.kernelDown.isEmpty && source.kernelDown.isEmpty)
  }
}
