/// Turns the events of all nodes of one remote into commands, and into the frames that its clones see.
///
/// Pure: it knows no clock but the events' own time and the deadlines that it is told of.
/// Nothing is allocated after `attach`.
///
/// The caller reads everything that is pending on all nodes before it calls `advance(to:)`, so that a release which
/// the kernel stamped before a deadline is seen before that deadline comes due.
public struct RemotePipeline: Sendable {
  /// Fill `Outcome.presses`.
  public var reportsPresses = false

  public init(settings: DeviceSettings) {
    self.settings = settings
  }

  private let settings: DeviceSettings

  /// Adds a node; its role is the remote's or its own judgement.
  ///
  /// - Returns: the number by which the node is called from now on.
  public mutating func attach(_ node: NodeDescription, role: Role, state: NodeState) -> Int { 0 }

  /// Ends a node: what the clone holds down is released, gestures in progress end.
  public mutating func detach(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
  }

  /// Takes the device's state as it is when it was grabbed, and brings the clone's axes and switches to it.
  public mutating func synchronise(_ node: Int, with state: NodeState, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
  }

  /// Brings axes and switches of the clone to the device's values, except those still in a swallowed gesture;
  /// called when routing begins or ends, and before holding ends.
  public mutating func catchUp(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
  }

  /// Takes one frame, its SYN_REPORT included.
  ///
  /// - Parameter routed: somebody is there to take commands; a press is decided by it once and for all.
  public mutating func process(
    _ frame: UnsafeBufferPointer<InputEvent>, from node: Int, routed: Bool, into outcome: inout Outcome
  ) {
    outcome.clear()
    outcome.passed.append(contentsOf: frame)
  }

  /// Takes a frame that libevdev made up after SYN_DROPPED: state and clone follow, commands never come of it.
  public mutating func resynchronise(
    _ frame: UnsafeBufferPointer<InputEvent>, from node: Int, routed: Bool, into outcome: inout Outcome
  ) {
    outcome.clear()
  }

  /// Lets deadlines up to and including `time` come due.
  public mutating func advance(to time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
  }

  /// The taker has left: gestures in progress end without a command, what is swallowed stays swallowed.
  public mutating func cancelGestures() {}

  /// The remote has come back after it was away: `wake-press`.
  public mutating func reconnected(at time: UInt64, routed: Bool, into outcome: inout Outcome) {
    outcome.clear()
  }

  /// When `advance(to:)` is to be called next, in microseconds on CLOCK_MONOTONIC.
  public var nextDeadline: UInt64? { nil }

  /// True while any key, throw or touch of the node is down, passed or swallowed.
  public func isDown(_ node: Int) -> Bool { false }
}
