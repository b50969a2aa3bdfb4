internal import EventLoop
internal import PageKeys

/// The event path: no allocation, and per wake-up one read and at most one write.
extension SharedDevice {
  func ready(_ readiness: Readiness) {
    if isReading, readiness.contains(.readable) {
      if machine.isHeld { readHeld() } else { readWatching() }
    } else if !readiness.isDisjoint(with: [.hangUp, .error]) {
      manager.lost(self)
    }
  }

  // MARK: Held

  /// Reads everything that is pending and sends it on.
  func readHeld() {
    bench.clearFrame()
    var isGone = false
    reading: while true {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count where !take(bench.input.event(index)) {
          resynchronise(after: index, of: count)
          // It may not have read everything.
          listenAnew()
          break reading
        }
        if count < bench.input.capacity { break reading }
      case .nothing:
        break reading
      case .gone:
        isGone = true
        break reading
      }
    }
    flush()
    remote.scheduleNext()
    if hearing.isEchoed { takeEcho() }
    if isGone {
      manager.lost(self)
    } else if awaitsKeyUp, !isAnythingDown {
      manager.keysCameUp(self)
    }
  }

  /// - Returns: false when events were lost and the device's state has to be asked for.
  @inline(__always)
  func take(_ event: InputEvent) -> Bool {
    if manager.isObserved { manager.observe(event, of: self) }
    switch event.type {
    case EventType.key:
      if event.value != 2 {
        if hasPhantoms, phantoms.contains(event.code) {
          if event.value == 0 { forgetPhantom(event.code) }
          return true
        }
        track(key: event.code, isDown: event.value != 0)
      }
    case EventType.abs:
      if Int(event.code) < axes.count { axes[Int(event.code)] = event.value }
      touch?.process(code: event.code, value: event.value)
    case EventType.sw:
      track(switch: event.code, isOn: event.value != 0)
    case EventType.syn:
      if event.isOverflow { return false }
    default: break
    }
    guard bench.collect(event) else { return false }
    if event.isFrameEnd { processFrame() }
    return true
  }

  @inline(__always)
  func track(key: UInt16, isDown: Bool) {
    guard keys.contains(key) != isDown else { return }
    if isDown {
      keys.insert(key)
      downCount += 1
    } else {
      keys.remove(key)
      downCount -= 1
    }
  }

  func track(switch code: UInt16, isOn: Bool) {
    guard code < 32 else { return }
    if isOn { switches |= 1 << UInt32(code) } else { switches &= ~(1 << UInt32(code)) }
  }

  private func forgetPhantom(_ key: UInt16) {
    phantoms.remove(key)
    hasPhantoms = !phantoms.isEmpty
  }

  private func processFrame() {
    remote.pipeline.process(bench.frameEvents, from: index, routed: remote.isRouted, into: &bench.outcome)
    bench.clearFrame()
    settleOutcome()
  }

  /// Hands the commands over and stages the clone's frame.
  func settleOutcome() {
    for index in 0..<bench.outcome.fired.count { manager.fire(bench.outcome.fired[index], of: remote) }
    if !bench.hasRoomForOutcome { flush() }
    note(bench.stageOutcome())
    if bench.outcome.isPanic { manager.panic(remote) }
  }

  // MARK: Not held

  /// Sees keys come up, or shows events to whoever listens; the others get all of them too.
  func readWatching() {
    var isGone = false
    reading: while true {
      switch device.read(into: bench.input) {
      case .events(let count):
        for index in 0..<count {
          let event = bench.input.event(index)
          if manager.isObserved { manager.observe(event, of: self) }
          observeUnheld(event)
        }
        if count < bench.input.capacity { break reading }
      case .nothing:
        break reading
      case .gone:
        isGone = true
        break reading
      }
    }
    if isGone {
      manager.lost(self)
    } else {
      settleUnheld()
      manager.update(self)
    }
  }

  /// Keeps account of the keys of a device that is not held.
  func observeUnheld(_ event: InputEvent) {
    if event.type == EventType.key {
      if event.value == 0, hasPhantoms { forgetPhantom(event.code) }
      watch.process(key: event.code, value: event.value)
    } else if event.isOverflow {
      watch.overflowed(at: now)
      hasLostUnheld = true
    }
  }

  /// After the queue was read: the device's own word for its keys, if events were lost. What is asked for is newer than
  /// everything that was read.
  func settleUnheld() {
    guard hasLostUnheld else { return }
    hasLostUnheld = false
    var state = KeyBits()
    if (try? device.readKeys(into: &state)) != nil { watch.assign(state) }
  }
}

extension InputEvent {
  /// The kernel dropped events before this one (SYN_DROPPED).
  var isOverflow: Bool { type == EventType.syn && code == 3 }
}
