internal import EventLoop
internal import PageKeys

/// Taking a device and giving it back so that whoever saw a press sees its release.
extension SharedDevice {
  /// Tries to take the device.
  ///
  /// The key state is read before the grab and followed through the queue up to the moment of the grab: a device with
  /// a key down then is let go again, and what came after that moment is ours alone and is kept.
  func attemptTaking() -> HoldMachine.Attempt {
    guard drainUnheld() else { return .gone }
    var state = KeyBits()
    do throws(SystemError) {
      try device.readKeys(into: &state)
    } catch {
      return .gone
    }
    watch.assign(state)
    writePhantomsAway()
    guard watch.isClear else { return .keyDown }

    switch device.grab() {
    case .held: break
    case .busy: return .busy
    case .gone: return .gone
    case .failed: return .failed
    }
    let grabbed = now
    var late: [InputEvent] = []
    var isWhole = true
    reading: while true {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count {
          let event = bench.input.event(index)
          if event.time >= grabbed {
            late.append(event)
          } else {
            if event.type == EventType.syn, event.code == 3 { isWhole = false }
            observeUnheld(event)
          }
        }
        if count < bench.input.capacity { break reading }
      case .nothing: break reading
      case .gone: return .gone
      }
    }
    guard watch.isClear, isWhole else {
      letGoAgain(late)
      return .keyDown
    }
    beginHolding(late)
    return .held
  }

  /// A key went down between the look and the grab. Its press was seen by all; a release that only we got is written
  /// to the node for the others, which the kernel does only for a key that is down.
  private func letGoAgain(_ late: [InputEvent]) {
    device.ungrab()
    for event in late where event.type == EventType.key && event.value == 0 && watch.down.contains(event.code) {
      device.write(type: EventType.key, code: event.code, value: 1)
      device.write(type: EventType.key, code: event.code, value: 0)
    }
    for event in late { observeUnheld(event) }
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
    while true {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count { observeUnheld(bench.input.event(index)) }
        if count < bench.input.capacity { return true }
      case .nothing: return true
      case .gone: return false
      }
    }
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
    let released = now
    device.ungrab()
    // What came before the release reached nobody but us.
    bench.clearFrame()
    reading: while true {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count {
          let event = bench.input.event(index)
          if event.time < released { _ = take(event) } else { observeUnheld(event) }
        }
        if count < bench.input.capacity { break reading }
      case .nothing, .gone: break reading
      }
    }
    bench.clearFrame()
    flush()
  }

  /// Ends holding whatever is down, as when pagerd ends: the clone's keys come up, and so do the device's, so that no
  /// press that others never saw goes on repeating for them.
  func giveBackAtOnce() {
    releaseClone()
    for key in keys.codes { device.write(type: EventType.key, code: key, value: 0) }
    keys.removeAll()
    downCount = 0
    device.ungrab()
  }
}
