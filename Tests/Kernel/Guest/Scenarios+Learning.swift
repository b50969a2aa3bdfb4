import CKernelShims
import Glibc

/// `pagerd learn` in a terminal, with devices that no rule would take, and the profile that comes of it.
extension Scenarios {
  private struct Pupil {
    var plan: DevicePlan
    var next: [[Event]]
    var prev: [[Event]]
  }

  private static var pupils: [Pupil] {
    var ring = DevicePlan(name: "Learn Ring", phys: "test/learn-ring/input0", keys: [Key.touch], repeats: false)
    ring.axes = [.init(code: Axis.x, minimum: 0, maximum: 4095), .init(code: Axis.y, minimum: 0, maximum: 4095)]
    var wheel = DevicePlan(name: "Learn Wheel", phys: "test/learn-wheel/input0", scans: false, repeats: false)
    wheel.relative = [0, 1, 8]
    wheel.keys = [Key.buttonLeft, Key.buttonRight]
    var pad = DevicePlan(
      name: "Learn Pad", phys: "test/learn-pad/input0", keys: [0x120, 0x121], scans: false, repeats: false)
    pad.axes = [.init(code: Axis.hatX, minimum: -1, maximum: 1), .init(code: Axis.hatY, minimum: -1, maximum: 1)]
    let pedal = DevicePlan(
      name: "Learn Pedal", phys: "test/learn-pedal/input0", keys: [184, 185, 186], scans: false, repeats: false)
    func swipe(_ from: Int32, _ to: Int32) -> [[Event]] {
      let steps = (0...8).map { from + (to - from) * Int32($0) / 8 }
      return [[Event(.key, Key.touch, 1), Event(.absolute, Axis.x, 2000), Event(.absolute, Axis.y, steps[0])]]
        + steps.dropFirst().map { [Event(.absolute, Axis.y, $0)] } + [[Event(.key, Key.touch, 0)]]
    }
    func press(_ key: UInt16) -> [[Event]] { [[Event(.key, key, 1)], [Event(.key, key, 0)]] }
    func throwHat(_ value: Int32) -> [[Event]] {
      [[Event(.absolute, Axis.hatX, value)], [Event(.absolute, Axis.hatX, 0)]]
    }
    return [
      Pupil(plan: pedal, next: press(186), prev: press(184)),
      Pupil(plan: ring, next: swipe(3200, 400), prev: swipe(400, 3200)),
      Pupil(plan: wheel, next: [[Event(.relative, 8, -1)]], prev: [[Event(.relative, 8, 1)]]),
      Pupil(plan: pad, next: throwHat(1), prev: throwHat(-1)),
    ]
  }

  static func learn(_ world: World) throws {
    let daemon = try Daemon(in: world)
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    for pupil in pupils {
      let name = pupil.plan.name
      let device = try VirtualDevice(pupil.plan, in: world)
      let path = "/etc/pagerd/devices.d/" + name.lowercased().replacing(" ", with: "-") + ".conf"
      world.atEnd { unlink(path) }
      try world.require("\(name): the daemon knows it", detail: { daemon.tail }) { daemon.state(of: name) != nil }
      let pane = try TerminalPane(
        pupil.plan.phys.filter(\.isLetter),
        command: "PAGERD_SOCKET=\(daemon.socket) \(Daemon.binaries)/pagerd learn '\(name)'; sleep 60", columns: 100,
        rows: 30, in: world)
      func show(_ gesture: [[Event]], until text: String, _ what: String) throws {
        try world.require("\(name): \(what)", detail: { pane.screen }) {
          if pane.look().contains(text) { return true }
          for frame in gesture { device.emit(frame) }
          return world.wait(seconds: 1) { pane.look().contains(text) }
        }
      }
      try world.require("\(name): learn asks", detail: { pane.screen }) { pane.look().contains("next page") }
      try show(pupil.next, until: "I saw", "it says what it saw")
      try show(pupil.next, until: "already", "the same button twice is refused")
      try show(pupil.prev, until: "controls", "then it asks for the third")
      try world.require("\(name): Enter ends the lesson", detail: { pane.screen }) {
        if pane.look().contains("Written to") { return true }
        try? pane.type("Enter")
        return world.wait(seconds: 1) { pane.look().contains("Written to") }
      }
      world.check("\(name): there is a profile", Files.read(path)?.contains(name) == true, pane.screen)
      try daemon.reach("held", name)
      let before = reader.commands.count
      for frame in pupil.next + pupil.prev { device.emit(frame) }
      try world.require("\(name): the profile turns pages", detail: { "\(reader.commands) \(Files.read(path) ?? "")" })
      {
        reader.names.dropFirst(before) == ["next", "prev"]
      }
      device.unplug()
    }
  }
}
