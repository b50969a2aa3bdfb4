internal import EventLoop
internal import PageKeys

/// The kernel dropped events (SYN_DROPPED): what they changed is found out, and never becomes a command.
///
/// The kernel drops the oldest events and keeps what comes after, so three stretches follow one another: the events up
/// to SYN_DROPPED, a gap, and an unbroken tail. libevdev tells how the state now differs from that before the gap.
/// What the tail itself changed is taken out of that, so that the gap's part is all that is invented; then the tail is
/// taken as what it is, real events, and a press in it is a press.
extension SharedDevice {
  /// - Parameters:
  ///   - index: of SYN_DROPPED in the bench's buffer, which holds `count` events.
  func resynchronise(after index: Int, of count: Int) {
    bench.clearFrame()
    manager.tell(.overflow(name: name, node: path))
    var tail = OverflowTail()
    for later in (index + 1)..<max(index + 1, count) { tail.add(bench.input.event(later)) }
    // Bounded: a device that never stops must not keep the others waiting.
    reading: for _ in 0..<16 {
      guard case .events(let count) = device.read(into: bench.input) else { break }
      for later in 0..<count { tail.add(bench.input.event(later)) }
      if count < bench.input.capacity { break reading }
    }
    // Which slot an event of the tail belongs to cannot be known: there libevdev's word is all that counts.
    if touch != nil { tail = OverflowTail() }

    let before = keys
    let differences = device.differences(from: keys, axes: axes, switches: switches, touch: touch)
    var after = before
    for event in differences where event.type == EventType.key {
      if event.value == 0 { after.remove(event.code) } else { after.insert(event.code) }
    }
    // What libevdev finds has no time of its own, and the pipeline's time never goes back.
    invent(tail.gap(from: before, differences: differences), at: tail.events.first?.time ?? now)
    for event in tail.events { _ = take(event) }
    bench.clearFrame()
    // Between the last read and libevdev's question more may have happened.
    var rest: [InputEvent] = []
    for code in tail.keys.codes where !phantoms.contains(code) && keys.contains(code) != after.contains(code) {
      rest.append(InputEvent(type: EventType.key, code: code, value: after.contains(code) ? 1 : 0, time: 0))
    }
    for event in differences where event.type == EventType.abs && tail.axes.contains(event.code) {
      if axes[Int(event.code)] != event.value { rest.append(event) }
    }
    invent(rest, at: now)
  }

  /// Lets state and clone follow what nobody pressed just now.
  private func invent(_ events: [InputEvent], at time: UInt64) {
    for found in events {
      let event = InputEvent(type: found.type, code: found.code, value: found.value, time: time)
      switch event.type {
      case EventType.key:
        if hasPhantoms, phantoms.contains(event.code) { continue }
        track(key: event.code, isDown: event.value != 0)
      case EventType.abs:
        if Int(event.code) < axes.count { axes[Int(event.code)] = event.value }
        touch?.process(code: event.code, value: event.value)
      case EventType.sw:
        track(switch: event.code, isOn: event.value != 0)
      default: break
      }
      // A frame that is too long for any device goes in parts.
      if !bench.collect(event) {
        processInvented(at: time)
        _ = bench.collect(event)
      }
      if event.isFrameEnd { processInvented(at: time) }
    }
    if bench.frameCount > 0 { processInvented(at: time) }
  }

  private func processInvented(at time: UInt64) {
    if bench.frameEvents.last?.isFrameEnd == false {
      _ = bench.collect(InputEvent(type: EventType.syn, code: 0, value: 0, time: time))
    }
    remote.pipeline.resynchronise(bench.frameEvents, from: index, routed: remote.isRouted, into: &bench.outcome)
    bench.clearFrame()
    settleOutcome()
  }
}

/// The events after the last SYN_DROPPED: unbroken from the first whole frame on.
struct OverflowTail {
  private(set) var events: [InputEvent] = []
  private var isWhole = false
  /// The keys whose state before the tail the tail itself tells: down or up.
  private(set) var keys = KeyBits()
  private var downBefore = KeyBits()
  private(set) var axes = KeyBits()
  private var switches = KeyBits()

  init() {}

  mutating func add(_ event: InputEvent) {
    if event.isOverflow {
      self = OverflowTail()
      return
    }
    guard isWhole else {
      // The rest of a frame whose beginning is lost.
      isWhole = event.isFrameEnd
      return
    }
    events.append(event)
    switch event.type {
    case EventType.key where event.value != 2:
      guard !keys.contains(event.code) else { return }
      keys.insert(event.code)
      if event.value == 0 { downBefore.insert(event.code) }
    case EventType.abs: axes.insert(event.code)
    case EventType.sw: switches.insert(event.code)
    default: break
    }
  }

  /// What changed in the gap, given what changed from before the gap until now.
  func gap(from before: KeyBits, differences: [InputEvent]) -> [InputEvent] {
    var gap: [InputEvent] = []
    for event in differences {
      switch event.type {
      case EventType.key where keys.contains(event.code): continue
      case EventType.abs where axes.contains(event.code): continue
      case EventType.sw where switches.contains(event.code): continue
      default: gap.append(event)
      }
    }
    for code in keys.codes where before.contains(code) != downBefore.contains(code) {
      gap.append(InputEvent(type: EventType.key, code: code, value: downBefore.contains(code) ? 1 : 0, time: 0))
    }
    return gap
  }
}
