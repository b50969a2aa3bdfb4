import CKernelShims
import Glibc

/// One device of the soak, everybody who reads it, and what each of its keys must lead to.
final class SoakDevice {
  enum Kind: String, CaseIterable {
    case keyboard = "Soak Keyboard"
    case clicker = "Soak Clicker"
    case pad = "Soak Pad"
  }

  /// What a press is at this moment.
  enum Routing: Equatable {
    /// Page keys are commands; a page turner's other keys are swallowed.
    case taken
    /// Everything reaches the clone.
    case passed
    /// The focus changes at this very time: a press is either.
    case open
    /// The device is not held: everything reaches everybody.
    case released
  }

  enum Stage: Equatable {
    case plugged
    /// Gone, and back when the daemon has forgotten it and so many steps are over.
    case gone(steps: Int)
    /// Back, but not held yet.
    case coming
  }

  struct Stroke {
    var down: Event
    /// nil for what has no way back, e.g. a notch of a wheel.
    var up: Event?
    var command: Int?

    static func key(_ code: UInt16, _ command: Int?) -> Stroke {
      Stroke(down: Event(.key, code, 1), up: Event(.key, code, 0), command: command)
    }
    static func axis(_ code: UInt16, _ value: Int32, _ command: Int?) -> Stroke {
      Stroke(down: Event(.absolute, code, value), up: Event(.absolute, code, 0), command: command)
    }
    static func wheel(_ value: Int32, _ command: Int?) -> Stroke {
      Stroke(down: Event(.relative, 8, value), up: nil, command: command)
    }
  }

  let kind: Kind
  let plan: DevicePlan
  var stage = Stage.gone(steps: 0)
  private(set) var device: VirtualDevice?
  private(set) var clone: SoakTap?
  private(set) var source: SoakTap?
  /// What is held down beyond a burst, and who sees its release.
  private(set) var held: (stroke: Stroke, seenBy: SoakTap?)?
  private var strokes: [Stroke]
  private var output: [input_event] = []
  /// Everything that was written but the ends of frames, and those.
  private(set) var events = 0
  private(set) var frames = 0
  /// Frames that had to reach a reader of the clone or of the source, whole and in order.
  private(set) var passedFrames = 0

  init(_ kind: Kind) {
    self.kind = kind
    switch kind {
    case .keyboard:
      plan = .keyboard(kind.rawValue)
      strokes =
        Key.letters.map { .key($0, nil) }
        + [[Stroke]](repeating: [.key(Key.volumeDown, 0), .key(Key.volumeUp, 1)], count: 8).joined()
    case .clicker:
      let keys = [Key.nextSong, Key.previousSong, Key.playPause, Key.pageDown, Key.a]
      plan = DevicePlan(name: kind.rawValue, phys: "test/soak-clicker/input0", keys: keys, repeats: false)
      strokes = zip(keys, [0, 1, 2, 0, nil]).map { .key($0, $1) }
    case .pad:
      var plan = DevicePlan(
        name: kind.rawValue, phys: "test/soak-pad/input0", keys: [0x130, 0x131, 0x133, 0x13b], relative: [8],
        scans: false, repeats: false)
      plan.axes = [
        .init(code: Axis.x, minimum: -32768, maximum: 32767, flat: 128),
        .init(code: Axis.y, minimum: -32768, maximum: 32767, flat: 128),
        .init(code: Axis.hatX, minimum: -1, maximum: 1), .init(code: Axis.hatY, minimum: -1, maximum: 1),
      ]
      self.plan = plan
      strokes = [
        .key(0x130, 0), .key(0x131, 1), .key(0x133, nil), .key(0x13b, 2), .wheel(-1, 0), .wheel(1, 1),
        .axis(Axis.hatX, 1, 0), .axis(Axis.hatX, -1, 1), .axis(Axis.hatY, 1, 0), .axis(Axis.hatY, -1, 1),
        .axis(Axis.x, 32767, 0), .axis(Axis.x, -32768, 1),
      ]
    }
  }

  static let configuration = """
    [device "Soak Clicker"]
    role = page-turner
    [device "Soak Pad"]
    role = page-turner

    """

  var taps: [SoakTap] { [clone, source].compactMap { $0 } }
  var isSettled: Bool { taps.allSatisfy(\.isSettled) }
  var outstanding: String { "\(plan.name): \(stage) " + taps.map(\.outstanding).joined(separator: "; ") }

  // MARK: Coming and going

  func plug(ledger: SoakLedger, in world: World) throws {
    let device = try VirtualDevice(plan, in: world)
    guard world.wait(until: { access(device.node, R_OK) == 0 }) else {
      throw Stopped(reason: "\(plan.name) has no node")
    }
    self.device = device
    source = try SoakTap(device.node, name: plan.name, ledger: ledger, in: world)
    stage = .coming
  }

  /// The daemon holds it: its clone is watched from now on.
  ///
  /// - Returns: false while there is no clone.
  func taken(ledger: SoakLedger, in world: World) throws -> Bool {
    guard let node = InputNode.with(phys: "pagerd/" + plan.phys), access(node.path, R_OK) == 0 else { return false }
    clone = try SoakTap(node.path, name: plan.name + "'s clone", ledger: ledger, in: world)
    stage = .plugged
    return true
  }

  /// Pulls it out as it is; whoever reads the clone must not be left with a key.
  func unplug(steps: Int, in world: World) throws {
    for tap in taps { tap.isEnding = true }
    device?.unplugApart()
    guard world.wait(until: { taps.allSatisfy(\.gone) }) else {
      throw Stopped(reason: "\(plan.name) is unplugged and its nodes remain")
    }
    if let clone, !clone.down.isEmpty {
      throw Stopped(reason: "\(plan.name) is unplugged and the clone's readers have \(clone.down) down")
    }
    for tap in taps { world.unwatch(tap) }
    if let device { world.unwatch(device) }
    (device, clone, source, held) = (nil, nil, nil, nil)
    stage = .gone(steps: steps)
  }

  // MARK: Playing

  /// Writes a burst with one system call; it fits into the kernel's queue of a device.
  ///
  /// - Parameter press: called with the command of each press of a page key.
  func play(
    _ routing: Routing, mayHold: Bool, _ random: inout Random, press: (Int) -> Void
  ) {
    var left = plan.scans ? 14 : 22
    while left > 0 {
      if let held, random.next(3) == 0 || held.stroke.down.kind == .absolute || !mayHold {
        lift()
        left -= 1
        continue
      }
      let stroke = strokes[random.next(strokes.count)]
      guard stroke.down.code != held?.stroke.down.code || stroke.down.kind != held?.stroke.down.kind else { continue }
      let destination = push([stroke.down], stroke, routing, press)
      left -= 2
      guard let up = stroke.up else { continue }
      if mayHold, held == nil, random.next(24) == 0 {
        held = (stroke, destination.tap)
        continue
      }
      // Typists let a letter go as they press the next one; some devices tell both in one frame.
      if kind == .keyboard, stroke.command == nil, random.next(6) == 0 {
        let other = strokes[random.next(Key.letters.count)]
        if other.down.code != stroke.down.code, other.down.code != held?.stroke.down.code, let otherUp = other.up {
          push([up, other.down], other, routing, press)
          push([otherUp], other, routing) { _ in }
          left -= 1
          continue
        }
      }
      write([up])
      if let tap = destination.tap { expect([up], tap, destination.isOpen ? .open(command: nil) : .certain) }
    }
    flush()
  }

  /// Releases what is held.
  func lift() {
    guard let held, let up = held.stroke.up else { return }
    write([up])
    if let tap = held.seenBy { expect([up], tap, .certain) }
    self.held = nil
  }

  /// Presses one key and holds it.
  func hold(_ routing: Routing, _ random: inout Random, press: (Int) -> Void) {
    guard held == nil else { return }
    let all = strokes.filter { $0.up != nil }
    let stroke = all[random.next(all.count)]
    held = (stroke, push([stroke.down], stroke, routing, press).tap)
    flush()
  }

  @discardableResult
  private func push(
    _ frame: [Event], _ stroke: Stroke, _ routing: Routing, _ press: (Int) -> Void
  ) -> (tap: SoakTap?, isOpen: Bool) {
    write(frame)
    let isShared = kind == .keyboard
    if let command = stroke.command, routing == .taken || routing == .open { press(command) }
    var tap: SoakTap?
    var presence = SoakTap.Presence.certain
    switch routing {
    case .released: tap = source
    case .passed: tap = clone
    case .taken: if isShared, stroke.command == nil { tap = clone }
    case .open:
      tap = clone
      if !isShared || stroke.command != nil { presence = .open(command: stroke.command) }
    }
    if let tap { expect(frame, tap, presence) }
    return (tap, presence != .certain)
  }

  private func expect(_ frame: [Event], _ tap: SoakTap, _ presence: SoakTap.Presence) {
    passedFrames += 1
    tap.expect(withScans(frame), presence)
  }

  private func withScans(_ frame: [Event]) -> [Event] {
    guard plan.scans else { return frame }
    return frame.flatMap { [Event(.misc, 4, VirtualDevice.scan($0.code)), $0] }
  }

  private func write(_ frame: [Event]) {
    for event in withScans(frame) {
      output.append(event.raw)
      events += 1
    }
    output.append(Event.report.raw)
    frames += 1
  }

  func flush() {
    guard let device, !output.isEmpty else { return }
    output.withUnsafeBytes { bytes in
      _ = Glibc.write(device.descriptor, bytes.baseAddress, bytes.count)
    }
    output.removeAll(keepingCapacity: true)
  }
}
