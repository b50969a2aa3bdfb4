internal import EventLoop
internal import PageKeys
internal import ReaderIPC

/// Keeps every input device of the machine: finds, judges, clones, holds and gives back.
///
/// One object, on the loop's thread. What it is told comes from `Discovery` and the `Audience`; what it decides is in
/// the state machines beside it.
final class DeviceManager {
  /// How long after the last node of a device its role is settled, in microseconds.
  static let settleTime: UInt64 = 500_000

  let loop: EventLoop
  let bench = Workbench()
  let discovery: Discovery
  let audience: any Audience
  var configuration: Configuration
  var nodes: [String: KnownNode] = [:]
  var remotes: [Remote] = []

  /// Tells people; called off the event path only.
  var onNotice: (DeviceNotice) -> Void = { _ in }
  /// Loads configuration and profiles anew: the configuration, or the errors.
  var loadConfiguration: () -> ConfigurationLoad = { ConfigurationLoad(configuration: Configuration(), errors: []) }
  var onHeldChange: (() -> Void)?
  /// Raw events are wanted by somebody who may see them.
  var isObserved = false

  /// When the roles of the nodes with this parent are settled.
  var settling: [String: UInt64] = [:]
  private var slowTimer: Timer?
  private var activityTimer: Timer?
  /// Devices that are gone, and when their clones are destroyed.
  var graveyard: [(device: SharedDevice, due: UInt64)] = []
  let aside: Aside
  /// What pagerds have made: never devices of anybody's.
  var ownNodes: Set<String> = []
  var departed: Set<RemoteIdentity> = []
  /// Looks, a while after something was written to a clone, whether it could be read there.
  var witnessTimer: Timer?
  static let witnessTime: UInt64 = 1_000_000
  var heldHasChanged = false
  var uinputFailure: SystemError?
  var observed: [String: ObservedNode] = [:]
  var keyboard: OwnKeyboard
  var isStopped = false

  init(
    loop: EventLoop, audience: any Audience, configuration: Configuration
  ) throws(SystemError) {
    self.loop = loop
    self.audience = audience
    self.configuration = configuration
    keyboard = OwnKeyboard(configuration: configuration)
    discovery = try Discovery(loop: loop)
    aside = try Aside(loop: loop)
  }

  /// Begins to look for devices. Call it once, when the sockets listen.
  func start() throws(SystemError) {
    witnessTimer = loop.makeTimer { [unowned self] in askWitnesses() }
    slowTimer = loop.makeTimer { [unowned self] in deadlinesDue() }
    discovery.onNode = { [unowned self] in nodeFound($0) }
    discovery.onPermissions = { [unowned self] in permissionsChanged($0) }
    discovery.onListing = { [unowned self] in listed($0) }
    discovery.onProblem = { [unowned self] in onNotice(.discovery($0)) }
    audience.onChange = { [unowned self] in audienceChanged() }
    try discovery.start()
    // Due at once, that is with the next wake-up: a press is never late for the screen's sake.
    activityTimer = loop.makeTimer { [unowned self] in keyboard.showActivity() }
    audienceChanged()
  }

  func tell(_ notice: DeviceNotice) { onNotice(notice) }

  // MARK: The audience

  private func audienceChanged() {
    for remote in remotes {
      let isRouted = audience.hasTaker(seat: remote.seat)
      let token = audience.takerToken(seat: remote.seat)
      if token != remote.takerToken {
        remote.takerToken = token
        remote.pipeline.cancelGestures()
        remote.pipeline.limit(to: takenCommands(seat: remote.seat))
      }
      if isRouted != remote.isRouted {
        remote.isRouted = isRouted
        for device in remote.devices where device.machine.isHeld { device.catchUp() }
      }
      remote.scheduleNext()
    }
    if isObserved != audience.wantsRawEvents { observeAll(audience.wantsRawEvents) }
    for node in nodes.values {
      if case .noUinput = node.obstacle, audience.wantsHolding(seat: node.remote.seat) { bringUp(node) }
      if let device = node.device { update(device) }
    }
    if remotes.contains(where: { audience.wantsHolding(seat: $0.seat) }) { keyboard.make(tell: onNotice) }
    finish()
  }

  /// What the seat's taker takes; nil: everything.
  func takenCommands(seat: String) -> [Command]? {
    audience.isEmitting(seat: seat) ? configuration.emitted.filter { !$0.keys.isEmpty }.map(\.command) : nil
  }

  /// A command fell due.
  @inline(__always)
  func fire(_ fired: Fired, of remote: Remote) {
    audience.deliver(
      fired.command, gesture: fired.gesture, device: remote.name, seat: remote.seat, timeMicroseconds: fired.time)
    if keyboard.pressed(at: fired.time) { activityTimer?.deadline = fired.time }
  }

  func panic(_ remote: Remote) {
    tell(.panic(name: remote.name))
    audience.giveBack(seat: remote.seat)
  }

  /// Sends a command as keys; see `DeviceRegistry`.
  func emit(_ command: Command) -> Bool {
    keyboard.make(tell: onNotice)
    return keyboard.emit(command)
  }

  // MARK: Deadlines

  func advance(_ remote: Remote) {
    remote.scheduled = nil
    remote.pipeline.advance(to: loop.now, into: &bench.outcome)
    if let device = remote.devices.first {
      device.settleOutcome()
      device.flush()
      if device.awaitsKeyUp, !device.isAnythingDown { keysCameUp(device) }
    }
    remote.scheduleNext()
  }

  private func deadlinesDue() {
    let now = loop.now
    destroyClones(at: now)
    for (parent, deadline) in settling where deadline <= now { settle(parent) }
    for node in nodes.values {
      if let retry = node.retry, retry <= now { bringUp(node) }
      guard let device = node.device, let deadline = device.nextDeadline, deadline <= now else { continue }
      if device.machine.phase == .waitingForKey { device.writePhantomsAway() }
      update(device)
    }
    finish()
  }

  /// Ends everything that was begun from outside: sets the next deadline, and says who is held.
  func finish() {
    var deadline: UInt64? = graveyard.first?.due
    func earlier(_ other: UInt64?) {
      if let other, other < deadline ?? .max { deadline = other }
    }
    for other in settling.values { earlier(other) }
    for node in nodes.values {
      earlier(node.retry)
      earlier(node.device?.nextDeadline)
    }
    slowTimer?.deadline = deadline
    guard heldHasChanged else { return }
    heldHasChanged = false
    onHeldChange?()
  }

  var isAnythingHeld: Bool { nodes.values.contains { $0.device?.machine.isHeld ?? false } }

  /// Gives everything back, for good.
  func stop() {
    isStopped = true
    for node in nodes.values {
      guard let device = node.device else { continue }
      if device.machine.isHeld, !device.isAnswering { device.giveBackAtOnce() }
      bury(device)
    }
    finish()
  }
}
