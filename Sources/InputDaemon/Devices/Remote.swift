internal import EventLoop
internal import PageKeys

/// All nodes of one physical remote: one name, one pipeline, one set of settings.
final class Remote {
  /// nil: a node that can belong to no other.
  let identity: RemoteIdentity?
  let seat: String
  private(set) var name = ""
  private(set) var settings: DeviceSettings
  private(set) var members: [KnownNode] = []

  var pipeline: RemotePipeline
  /// Somebody takes this seat's commands now.
  var isRouted = false
  var takerToken: UInt64 = 0
  /// Falls due at the pipeline's next deadline.
  var timer: Timer?
  /// What the timer was last set to.
  var scheduled: UInt64?
  /// The settings changed while a key was down: the pipeline is made anew when none is.
  var needsNewPipeline = false
  /// It was away before: `wake-press` counts when it is held again.
  var hasReturned = false

  init(identity: RemoteIdentity?, seat: String) {
    self.identity = identity
    self.seat = seat
    settings = DeviceSettings()
    pipeline = RemotePipeline(settings: settings)
  }

  var descriptions: [NodeDescription] { members.map(\.description) }
  var devices: [SharedDevice] { members.compactMap(\.device) }

  func add(_ node: KnownNode) {
    members.append(node)
    name = RemoteIdentity.name(of: descriptions)
  }

  func remove(_ node: KnownNode) {
    members.removeAll { $0 === node }
    if !members.isEmpty { name = RemoteIdentity.name(of: descriptions) }
  }

  /// Sets the timer to the pipeline's next deadline.
  @inline(__always)
  func scheduleNext() {
    let deadline = pipeline.nextDeadline
    guard deadline != scheduled else { return }
    scheduled = deadline
    timer?.deadline = deadline
  }

  /// Takes what the configuration says now.
  ///
  /// - Returns: whether anything changed.
  func configure(_ configuration: Configuration) -> Bool {
    let settings = configuration.settings(for: descriptions)
    guard settings != self.settings else { return false }
    self.settings = settings
    needsNewPipeline = true
    return true
  }

  /// Makes the pipeline anew with the current settings, if that is due and no key is down.
  ///
  /// - Returns: whether it was made anew: every device then has to be attached again.
  func renewPipeline() -> Bool {
    guard needsNewPipeline, devices.allSatisfy({ !$0.isAnythingDown }) else { return false }
    needsNewPipeline = false
    pipeline = RemotePipeline(settings: settings)
    scheduled = nil
    timer?.deadline = nil
    return true
  }
}
