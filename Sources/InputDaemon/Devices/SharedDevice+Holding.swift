internal import EventLoop
internal import PageKeys

/// Taking a device and giving it back so that whoever saw a press sees its release.
extension SharedDevice {
  /// Tries to take the device.
  ///
  /// The key state is asked for before the grab and followed through the queue up to the grab itself: a device with a
  /// key down then is let go again. What came after the grab is ours alone, and is kept.
  func attemptTaking() -> HoldMachine.Attempt {
    for _ in 0..<3 {
      if let attempt = tryTaking() { return attempt }
    }
    return .failed
  }

  /// - Returns: nil when it is to be tried again at once: events were lost on the way, so that nobody knows what is
  ///   down, or the key that stood in the way is up again.
  private func tryTaking() -> HoldMachine.Attempt? {
    bystander.forget(with: bench.input)
    guard drainUnheld() else { return .gone }
    var state = KeyBits()
    do throws(SystemError) {
      try device.readKeys(into: &state)
    } catch {
      return .gone
    }
    watch.assign(state)
    hasLostUnheld = false
    writePhantomsAway()
    // The kernel threw away the key events that the state told of; what is read now is newer.
    guard drainUnheld() else { return .gone }
    guard !hasLostUnheld else { return nil }
    guard watch.isClear else { return .keyDown }

    switch device.grab() {
    case .held: break
    case .busy: return .busy
    case .gone: return .gone
    case .failed: return .failed
    }
    let seen = bystander.takeSeen(with: bench.input)
    guard let mine = readAll() else { return .gone }
    let isWhole = !seen.contains(where: \.isOverflow) && !mine.contains(where: \.isOverflow)
    let shared = Overlap.countSeen(atStartOf: mine, seen: seen)
    for event in mine[..<shared] { observeUnheld(event) }
    let missed = Array(mine[shared...])
    guard isWhole, watch.isClear else {
      // Put down again for us alone, a key can come up for all: a second press of it would be one too many for those
      // who count.
      let rewound = Overlap.keysUp(after: missed, of: watch.down)
      for key in rewound.codes { device.write(type: EventType.key, code: key, value: 1) }
      device.ungrab()
      handBack(missed, believedDown: watch.down, rewound: rewound)
      // A key that came up meanwhile says so to nobody any more.
      return isWhole && !watch.isClear ? .keyDown : nil
    }
    beginHolding(missed)
    return .held
  }

  /// After a grab has ended: shows the others what only we saw, so that no press is lost for everybody.
  ///
  /// - Parameters:
  ///   - former: what only we saw and have read.
  ///   - believedDown: the keys that are down for the others.
  ///   - rewound: the keys of these that came up, and are down again for the kernel.
  private func handBack(_ former: [InputEvent], believedDown: KeyBits, rewound: KeyBits = KeyBits()) {
    let mine = readAll() ?? []
    let seen = bystander.takeSeen(with: bench.input)
    let last = mine.dropLast(Overlap.countSeen(atEndOf: mine, seen: seen))
    for event in former + mine { observeUnheld(event) }
    let repair = Overlap.repair(
      missed: former, last: Array(last), later: seen, believedDown: believedDown, rewound: rewound)
    for event in repair {
      device.write(type: event.type, code: event.code, value: event.value)
    }
    settleUnheld()
  }

  private func beginHolding(_ late: [InputEvent]) {
    keys.removeAll()
    downCount = 0
    awaitsKeyUp = false
    readState()
    copyRepeatTimes()
    copySlots()
    remote.pipeline.synchronise(index, with: state, at: now, into: &bench.outcome)
    settleOutcome()
    bench.clearFrame()
    for event in late { _ = take(event) }
    bench.clearFrame()
    flush()
  }

  /// Asks the device for its axes and switches.
  func readState() {
    for code in 0..<UInt16(CodeCount.abs) where axes[Int(code)] != nil {
      if let axis = try? device.axis(code) { axes[Int(code)] = axis.value }
    }
    if device.has(type: EventType.sw), let switches = try? device.switches() { self.switches = switches }
  }

  /// The device's state as its events so far have left it.
  var state: NodeState {
    var state = NodeState()
    state.keysDown = CodeSet(keys.codes)
    state.axes = axes
    for code in 0..<UInt16(CodeCount.sw) where switches & (1 << UInt32(code)) != 0 { state.switchesOn.insert(code) }
    return state
  }

  /// Joins the remote's pipeline (again, after it was made anew). Nothing is down.
  func attach() {
    index = remote.pipeline.attach(node.description, role: node.role, state: state)
  }

  /// Reads what piled up while nobody read: it tells whether a key has changed since the opening.
  ///
  /// - Returns: false when the device is gone.
  private func drainUnheld() -> Bool {
    guard let events = readAll() else { return false }
    for event in events { observeUnheld(event) }
    return true
  }

  /// Reads the whole queue; nil when the device is gone. Allocates.
  private func readAll() -> [InputEvent]? {
    var events: [InputEvent] = []
    // Bounded: a device that never stops must not keep the others waiting.
    for _ in 0..<64 {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count { events.append(bench.input.event(index)) }
        if count < bench.input.capacity { return events }
      case .nothing: return events
      case .gone: return nil
      }
    }
    return events
  }

  /// Writes the release of keys that are stuck for good; the others see one clean release.
  func writePhantomsAway() {
    let stuck = watch.phantoms(at: now)
    guard !stuck.isEmpty else { return }
    for key in stuck.codes where device.write(type: EventType.key, code: key, value: 0) {
      manager.tell(.phantom(name: name, node: path, key: key))
      phantoms.insert(key)
      hasPhantoms = true
      watch.process(key: key, value: 0)
    }
    // Our own writes are in the queue now and say the same once more.
    var state = KeyBits()
    if (try? device.readKeys(into: &state)) != nil { watch.assign(state) }
  }

  /// Gives the device back; no key is down. Blocks for some 35 ms.
  func giveBack() {
    // A latch key may still be down on the clone.
    remote.pipeline.letGo(index, at: now, into: &bench.outcome)
    settleOutcome()
    flush()
    bench.clearFrame()
    device.ungrab()
    // What came before that reached nobody but us; for the others nothing is down.
    handBack([], believedDown: KeyBits())
  }

  /// Ends holding whatever is down, as when pagerd ends: the clone's keys come up, and so do the device's, so that no
  /// press that others never saw goes on repeating for them.
  func giveBackAtOnce() {
    releaseClone()
    for key in keys.codes { device.write(type: EventType.key, code: key, value: 0) }
    keys.removeAll()
    downCount = 0
    bench.clearFrame()
    device.ungrab()
    handBack([], believedDown: KeyBits())
  }
}
