import PageKeys
import ReaderIPC

/// A remote under test: feeds frames, keeps what fired and what each clone saw.
final class Rig {
  private var pipeline: RemotePipeline
  var outcome = Outcome()
  var routed = true
  private(set) var fired: [Fired] = []
  private(set) var panics = 0
  private(set) var presses: [Input] = []
  /// By node.
  private(set) var passed: [Int: [InputEvent]] = [:]
  private(set) var clones: [Int: Clone] = [:]
  private(set) var time: UInt64 = 0

  /// What a reader of the clone believes.
  struct Clone {
    var keys: Set<UInt16> = []
    var axes: [UInt16: Int32] = [:]
    var switches: Set<UInt16> = []
    var presses = 0
    var releases = 0
    var framesWithoutEnd = 0
  }

  init(
    _ lines: String = "", role: Role = .pageTurner, nodes: [NodeDescription] = [Rig.keyboard()],
    state: NodeState? = nil, reports: Bool = false
  ) {
    var configuration = Configuration()
    do {
      try configuration.add("[device \"*\"]\n" + lines, file: "test.conf")
    } catch {
      preconditionFailure("\(error)")
    }
    pipeline = RemotePipeline(settings: configuration.settings(for: nodes))
    pipeline.reportsPresses = reports
    for node in nodes {
      let number = pipeline.attach(node, role: role, state: state ?? NodeState(node))
      clones[number] = Clone()
    }
  }

  /// A node that can send every key, with scan codes.
  static func keyboard(_ name: String = "test") -> NodeDescription {
    var node = NodeDescription(name: name, bus: Bus.usb)
    node.keys = CodeSet(1..<UInt16(CodeCount.key))
    for code in UInt16(0x140)...0x14f { node.keys.remove(code) }
    node.miscellaneous = [MiscellaneousCode.scan]
    node.relatives = [RelativeCode.wheel, RelativeCode.wheelHighResolution, RelativeCode.dial, 0x06, 0x0c]
    node.switches = [0, 1]
    return node
  }

  func limit(to commands: [Command]?) { pipeline.limit(to: commands) }

  // MARK: Feeding

  func frame(_ events: [(UInt16, UInt16, Int32)], at time: UInt64, node: Int = 0, end: Int32 = 0) {
    self.time = time
    var frame = events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2, time: time) }
    frame.append(InputEvent(type: EventType.syn, code: 0, value: end, time: time))
    frame.withUnsafeBufferPointer { pipeline.process($0, from: node, routed: routed, into: &outcome) }
    take(node)
  }

  /// A frame whose events have times of their own.
  func feed(_ frame: [InputEvent], node: Int = 0) {
    time = frame.last?.time ?? time
    frame.withUnsafeBufferPointer { pipeline.process($0, from: node, routed: routed, into: &outcome) }
    take(node)
  }

  func invent(_ events: [(UInt16, UInt16, Int32)], at time: UInt64, node: Int = 0) {
    self.time = time
    var frame = events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2, time: time) }
    frame.append(InputEvent(type: EventType.syn, code: 0, value: 0, time: time))
    frame.withUnsafeBufferPointer { pipeline.resynchronise($0, from: node, routed: routed, into: &outcome) }
    take(node)
  }

  func key(_ code: UInt16, _ value: Int32, at time: UInt64, node: Int = 0) {
    frame([(EventType.key, code, value)], at: time, node: node)
  }

  func axis(_ code: UInt16, _ value: Int32, at time: UInt64, node: Int = 0) {
    frame([(EventType.abs, code, value)], at: time, node: node)
  }

  func wheel(_ value: Int32, at time: UInt64) { frame([(EventType.rel, 8, value)], at: time) }

  func advance(to time: UInt64) {
    self.time = max(self.time, time)
    pipeline.advance(to: time, into: &outcome)
    take(nil)
  }

  func detach(_ node: Int = 0, at time: UInt64) {
    pipeline.detach(node, at: time, into: &outcome)
    take(node)
  }

  func catchUp(_ node: Int = 0, at time: UInt64) {
    pipeline.catchUp(node, at: time, into: &outcome)
    take(node)
  }

  func synchronise(_ node: Int = 0, with state: NodeState, at time: UInt64) {
    pipeline.synchronise(node, with: state, at: time, into: &outcome)
    take(node)
  }

  func letGo(_ node: Int = 0, at time: UInt64) {
    pipeline.letGo(node, at: time, into: &outcome)
    take(node)
  }

  func reconnected(at time: UInt64) {
    pipeline.reconnected(at: time, routed: routed, into: &outcome)
    take(nil)
  }

  private func take(_ node: Int?) {
    fired += outcome.fired
    presses += outcome.presses
    if outcome.isPanic { panics += 1 }
    guard let node else { return }
    passed[node, default: []] += outcome.passed
    guard let last = outcome.passed.last else { return }
    var clone = clones[node] ?? Clone()
    if !last.isFrameEnd { clone.framesWithoutEnd += 1 }
    for event in outcome.passed {
      switch event.type {
      case EventType.key:
        // The kernel drops what changes nothing.
        if event.value == 1, clone.keys.insert(event.code).inserted { clone.presses += 1 }
        if event.value == 0, clone.keys.remove(event.code) != nil { clone.releases += 1 }
      case EventType.abs: clone.axes[event.code] = event.value
      case EventType.sw:
        if event.value == 0 { clone.switches.remove(event.code) } else { clone.switches.insert(event.code) }
      default: break
      }
    }
    clones[node] = clone
  }

  func attach(_ node: NodeDescription, role: Role) -> Int {
    pipeline.attach(node, role: role, state: NodeState(node))
  }

  func cancelGestures() { pipeline.cancelGestures() }

  // MARK: Looking

  var nextDeadline: UInt64? { pipeline.nextDeadline }

  func isDown(_ node: Int) -> Bool { pipeline.isDown(node) }

  /// `tap:next@0 hold:first@500000`.
  var story: String {
    fired.map { "\($0.gesture.rawValue):\($0.command)@\($0.time)" }.joined(separator: " ")
  }

  var commands: [String] { fired.map(\.command.description) }

  /// `KEY30=1 SYN0=0`, of one node.
  func seen(_ node: Int = 0) -> String {
    (passed[node] ?? []).map { event in
      event.isFrameEnd ? "|" : "\(KeyNames.name(of: event))=\(event.value)"
    }.joined(separator: " ")
  }

  /// Feeds edges of one key in milliseconds (`1@0 0@50`), `cancel@70`, `advance@900` and `detach@950` too.
  ///
  /// - Parameter step: wake the pipeline as often as this in between, in microseconds.
  func play(
    _ text: String, key code: UInt16 = KeyCode.volumeDown, second: UInt16 = KeyCode.volumeUp, step: UInt64? = nil
  ) {
    var previous: UInt64 = 0
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "@")
      let time = UInt64((Double(parts[1]) ?? 0) * 1000)
      if let step { for wake in stride(from: previous, to: time, by: Int(step)) { advance(to: wake) } }
      previous = time
      switch parts[0] {
      case "1", "P": key(code, 1, at: time)
      case "0", "R": key(code, 0, at: time)
      case "2": key(code, 2, at: time)
      case "p": key(second, 1, at: time)
      case "r": key(second, 0, at: time)
      case "advance": advance(to: time)
      case "cancel":
        advance(to: time)
        pipeline.cancelGestures()
      case "detach": detach(at: time)
      default: preconditionFailure("\(word)")
      }
    }
    while let deadline = pipeline.nextDeadline, deadline < 20_000_000 { advance(to: deadline) }
  }
}
