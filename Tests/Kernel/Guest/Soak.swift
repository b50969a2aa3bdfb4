import CKernelShims
import Glibc

/// Many events through three devices, while devices, focus and clients come and go; every press is accounted for.
///
/// Before each change everything that was pressed must have arrived where the model says, so the counts are exact. A
/// race is the exception: a focus message is sent between bursts. Then each press is a command or comes whole through
/// the clone, and both together are as many as were pressed.
final class Soak {
  let world: World
  let daemon: Daemon
  private let ledger = SoakLedger()
  private var random: Random
  private let devices = SoakDevice.Kind.allCases.map(SoakDevice.init)
  private let observer: SoakClient
  /// All who are there to take commands; the first stays.
  private var clients: [SoakClient] = []
  /// The latest claim last.
  private var claims: [SoakClient] = []
  private var names = 0
  private var nextUnplug = 5
  private var nextLeave = 12
  private var isResting = false
  private(set) var steps = 0
  private(set) var commands = 0
  private(set) var plugs = 0
  private(set) var focusChanges = 0
  private(set) var clientChanges = 0
  private(set) var races = 0
  private(set) var leaves = 0

  var events: Int { devices.reduce(0) { $0 + $1.events } }
  var frames: Int { devices.reduce(0) { $0 + $1.frames } }
  var passedFrames: Int { devices.reduce(0) { $0 + $1.passedFrames } }

  init(seed: UInt64, in world: World) throws {
    self.world = world
    random = Random(seed: seed)
    world.configure(SoakDevice.configuration)
    let daemon = try Daemon(in: world)
    self.daemon = daemon
    observer = try SoakClient(daemon, role: "observer", name: "observer", ledger: ledger, in: world)
    try connect("reader")
    try claim(clients[0])
    for device in devices { try device.plug(ledger: ledger, in: world) }
    try requireAllHeld()
  }

  // MARK: The model

  private var taker: SoakClient? { claims.last ?? clients.last { $0.role == "background" } }
  private var routing: SoakDevice.Routing { taker == nil ? .passed : .taken }
  private var present: [SoakDevice] { devices.filter { $0.stage == .plugged } }

  private func press(_ command: Int) {
    taker?.expected[command] += 1
    observer.expected[command] += 1
    commands += 1
  }

  /// Waits until everything that must come has come.
  private func settle() throws {
    try wait("everything has arrived") {
      devices.allSatisfy(\.isSettled) && observer.hasAll && clients.allSatisfy(\.hasAll)
    }
  }

  private func wait(_ name: String, until condition: () -> Bool) throws {
    let came = world.wait { ledger.fault != nil || condition() }
    if let fault = ledger.fault { throw Stopped(reason: "\(fault), at step \(steps), event \(events): \(daemon.tail)") }
    guard !came else { return }
    let people = ([observer] + clients).map(\.outstanding)
    throw Stopped(
      reason: "not within \(World.patience) s at step \(steps): \(name): \(people) \(devices.map(\.outstanding)) "
        + "\(daemon.devices) \(daemon.tail)")
  }

  // MARK: One step

  /// - Parameter until: so many events are to be written before it ends.
  func run(until count: Int) throws {
    while events < count { try step() }
  }

  private func step() throws {
    steps += 1
    try moveDevices()
    switch random.next(100) {
    case 0..<4: try changeFocus()
    case 4..<6: try race()
    case 6..<8: try changeClients()
    default: break
    }
    if !isResting, steps >= nextUnplug, let device = present.randomElement(&random) {
      nextUnplug = steps + 10 + random.next(40)
      // Mostly one at a time: being plugged in takes longer than many steps.
      if present.count == devices.count || random.next(4) == 0 { try unplug(device) }
    }
    if !isResting, steps >= nextLeave, present.count == devices.count {
      nextLeave = steps + 25 + random.next(100)
      try everybodyLeaves()
    }
    for device in present { device.play(routing, mayHold: true, &random, press: press) }
    try settle()
  }

  // MARK: Devices

  private func unplug(_ device: SoakDevice) throws {
    if random.next(3) > 0 {
      device.hold(routing, &random, press: press)
      try settle()
    }
    try device.unplug(steps: random.next(12), in: world)
    plugs += 1
  }

  /// Brings back what has been gone for long enough, and plays on what is held again.
  private func moveDevices() throws {
    for device in devices {
      switch device.stage {
      case .plugged: break
      case .gone(let steps):
        if steps > 0 {
          device.stage = .gone(steps: steps - 1)
        } else if daemon.state(of: device.plan.name) == nil {
          try device.plug(ledger: ledger, in: world)
        }
      case .coming:
        if daemon.state(of: device.plan.name) == "held" { _ = try device.taken(ledger: ledger, in: world) }
      }
    }
  }

  private func requireAllHeld() throws {
    var fault: (any Error)?
    try wait("all devices are held") {
      do { try moveDevices() } catch { fault = error }
      return fault != nil || present.count == devices.count
    }
    if let fault { throw fault }
  }

  private func liftAll() throws {
    for device in present {
      device.lift()
      device.flush()
    }
    try settle()
  }

  // MARK: Clients

  private func connect(_ role: String) throws {
    names += 1
    clients.append(try SoakClient(daemon, role: role, name: "client \(names)", ledger: ledger, in: world))
  }

  private func claim(_ client: SoakClient) throws {
    focus(client, true)
    try answered(client)
  }

  private func focus(_ client: SoakClient, _ value: Bool) {
    claims.removeAll { $0 === client }
    if value { claims.append(client) }
    client.awaited = client.activeAnswers + 1
    client.send(#"{"type":"focus","value":\#(value)}"#)
    focusChanges += 1
  }

  /// The daemon's own word: it has taken the focus message, and this client is served or not.
  private func answered(_ client: SoakClient) throws {
    try wait("\(client.name) is answered") {
      client.activeAnswers >= client.awaited && client.isActive == (taker === client)
    }
  }

  /// Everything that was sent or closed before is known to the daemon.
  private func synchronise() throws {
    let before = observer.statusAnswers
    observer.send(#"{"type":"status"}"#)
    try wait("the daemon answers") { observer.statusAnswers > before }
  }

  /// - Parameter isFollowed: by presses in the same moment: not one of them may be handed to who is gone.
  private func disconnect(_ client: SoakClient, isFollowed: Bool = false) throws {
    client.shut()
    world.unwatch(client)
    clients.removeAll { $0 === client }
    claims.removeAll { $0 === client }
    if isFollowed {
      for device in present { device.play(routing, mayHold: true, &random, press: press) }
      try settle()
    }
    try synchronise()
    try wait("the next is served") { taker?.isActive != false }
  }

  private func changeFocus() throws {
    let readers = clients.filter { $0.role == "reader" }
    let client = readers[random.next(readers.count)]
    focus(client, random.next(2) == 0)
    try answered(client)
  }

  private func changeClients() throws {
    clientChanges += 1
    switch random.next(4) {
    case 0 where clients.count < 8: try connect("reader")
    case 1 where clients.count < 8: try connect("background")
    default:
      guard clients.count > 1 else { return try connect("reader") }
      try disconnect(clients[1 + random.next(clients.count - 1)], isFollowed: random.next(2) == 0)
    }
    try synchronise()
  }

  /// Nobody is there: the devices are everybody's, whole, until somebody comes.
  private func everybodyLeaves() throws {
    leaves += 1
    try liftAll()
    for client in clients { try disconnect(client) }
    try wait("the devices are given back") { devices.allSatisfy { daemon.state(of: $0.plan.name) == "ready" } }
    for device in devices { device.play(.released, mayHold: false, &random) { _ in } }
    try settle()
    try connect("reader")
    try claim(clients[0])
    try wait("the devices are held again") { devices.allSatisfy { daemon.state(of: $0.plan.name) == "held" } }
  }

  // MARK: Races

  /// The focus changes while presses are on their way.
  private func race() throws {
    races += 1
    try liftAll()
    let before = taker
    let readers = clients.filter { $0.role == "reader" }
    let client =
      before.flatMap { random.next(2) == 0 && claims.last === $0 ? $0 : nil }
      ?? readers[random.next(readers.count)]
    var pressed = [0, 0, 0]
    let got = clients.map(\.got)
    let seen = observer.got
    for client in [observer] + clients { client.isOpen = true }
    let moment = random.next(present.count + 1)
    // With a taker before and after, no page key may come through.
    let isClaim = !claims.contains { $0 === client } || claims.last !== client
    let after: SoakClient? = isClaim ? client : claims.dropLast().last ?? clients.last { $0.role == "background" }
    let isHandover = before != nil && after != nil
    for (index, device) in present.enumerated() {
      if index == moment { focus(client, isClaim) }
      device.play(isHandover ? .taken : .open, mayHold: false, &random) { pressed[$0] += 1 }
    }
    if moment == present.count { focus(client, isClaim) }
    try answered(client)
    func came(_ command: Int) -> Int {
      zip(clients, got).reduce(0) { $0 + $1.0.got[command] - $1.1[command] }
    }
    func passed(_ command: Int) -> Int { present.reduce(0) { $0 + ($1.clone?.passed[command] ?? 0) } }
    try wait("each of \(pressed) presses in a race is a command or passes") {
      (0..<3).allSatisfy { came($0) + passed($0) == pressed[$0] && observer.got[$0] - seen[$0] == came($0) }
        && present.allSatisfy { $0.clone?.isSettledButForOpen ?? true }
    }
    for (client, got) in zip(clients, got) where client !== before && client !== taker && client.got != got {
      throw Stopped(reason: "a command of a race went to a client that was never served: \(client.outstanding)")
    }
    commands += (0..<3).reduce(0) { $0 + came($1) }
    for device in present { device.clone?.closeOpen() }
    for client in [observer] + clients {
      client.expected = client.got
      client.isOpen = false
    }
  }

  // MARK: Measuring

  /// Everybody leaves, and then the same state each time: all devices held, nothing down, one reader that is served.
  func rest() throws {
    isResting = true
    while present.count < devices.count { try step() }
    isResting = false
    try everybodyLeaves()
    try settle()
    world.pass(milliseconds: 300)
  }
}

extension Array {
  fileprivate func randomElement(_ random: inout Random) -> Element? { isEmpty ? nil : self[random.next(count)] }
}

extension Scenarios {
  /// SOAK_EVENTS and SOAK_SEED say how many and which.
  static func soak(_ world: World) throws {
    let count = getenv("SOAK_EVENTS").flatMap { Int(String(cString: $0)) } ?? 20_000
    let seed = getenv("SOAK_SEED").flatMap { UInt64(String(cString: $0)) } ?? ks_now()
    world.check("the seed is \(seed), the length \(count) events", count > 0)
    let began = ks_now()
    let soak = try Soak(seed: seed, in: world)
    var memory: [Int] = []
    var descriptors: [Int] = []
    for part in 1...10 {
      try soak.run(until: count * part / 10)
      try soak.rest()
      memory.append(soak.daemon.process.status("RssAnon") ?? 0)
      descriptors.append(soak.daemon.process.descriptorCount)
    }
    let seconds = Double(ks_now() - began) / 1_000_000
    world.check(
      "every press is accounted for, every passed frame whole and in order", true,
      "\(soak.events) events in \(soak.frames) frames, \(soak.commands) commands, \(soak.passedFrames) frames passed; "
        + "\(soak.plugs) unplugs, \(soak.focusChanges) focus changes, \(soak.clientChanges) clients came or went, "
        + "\(soak.races) races, \(soak.leaves) times nobody was there; \(Int(seconds)) s")
    world.check("it ran to its length", soak.events >= count && soak.commands > count / 20 && soak.plugs > 0)
    world.equal("descriptors stay flat", Set(descriptors).count, 1, "\(descriptors)")
    // Buffers reach their size some time; what grows with the events would go on growing.
    let (whole, late) = ((memory.max() ?? 0) - memory[0], (memory[5...].max() ?? 0) - memory[5])
    world.check("memory stays flat after the warm-up", whole <= 256 && late <= 16, "RssAnon in kB: \(memory)")
    soak.daemon.leaveAlone()
    world.pass(milliseconds: 500)
    // What it takes on an emulated processor depends on what else the machine below does: one quiet time is enough.
    var spent: [Int] = []
    while spent.count < 3, spent.last ?? .max >= 50_000 {
      let time = soak.daemon.process.processorTime
      world.pass(milliseconds: 5000)
      spent.append(soak.daemon.process.processorTime - time)
    }
    world.check("afterwards it takes less than 1 % of a processor", (spent.last ?? 0) < 50_000, "\(spent) us in 5 s")
  }
}
