import ReaderIPC

/// Turns the events of all nodes of one remote into commands, and into the frames that its clones see.
///
/// Not copyable: a copy would hold the same memory a second time, and the next event would have to part them.
///
/// Pure: it knows no clock but the events' own time and the deadlines that it is told of. Nothing is allocated after
/// `attach`.
///
/// The caller reads everything that is pending on all nodes before it calls `advance(to:)`, so that a release which
/// the kernel stamped before a deadline is seen before that deadline comes due. A frame lets only the deadlines of its
/// own node come due: how far another node has been read is nothing to go by.
public struct RemotePipeline: ~Copyable, Sendable {
  /// Fill `Outcome.presses`.
  public var reportsPresses = false

  let settings: DeviceSettings
  var nodes: [Node] = []
  var layouts: [Layout] = []
  var buttons: [Button] = []
  var chords: [Chord] = []
  var gestures: GestureMachine
  var twins = Deduplicator()
  /// How many scan pairs and debounce windows are open, on all nodes.
  var openWindows = 0
  /// See `limit(to:)`.
  var limit: [Command]?

  public init(settings: DeviceSettings) {
    self.settings = settings
    gestures = GestureMachine(
      times: .init(hold: settings.holdTime, double: settings.doubleTime, repeating: settings.repeating))
  }

  // MARK: Nodes

  /// Adds a node in the state in which it was found; allocates.
  ///
  /// - Parameter role: the remote's, or the node's own judgement.
  /// - Returns: the number by which the node is called from now on; that of a detached node is given again.
  public mutating func attach(_ node: NodeDescription, role: Role, state: NodeState) -> Int {
    let classes = DeviceClasses(node)
    let sticks = classes.contains(.joystick) || classes.isDisjoint(with: .pointers)
    let canTouch = TouchSource.canTouch(node)
    let number = layout(role: role, sticks: sticks && !canTouch)
    let isTouch = canTouch && (role == .pageTurner || layouts[number].hasTouch)
    let made = Node(
      node, role: role, layout: layouts[number], number: number, isTouch: isTouch, state: state,
      latches: settings.latches, buttons: settings.debounce > 0 ? buttons.count : 0)
    if let free = nodes.firstIndex(where: { !$0.isAttached }) {
      nodes[free] = made
      return free
    }
    nodes.append(made)
    return nodes.count - 1
  }

  private mutating func layout(role: Role, sticks: Bool) -> Int {
    if let number = layouts.firstIndex(where: { $0.role == role && $0.hasSticks == sticks }) { return number }
    layouts.append(
      Layout(role: role, sticks: sticks, settings: settings, buttons: &buttons, chords: &chords))
    applyLimit()
    return layouts.count - 1
  }

  /// Ends a node: what the clone holds down is released; a press that was cut calls nothing, a tap that only waited
  /// for its second press counts.
  public mutating func detach(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
    guard isAttached(node) else { return }
    comeDue(time, of: node, into: &outcome)
    gestures.end(node, at: time, buttons, into: &outcome)
    nodes[node].releaseKeys(at: time, into: &outcome.passed)
    nodes[node].slots.lift(at: time, into: &outcome.passed)
    returnAxes(node, at: time, into: &outcome)
    finish(at: time, &outcome)
    closeWindows(node)
    twins.forget(node)
    nodes[node].isAttached = false
  }

  /// Takes the device's state as it is when it is grabbed, and brings the clone to it.
  ///
  /// Keys that are down now are nobody's press; nothing of them reaches the clone.
  public mutating func synchronise(_ node: Int, with state: NodeState, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
    guard isAttached(node) else { return }
    gestures.end(node, at: time, buttons, into: &outcome)
    outcome.fired.removeAll(keepingCapacity: true)
    nodes[node].releaseKeys(at: time, into: &outcome.passed)
    nodes[node].slots.lift(at: time, into: &outcome.passed)
    closeWindows(node)
    nodes[node].take(state)
    nodes[node].catchUp(at: time, into: &outcome.passed)
    finish(at: time, &outcome)
  }

  /// Brings axes and switches of the clone to the device's values, except those still in a swallowed gesture; for the
  /// moments at which routing begins or ends.
  public mutating func catchUp(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
    guard isAttached(node) else { return }
    nodes[node].catchUp(at: time, into: &outcome.passed)
    finish(at: time, &outcome)
  }

  /// Releases whatever the clone has down, and brings its axes and switches to the device's values: holding ends.
  public mutating func letGo(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
    guard isAttached(node) else { return }
    gestures.end(node, at: time, buttons, into: &outcome)
    outcome.fired.removeAll(keepingCapacity: true)
    nodes[node].releaseKeys(at: time, into: &outcome.passed)
    nodes[node].slots.lift(at: time, into: &outcome.passed)
    closeWindows(node)
    nodes[node].touch.reset()
    nodes[node].catchUp(at: time, into: &outcome.passed)
    finish(at: time, &outcome)
  }

  /// True while a key or a touch of the node is down, passed or swallowed; a latch key and a stick do not count.
  public func isDown(_ node: Int) -> Bool {
    isAttached(node) && (nodes[node].downCount > 0 || nodes[node].touch.isDown)
  }

  // MARK: Events

  /// Takes one frame, its SYN_REPORT included.
  ///
  /// - Parameter routed: somebody is there to take commands; a press is decided by it once and for all.
  public mutating func process(
    _ frame: UnsafeBufferPointer<InputEvent>, from node: Int, routed: Bool, into outcome: inout Outcome
  ) {
    outcome.clear()
    guard isAttached(node), let first = frame.first else { return }
    comeDue(first.time, of: node, into: &outcome)
    run(frame, Context(node: node, role: nodes[node].role, isRouted: routed, isInvented: false), into: &outcome)
  }

  /// Takes a frame that libevdev made up after SYN_DROPPED: state and clone follow, commands never come of it.
  public mutating func resynchronise(
    _ frame: UnsafeBufferPointer<InputEvent>, from node: Int, routed: Bool, into outcome: inout Outcome
  ) {
    outcome.clear()
    guard isAttached(node), let first = frame.first else { return }
    comeDue(first.time, of: node, into: &outcome)
    closeWindows(node)
    nodes[node].touch.isCancelled = true
    run(frame, Context(node: node, role: nodes[node].role, isRouted: routed, isInvented: true), into: &outcome)
  }

  /// Lets deadlines up to and including `time` come due.
  public mutating func advance(to time: UInt64, into outcome: inout Outcome) {
    outcome.clear()
    comeDue(time, of: nil, into: &outcome)
  }

  /// The taker has left: gestures in progress end without a command, what is swallowed stays swallowed.
  public mutating func cancelGestures() {
    gestures.cancel()
    for node in nodes.indices {
      nodes[node].touch.isCancelled = true
      for cell in nodes[node].cells.indices { nodes[node].cells[cell].wasRouted = false }
    }
  }

  /// The remote has come back after it was away, with whatever nodes: once for each return.
  public mutating func reconnected(at time: UInt64, routed: Bool, into outcome: inout Outcome) {
    outcome.clear()
    guard routed, let command = settings.wakePress else { return }
    outcome.fire(command, .tap, time)
  }

  // MARK: Time

  /// When `advance(to:)` is to be called next, in microseconds on CLOCK_MONOTONIC.
  public var nextDeadline: UInt64? {
    mutating get { earlier(gestures.nextDeadline(of: nil), openWindows > 0 ? nextWindow(of: nil) : nil) }
  }

  /// The next deadline apart from repeats, which go on for ever while a key is down.
  var nextFiniteDeadline: UInt64? {
    earlier(gestures.nextFiniteDeadline, openWindows > 0 ? nextWindow(of: nil) : nil)
  }

  func isAttached(_ node: Int) -> Bool { nodes.indices.contains(node) && nodes[node].isAttached }
}

/// What holds for all events of one frame.
struct Context {
  let node: Int
  let role: Role
  let isRouted: Bool
  let isInvented: Bool

  /// Whatever is not bound is nobody's.
  var swallowsRest: Bool { isRouted && role == .pageTurner }
}
