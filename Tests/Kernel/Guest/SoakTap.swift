import CKernelShims
import Glibc

/// What the soak found wrong first; everything after it would be noise.
final class SoakLedger {
  private(set) var fault: String?

  func fail(_ text: @autoclosure () -> String) {
    if fault == nil { fault = text() }
  }
}

/// A reader of a node that compares every event with what must come, in order, and keeps nothing else.
///
/// A frame of which it is open whether it comes (a press in the moment of a focus change) is matched if it comes and
/// counted as left out if what follows comes first. Autorepeat and lights are no business of the soak's.
final class SoakTap: Source {
  /// Whether a frame has to come, and what it would be if it does not.
  enum Presence: Equatable {
    case certain
    /// Either this frame comes, or this command, or, for a frame that is none, nothing.
    case open(command: Int?)
  }

  private(set) var descriptor: Int32
  private let name: String
  private let ledger: SoakLedger
  private var values: [UInt64] = []
  private var presences: [Presence] = []
  private var head = 0
  private var isFrameStart = true
  /// The frame so far holds only what is no business of the soak's.
  private var isForeign = false
  private var raw = [input_event](repeating: input_event(), count: 256)
  /// Open presses that came here, and those that did not, by command.
  private(set) var passed = [0, 0, 0]
  private(set) var leftOut = [0, 0, 0]
  /// Keys that are down and axes that are away from zero, for a reader of this node.
  private(set) var down: Set<UInt32> = []
  private(set) var gone = false
  /// The device is being unplugged: what is down comes up.
  var isEnding = false

  init(_ path: String, name: String, ledger: SoakLedger, in world: World) throws {
    (self.name, self.ledger) = (name, ledger)
    descriptor = ks_evdev_open(path)
    guard descriptor >= 0 else { throw Stopped(reason: "cannot open \(path): \(String(cString: strerror(errno)))") }
    world.watch(self)
    world.atEnd { [self] in shut() }
  }

  func shut() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  static func pack(_ event: Event) -> UInt64 { pack(event.type, event.code, event.value) }

  private static func pack(_ type: UInt16, _ code: UInt16, _ value: Int32) -> UInt64 {
    UInt64(type) << 48 | UInt64(code) << 32 | UInt64(UInt32(bitPattern: value))
  }

  /// The frame is to come next, its SYN_REPORT after it.
  func expect(_ frame: [Event], _ presence: Presence = .certain) {
    for event in frame {
      values.append(SoakTap.pack(event))
      presences.append(presence)
    }
    values.append(0)
    presences.append(presence)
  }

  /// Nothing is outstanding.
  var isSettled: Bool { head == values.count }

  /// Nothing certain is outstanding, and what is open is not half done.
  var isSettledButForOpen: Bool {
    down.isEmpty && isFrameStart && presences[head...].allSatisfy { $0 != .certain }
  }

  /// Counts what is still open as left out.
  func closeOpen() {
    while head < values.count { leaveOut() }
    forget()
    (passed, leftOut) = ([0, 0, 0], [0, 0, 0])
  }

  var outstanding: String {
    "\(name): \(values.count - head) outstanding, next \(values[head...].prefix(4).map(SoakTap.text)), down \(down)"
  }

  func drain() {
    while descriptor >= 0 {
      let count = raw.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == ENODEV {
        gone = true
        shut()
      }
      guard count > 0 else { return }
      for index in 0..<(count / MemoryLayout<input_event>.size) { take(raw[index]) }
    }
  }

  private func take(_ event: input_event) {
    switch Int32(event.type) {
    case EV_LED, EV_REP:
      isForeign = true
      return
    // The kernel repeats a held key by itself; the frame of a repeat ends with the value 1.
    case EV_KEY where event.value == 2: return
    case EV_SYN where event.code == 3: return ledger.fail("\(name): the kernel dropped events")
    case EV_SYN where event.value == 1: return
    case EV_SYN where isForeign && isFrameStart:
      isForeign = false
      return
    default: isForeign = false
    }
    if Int32(event.type) == EV_KEY || Int32(event.type) == EV_ABS {
      let code = UInt32(event.type) << 16 | UInt32(event.code)
      let wasDown = event.value == 0 ? down.remove(code) != nil : !down.insert(code).inserted
      if isEnding, wasDown, event.value == 0 { return }
    } else if isEnding, Int32(event.type) == EV_SYN {
      return
    }
    let value = SoakTap.pack(event.type, event.code, event.value)
    while head < values.count {
      if values[head] == value {
        if isFrameStart, case .open(let command?) = presences[head] { passed[command] += 1 }
        isFrameStart = value == 0
        head += 1
        if head == values.count { forget() }
        return
      }
      guard isFrameStart, presences[head] != .certain else { break }
      leaveOut()
    }
    let awaited = head < values.count ? SoakTap.text(values[head]) : "nothing"
    ledger.fail("\(name): \(SoakTap.text(value)) came, \(awaited) was to come")
  }

  private func leaveOut() {
    if case .open(let command?) = presences[head] { leftOut[command] += 1 }
    while values[head] != 0 { head += 1 }
    head += 1
  }

  private func forget() {
    values.removeAll(keepingCapacity: true)
    presences.removeAll(keepingCapacity: true)
    head = 0
  }

  private static func text(_ value: UInt64) -> String {
    "\(value >> 48)/\(value >> 32 & 0xffff)=\(Int32(truncatingIfNeeded: value))"
  }
}
