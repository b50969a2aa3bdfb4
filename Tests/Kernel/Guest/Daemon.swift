import CKernelShims
import Glibc

/// A real pagerd on a socket of its own, and what it says about itself.
final class Daemon {
  let socket: String
  let process: Process
  private let world: World
  private var asking: Connection?
  private var asked: UInt64 = 0
  private var answers = 0
  private(set) var devices: [JSON] = []

  /// The checkout.
  static let root: String = String(cString: getenv("KERNEL_SCENARIOS_ROOT") ?? strdup(""))
  static let binaries: String = String(cString: getenv("KERNEL_SCENARIOS_BIN") ?? strdup(""))

  /// Starts `pagerd run`, by way of another program if there is one (`setpriv` …).
  init(
    in world: World, label: String = "pagerd", environment: [String: String] = [:], through: [String] = []
  ) throws {
    self.world = world
    socket = "/run/tmp/\(world.scenario)-\(label).sock"
    let folder = String(cString: getenv("TESTBED_OUT") ?? strdup("/run/tmp"))
    var variables = ["PAGERD_SOCKET": socket, "PAGERD_DEVICES_D": Daemon.root + "/devices.d"]
    for (name, value) in environment { variables[name] = value }
    process = try Process(
      through + [Daemon.binaries + "/pagerd", "run"], environment: variables,
      log: "\(folder)/\(world.scenario).\(label).log",
      in: world)
  }

  /// The daemon's own state of a device, e.g. "held"; nil while it does not list it.
  func state(of device: String) -> String? {
    ask()
    return devices.last { $0["name"]?.text == device }?["state"]?.text
  }

  func role(of device: String) -> String? {
    devices.last { $0["name"]?.text == device }?["role"]?.text
  }

  /// Asks for the status at most every 30 ms and takes in the answers so far.
  private func ask() {
    if asking?.closed == true { asking = nil }
    if asking == nil {
      guard access(socket, F_OK) == 0, process.exitCode == nil else { return devices = [] }
      asking = try? Connection(socket, in: world)
      answers = 0
    }
    guard let asking else { return }
    let all = asking.of(type: "status")
    if all.count > answers {
      answers = all.count
      devices = all.last?["devices"]?.list ?? []
    }
    if ks_now() > asked + 30_000 {
      asked = ks_now()
      asking.send(#"{"type":"status"}"#)
    }
  }

  /// Waits until the daemon says that the device is in the state.
  func reach(_ state: String, _ device: String, seconds: Double = World.patience) throws {
    try world.require("\(device) is \(state)", seconds: seconds, detail: { "\(self.devices) \(self.tail)" }) {
      self.state(of: device) == state
    }
  }

  /// The last lines of its log.
  var tail: String {
    (Files.read(process.log) ?? "").split(separator: "\n").suffix(6).joined(separator: " | ")
  }

  var logText: String { Files.read(process.log) ?? "" }

  /// Stops asking, so that this test wakes the daemon up no more.
  func leaveAlone() {
    asking?.shut()
    asking = nil
  }

  /// The clone that the daemon made of a device.
  func clone(of device: VirtualDevice) throws -> InputNode {
    var found: InputNode?
    try world.require("\(device.plan.name) has a clone", detail: { "\(InputNode.all()) \(self.tail)" }) {
      found = InputNode.with(phys: "pagerd/" + device.plan.phys)
      return found != nil && access(found!.path, R_OK) == 0
    }
    return found!
  }

  /// The lines of one of its commands, e.g. `emit on`.
  func command(_ words: [String]) throws -> (code: Int32, output: String) {
    try Process.run([Daemon.binaries + "/pagerd"] + words, environment: ["PAGERD_SOCKET": socket])
  }
}

extension World {
  /// The configuration of this scenario's daemons; it goes when the scenario ends.
  func configure(_ text: String) {
    let path = "/etc/pagerd/devices.d/90-test.conf"
    Files.write(Array(text.utf8), to: path)
    atEnd { unlink(path) }
  }

  /// The usual beginning: a device, a daemon, a focused reader, the device held, an observer on its clone.
  func held(_ plan: DevicePlan, role: String = "reader") throws -> Held {
    let device = try VirtualDevice(plan, in: self)
    let daemon = try Daemon(in: self)
    let reader = try Subscriber(daemon, role: role, in: self)
    if role == "reader" { try reader.claim(self) }
    try daemon.reach("held", plan.name)
    let clone = try Observer(daemon.clone(of: device).path, in: self)
    let source = try Observer(device.node, in: self)
    return Held(device: device, daemon: daemon, reader: reader, clone: clone, source: source, world: self)
  }
}

/// A held device with everybody around it.
struct Held {
  let device: VirtualDevice
  let daemon: Daemon
  let reader: Subscriber
  let clone: Observer
  let source: Observer
  let world: World

  /// Presses a letter and waits until it is through the clone: everything before it has been dealt with.
  func barrier(_ code: UInt16 = Key.z) throws {
    let before = clone.keys(code).count { $0 == 0 }
    device.press(code)
    try world.require("a letter goes through the clone", detail: { daemon.tail }) {
      clone.keys(code).count { $0 == 0 } > before
    }
  }

  /// Nothing is pressed for a reader of the clone or of the source, by their own account and by the kernel's.
  func checkNothingStuck(_ name: String) {
    let all = [clone.down, clone.kernelDown, source.down, source.kernelDown]
    world.check(name, all.allSatisfy(\.isEmpty), "clone \(all[0]) \(all[1]), source \(all[2]) \(all[3])")
  }

  /// One press of VOLUMEDOWN is one `next`, and nothing of it reaches the clone.
  func checkNextPressWorks(_ name: String = "the next press works") throws {
    let before = reader.commands.count
    clone.forget()
    device.press(Key.volumeDown)
    try world.require(name, detail: { "\(reader.commands.suffix(3)) \(daemon.tail)" }) {
      reader.commands.count > before
    }
    try barrier()
    world.equal("\(name): exactly once", reader.commands.count, before + 1)
    world.check("\(name): not on the clone", !clone.saw(Key.volumeDown), clone.keyText)
  }
}
