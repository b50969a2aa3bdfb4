internal import EventLoop
internal import PageKeys

/// Nodes come, change and go; each is judged, opened and cloned.
extension DeviceManager {
  // MARK: Nodes come and go

  func nodeFound(_ found: FoundNode) {
    defer { finish() }
    guard found.action == .present else { return remove(found.sysname) }
    guard discovery.source == .kernel || found.isInitialised else { return }
    let description = NodeDescription(sysfs: found)
    guard !description.phys.hasPrefix(Uinput.physPrefix) else { return announced(found) }
    if let known = nodes[found.sysname] {
      guard known.found.syspath != found.syspath || known.found.seat != found.seat else {
        return changed(known, found, description)
      }
      remove(found.sysname)
    }
    add(found, description)
  }

  func add(_ found: FoundNode, _ description: NodeDescription) {
    let remote = remote(for: description, seat: found.seat)
    let node = KnownNode(found: found, description: description, remote: remote)
    nodes[found.sysname] = node
    remote.add(node)
    _ = remote.configure(configuration)
    renew(remote)
    settling[found.parent] = loop.now + DeviceManager.settleTime
    judgeAgain(node)
    if isObserved { observe(node, true) }
  }

  func changed(_ node: KnownNode, _ found: FoundNode, _ description: NodeDescription) {
    let isNew = found.properties != node.found.properties || found.isInitialised != node.found.isInitialised
    node.found = found
    if !found.properties.isEmpty { node.description.udev = found.properties }
    if isNew {
      settling[found.parent] = loop.now + DeviceManager.settleTime
      if node.remote.configure(configuration) { renew(node.remote) }
    }
    if node.device == nil, node.isCandidate, node.obstacle == .noPermission || node.obstacle == .missing {
      bringUp(node)
    }
  }

  func remote(for description: NodeDescription, seat: String) -> Remote {
    let identity = RemoteIdentity(description)
    if let identity, let known = remotes.first(where: { $0.identity == identity && $0.seat == seat }) { return known }
    let remote = Remote(identity: identity, seat: seat)
    remote.timer = loop.makeTimer { [unowned self, unowned remote] in advance(remote) }
    remote.isRouted = audience.hasTaker(seat: remote.seat)
    remote.takerToken = audience.takerToken(seat: remote.seat)
    remote.pipeline.limit(to: takenCommands(seat: remote.seat))
    if let identity = remote.identity { remote.hasReturned = departed.contains(identity) }
    remotes.append(remote)
    return remote
  }

  func remove(_ sysname: String) {
    ownNodes.remove(sysname)
    guard let node = nodes.removeValue(forKey: sysname) else { return }
    observe(node, false)
    if let device = node.device { bury(device) }
    let remote = node.remote
    remote.remove(node)
    guard remote.members.isEmpty else { return }
    remote.timer?.invalidate()
    remotes.removeAll { $0 === remote }
    // Bounded: addresses can be made up without end.
    if let identity = remote.identity, departed.count < 64 { departed.insert(identity) }
  }

  func listed(_ present: Set<String>) {
    for sysname in nodes.keys where !present.contains(sysname) { remove(sysname) }
    finish()
  }

  func permissionsChanged(_ sysname: String) {
    guard let node = nodes[sysname], node.device == nil, node.obstacle == .noPermission else { return }
    bringUp(node)
    finish()
  }

  /// The event node of a clone is there: a compositor will open it now.
  func announced(_ found: FoundNode) {
    ownNodes.insert(found.sysname)
    for node in nodes.values {
      guard let device = node.device, device.clone.sysname == found.inputName else { continue }
      device.machine.cloneAnnounced(at: loop.now)
      update(device)
    }
  }

  // MARK: Roles

  func judgeAgain(_ node: KnownNode) {
    let siblings = nodes.values.filter { $0 !== node && $0.found.parent == node.found.parent }
    node.verdict = judge(node.description, siblings: siblings.map(\.description), settings: node.remote.settings)
    adopt(node)
  }

  /// Lets the verdict count, unless a key is down: then it waits for that.
  func adopt(_ node: KnownNode) {
    let role = node.verdict.role
    guard role != node.role else { return }
    if let device = node.device, device.isAnythingDown {
      device.awaitsKeyUp = true
      return
    }
    node.role = role
    if role == .ignore {
      if let device = node.device { bury(device) }
      node.obstacle = nil
      node.retry = nil
    } else if let device = node.device {
      device.releaseClone()
      device.attach()
      if device.machine.isHeld { device.synchronise() }
    } else {
      bringUp(node)
    }
  }

  func settle(_ parent: String) {
    settling[parent] = nil
    for node in nodes.values where node.found.parent == parent {
      judgeAgain(node)
      node.isSettled = true
      if node.isCandidate {
        tell(
          .found(
            name: node.remote.name, node: node.found.path, role: node.role.rawValue, reason: node.verdict.reason))
      }
      if let device = node.device { update(device) }
    }
  }

  /// Makes the pipeline of a remote anew when its settings have changed and no key is down.
  func renew(_ remote: Remote) {
    guard remote.needsNewPipeline else { return }
    guard remote.renewPipeline() else {
      for device in remote.devices { device.awaitsKeyUp = true }
      return
    }
    remote.pipeline.limit(to: takenCommands(seat: remote.seat))
    for device in remote.devices {
      device.attach()
      if device.machine.isHeld { device.synchronise() }
    }
  }

  // MARK: Opening and closing

  func bringUp(_ node: KnownNode) {
    node.retry = nil
    do throws(SystemError) {
      let device = try EvdevDevice(path: node.found.path)
      node.description.addAxes(of: device)
      do throws(SystemError) {
        let shared = try SharedDevice(device: device, node: node, manager: self, loop: loop, bench: bench)
        node.device = shared
        node.obstacle = nil
        node.backoff.reset()
        uinputFailure = nil
        shared.readState()
        shared.copySwitches()
        shared.copyRepeatTimes()
        shared.attach()
        if isObserved { shared.read(true) }
      } catch {
        cloneFailed(node, error)
      }
    } catch {
      openFailed(node, error)
    }
  }

  func openFailed(_ node: KnownNode, _ error: SystemError) {
    let obstacle = KnownNode.Obstacle(opening: error)
    if obstacle != node.obstacle {
      node.backoff = obstacle == .noPermission ? .permission : .missing
      node.obstacle = obstacle
      switch obstacle {
      case .noPermission: tell(.noPermission(name: node.remote.name, node: node.found.path))
      case .unusable: tell(.unusable(name: node.remote.name, node: node.found.path, error: error))
      case .missing, .noUinput, .loop, .forceFeedback: break
      }
    }
    node.retry = node.backoff.next(after: loop.now)
  }

  func cloneFailed(_ node: KnownNode, _ error: SystemError) {
    // The device itself may have gone meanwhile; its removal follows.
    guard error.subject == Uinput.paths[0] || error.subject == Uinput.paths[1] else { return openFailed(node, error) }
    node.obstacle = .noUinput(error)
    if uinputFailure != error { tell(.noUinput(error)) }
    uinputFailure = error
  }

  /// The device is gone, or is not to be shared any more: what its clone holds down comes up.
  func bury(_ device: SharedDevice) {
    guard !device.isBuried else { return }
    device.isBuried = true
    if device.machine.isHeld {
      heldHasChanged = true
      tell(.gone(name: device.name, node: device.path))
    }
    device.releaseClone()
    _ = device.machine.retire()
    device.deafen()
    device.node.device = nil
    graveyard.append((device, loop.now + DeviceManager.mourningTime))
    let remote = device.remote
    remote.scheduleNext()
  }

  /// How long the clone of a device that is gone stays: its readers get to see that its keys came up before they are
  /// told that it is gone too.
  static let mourningTime: UInt64 = 50_000

  func destroyClones(at time: UInt64) {
    while let first = graveyard.first, first.due <= time {
      graveyard.removeFirst()
      let device = first.device
      // The kernel takes some 95 ms for each, and another device's press may come meanwhile.
      device.clone.destroyAside(aside) { withExtendedLifetime(device) {} }
    }
  }

  /// Reading says that the device is gone.
  func lost(_ device: SharedDevice) {
    let node = device.node
    bury(device)
    node.obstacle = .missing
    node.backoff = .missing
    node.retry = node.backoff.next(after: loop.now)
    finish()
  }

  func forceFeedbackFailed(_ device: SharedDevice, errno: Int32) {
    tell(.forceFeedback(name: device.name, node: device.path, errno: errno))
    device.node.obstacle = .forceFeedback(errno: errno)
    update(device)
    finish()
  }
}
