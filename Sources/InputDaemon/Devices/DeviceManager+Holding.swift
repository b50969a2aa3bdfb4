internal import EventLoop
internal import PageKeys

/// Devices are taken when somebody is there and given back when nobody is.
extension DeviceManager {
  // MARK: Holding

  func isWanted(_ device: SharedDevice) -> Bool {
    let node = device.node
    return !isStopped && node.isSettled && node.isCandidate && node.verdict.role != .ignore && node.obstacle == nil
      && audience.wantsHolding(seat: device.remote.seat)
  }

  /// Looks again whether the device is to be held.
  func update(_ device: SharedDevice) {
    guard !device.isBuried, !device.isAnswering else { return }
    let isWanted = isWanted(device)
    let noKeyDown = device.machine.isHeld ? !device.isAnythingDown : device.isClearToTake
    perform(device.machine.update(isWanted: isWanted, noKeyDown: noKeyDown, at: loop.now), device)
    if device.machine.isHeld, !isWanted { device.awaitsKeyUp = true }
  }

  func perform(_ action: HoldMachine.Action, _ device: SharedDevice) {
    switch action {
    case .none: break
    case .watch: device.read(true)
    case .unwatch: device.read(isObserved)
    case .giveBack:
      device.giveBack()
      device.read(isObserved)
      heldHasChanged = true
      tell(.givenBack(name: device.name, node: device.path))
    case .take:
      if !device.hasBeenTaken {
        guard !device.isCloneGrabbed() else { return looped(device) }
        device.hasBeenTaken = true
      }
      let before = device.machine.phase
      let attempt = device.attemptTaking()
      perform(device.machine.tried(attempt, at: loop.now), device)
      guard device.machine.phase != before || attempt == .held else { return }
      taken(attempt, device)
    }
  }

  func taken(_ attempt: HoldMachine.Attempt, _ device: SharedDevice) {
    switch attempt {
    case .held:
      device.read(true)
      heldHasChanged = true
      tell(.held(name: device.name, node: device.path))
      wake(device)
    case .keyDown: tell(.waitingForKey(name: device.name, node: device.path, keys: device.watch.down.codes))
    case .busy, .failed: tell(.busy(name: device.name, node: device.path))
    case .gone: lost(device)
    }
  }

  /// A remote that was away and is held again: its reconnecting may count as a press.
  func wake(_ device: SharedDevice) {
    let remote = device.remote
    guard remote.hasReturned else { return }
    remote.hasReturned = false
    remote.pipeline.reconnected(at: loop.now, routed: remote.isRouted, into: &bench.outcome)
    device.settleOutcome()
    device.flush()
  }

  /// The last key of a device that something waits for came up.
  func keysCameUp(_ device: SharedDevice) {
    device.awaitsKeyUp = false
    adopt(device.node)
    renew(device.remote)
    update(device)
    finish()
  }

  // MARK: Loops

  /// Something was written to a clone: soon it is to be seen that it could be read there.
  func expectWitness() {
    if witnessTimer?.deadline == nil { witnessTimer?.deadline = loop.now + DeviceManager.witnessTime }
  }

  func askWitnesses() {
    var isLooped = false
    for remote in remotes {
      for node in remote.members {
        guard let device = node.device, device.hearing.isWitnessDue, device.isCloneSilent() else { continue }
        looped(device)
        isLooped = true
      }
    }
    // Once a second while somebody types: nothing is allocated for nothing.
    if isLooped { finish() }
  }

  /// Another program has grabbed the clone: whatever it makes of it would come back to us as a device.
  func looped(_ device: SharedDevice) {
    tell(.loop(name: device.name, node: device.path, clone: device.clone.node))
    let node = device.node
    if device.machine.isHeld {
      if !device.isAnswering { device.giveBackAtOnce() }
      heldHasChanged = true
    }
    bury(device)
    node.obstacle = .loop
  }
}
