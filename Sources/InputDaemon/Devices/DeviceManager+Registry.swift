internal import EventLoop
internal import PageKeys
internal import ReaderIPC

/// What the socket side asks.
extension DeviceManager: DeviceRegistry {
  func heldNames(seat: String) -> [String] {
    var names: [String] = []
    for remote in remotes where remote.seat == seat {
      if remote.devices.contains(where: { $0.machine.isHeld }) { names.append(remote.name) }
    }
    return names
  }

  func statuses() -> [DeviceStatus] {
    var statuses = remotes.map(status(of:))
    // What udev has not finished with is listed for people, but costs nothing until somebody asks.
    if discovery.source == .udev {
      let unknown = Sysfs.entries("/sys/class/input").filter { name in
        name.hasPrefix("event") && nodes[name] == nil && !ownNodes.contains(name)
      }
      for found in unknown.compactMap(discovery.node(named:)) where !found.isInitialised {
        let description = NodeDescription(sysfs: found)
        guard !description.phys.hasPrefix(Uinput.physPrefix) else { continue }
        statuses.append(
          DeviceStatus(
            name: description.name, nodes: [found.path], role: .ignore, state: .waitingForUdev, seat: found.seat,
            detail: "udev has not finished with it yet"))
      }
    }
    return statuses
  }

  private func status(of remote: Remote) -> DeviceStatus {
    // The node that matters most speaks for all; of several, one that is not held yet: "held" means all of them.
    let speaker =
      remote.members.max { first, second in
        (DeviceManager.rank(first), second.found.sysname) < (DeviceManager.rank(second), first.found.sysname)
      } ?? remote.members[0]
    let (state, detail) = state(of: speaker)
    let physical = speaker.found.parent
    return DeviceStatus(
      name: remote.name, nodes: remote.members.map(\.found.path).sorted(), role: DeviceRole(speaker.role), state: state,
      seat: remote.seat, detail: detail ?? speaker.verdict.reason, batteryPercent: Sysfs.batteryPercent(of: physical))
  }

  private static func rank(_ node: KnownNode) -> Int {
    var rank = 0
    switch node.role {
    case .pageTurner: rank += 20
    case .shared: rank += 10
    case .ignore: return 0
    }
    if node.isCandidate, node.device?.machine.isHeld != true { rank += 5 }
    return rank
  }

  private func state(of node: KnownNode) -> (DeviceState, String?) {
    switch node.obstacle {
    case .noPermission:
      return (.noPermission, "pagerd may not open \(node.found.path); run it as root, or as its own user with the rule")
    case .noUinput(let error):
      return (.noPermission, "no virtual device can be made: \(error); load the module uinput and give pagerd access")
    case .loop:
      return (.busy, "another program grabs the copy of it; end that program's hold on it, then reload")
    case .forceFeedback(let errno):
      return (.ignored, "its force feedback cannot be carried over: \(SystemError.text(of: errno))")
    case .unusable(let error): return (.noPermission, error.description)
    case .missing: return (.waitingForUdev, "announced, but not there yet")
    case nil: break
    }
    guard node.isCandidate else { return (.ignored, nil) }
    guard let device = node.device else { return (.waitingForUdev, nil) }
    switch device.machine.phase {
    case .ready, .retired: return (.ready, nil)
    case .waitingForKey: return (.waitingForKey, "a key is down on it: " + names(of: device.watch.down))
    case .busy: return (.busy, "another program has grabbed it")
    case .held: return (.held, nil)
    }
  }

  private func names(of keys: KeyBits) -> String { keys.codes.map(KeyNames.name(ofKey:)).joined(separator: ", ") }

  func reload() -> [String] {
    let load = loadConfiguration()
    guard load.errors.isEmpty else { return load.errors }
    configuration = load.configuration
    keyboard = OwnKeyboard(configuration: configuration)
    for remote in remotes {
      if remote.configure(configuration) { renew(remote) }
      remote.pipeline.limit(to: takenCommands(seat: remote.seat))
    }
    for node in nodes.values {
      if node.obstacle == .loop { node.obstacle = nil }
      judgeAgain(node)
      if node.isCandidate, node.device == nil, node.obstacle == nil { bringUp(node) }
      if let device = node.device { update(device) }
    }
    if remotes.contains(where: { audience.wantsHolding(seat: $0.seat) }) { keyboard.make(tell: onNotice) }
    finish()
    return []
  }

  func recordingHead(node path: String) -> [String]? {
    guard let node = nodes.values.first(where: { $0.found.path == path }) else { return nil }
    if let device = try? EvdevDevice(path: path) { node.description.addAxes(of: device) }
    return Recording(node: node.description).head.split(separator: "\n").map(String.init)
  }

  // MARK: Raw events

  func observe(_ event: InputEvent, of device: SharedDevice) {
    send(event, of: device.node)
  }

  private func send(_ event: InputEvent, of node: KnownNode) {
    let raw = RawEvent(type: event.type, code: event.code, value: event.value, timeMicroseconds: event.time)
    audience.observe(raw, device: node.remote.name, node: node.found.path)
  }

  func observeAll(_ isObserved: Bool) {
    self.isObserved = isObserved
    for node in nodes.values { observe(node, isObserved) }
  }

  func observe(_ node: KnownNode, _ isObserved: Bool) {
    if let device = node.device {
      if !device.machine.isHeld, device.machine.phase != .waitingForKey { device.read(isObserved) }
      return
    }
    let sysname = node.found.sysname
    guard isObserved else {
      observed[sysname] = nil
      return
    }
    guard observed[sysname] == nil else { return }
    observed[sysname] = try? ObservedNode(path: node.found.path, loop: loop, bench: bench) {
      [unowned self, unowned node] event in
      if let event { send(event, of: node) }
    }
  }
}

extension DeviceRole {
  init(_ role: Role) {
    switch role {
    case .pageTurner: self = .pageTurner
    case .shared: self = .shared
    case .ignore: self = .ignore
    }
  }
}
