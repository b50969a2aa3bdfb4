internal import EventLoop
internal import ReaderIPC

/// What clients say.
extension SocketServer {
  /// Reads once from a client, and does what its lines ask.
  func read(_ client: ClientConnection) {
    switch client.receive() {
    case .wouldBlock: return
    case .closed:
      if client.input.isWithinLine { complain(client, .badFrame(.cut, offset: client.input.bytes.count)) }
      _ = client.flush()
      return remove(client)
    case .bytes: break
    }
    while client.phase == .open {
      switch client.input.next() {
      case .incomplete:
        client.input.compact()
        return
      case .tooLong:
        complain(client, .badFrame(.tooLong, offset: Wire.maximumLine))
        drop(client, .lineTooLong)
      case .line(let range):
        guard client.gauge.add(lineBytes: range.count, at: loop.now) else { return drop(client, .flood) }
        do throws(WireError) {
          handle(try ClientMessage(client.input.bytes, range), from: client)
        } catch {
          complain(client, error)
        }
      }
    }
  }

  private func complain(_ client: ClientConnection, _ error: WireError) {
    refuse(client, error.code, error.description)
    client.errors += 1
    if client.errors >= SocketServer.maximumErrors { drop(client, .tooManyErrors) }
  }

  private func refuse(_ client: ClientConnection, _ code: ErrorCode, _ message: String) {
    client.append(.error(code: code.rawValue, message: message))
    markDirty(client)
  }

  private func answer(_ client: ClientConnection, _ message: ServerMessage) {
    client.append(message)
    markDirty(client)
  }

  private func handle(_ message: ClientMessage, from client: ClientConnection) {
    if message.isQuestion, !client.gauge.add(FloodGauge.question, at: loop.now) { return drop(client, .flood) }
    switch message {
    case .unknown: break
    case .ping: answer(client, .pong)
    case .pong:
      stack.pong(client.id)
      isStale = true
    case .subscribe(let name, let role): subscribe(client, name, role)
    case .focus(let value):
      guard client.role != nil else {
        return refuse(client, .notSubscribed, "focus comes after subscribe")
      }
      stack.focus(client.id, value)
      answerActive(client)
      isStale = true
    case .send(let command): send(command, from: client)
    case .status: answer(client, .status(report))
    case .devices: answer(client, .devices(report))
    case .reload:
      guard client.identity.isTrusted(daemon: ownUID) else {
        return refuse(client, .noRights, "reload is for root, pagerd's own user and the group pagerd")
      }
      answer(client, .reload(errors: registry?.reload() ?? []))
    case .monitor(let raw):
      let isRaw = raw && client.identity.isPrivileged
      stream(client, isRaw ? .rawEvents : .commands)
      if raw && !isRaw { refuse(client, .noRights, "raw keys are for root and the group pagerd") }
      answer(client, .monitor(raw: isRaw))
    case .record(let node): record(node, for: client)
    case .emit(let value): emit(value, from: client)
    }
  }

  private func subscribe(_ client: ClientConnection, _ name: String, _ role: ClientRole) {
    client.name = name
    client.role = role
    stack.subscribe(client.id, as: role)
    isStale = true
    updateWatchers(client)
    // A background client claims by subscribing, so it is answered like one who claims.
    if role == .background { answerActive(client) }
  }

  private func stream(_ client: ClientConnection, _ stream: ClientConnection.Stream) {
    client.stream = stream
    updateWatchers(client)
    isStale = true
  }

  private func updateWatchers(_ client: ClientConnection) {
    watchers.removeAll { $0 === client }
    if client.role == .observer || client.stream != .none { watchers.append(client) }
  }

  private func record(_ node: String, for client: ClientConnection) {
    guard client.identity.isPrivileged else {
      return refuse(client, .noRights, "recording is for root and the group pagerd")
    }
    guard let head = registry?.recordingHead(node: node) else {
      return refuse(client, .noDevice, "no device has the node \(node)")
    }
    answer(client, .record(node: node))
    for line in head { client.append(.recordLine(line)) }
    stream(client, .node(node))
  }

  private func emit(_ value: Bool, from client: ClientConnection) {
    guard client.seats != 0 else { return refuse(client, .noRights, "no active session on any seat") }
    if let emitterOwner, !value, emitterOwner.uid != client.identity.uid, !client.identity.isTrusted(daemon: ownUID) {
      return refuse(client, .noRights, "another user switched the emitter on")
    }
    emitterOwner = value ? client.identity : nil
    stack.setEmitter(seats: value ? client.seats : 0, isNew: value)
    isStale = true
    answer(client, .emit(value))
  }

  private func send(_ command: Command, from client: ClientConnection) {
    guard client.seats != 0 else {
      return refuse(client, .noRights, "no active session on any seat")
    }
    refresh()
    let uid = client.identity.isPrivileged ? nil : client.identity.uid
    if let id = stack.target(uid: uid), let target = clients[id] {
      hand(command, to: target, gesture: .tap, device: "send", timeMicroseconds: loop.now)
    } else if let emitterOwner, uid == nil || emitterOwner.uid == uid, registry?.emit(command) == true {
      inform(emitterOwner.uid, command, gesture: .tap, device: "send", timeMicroseconds: loop.now)
    } else {
      refuse(client, .noReader, "nobody takes commands now")
    }
  }

  private var report: StatusReport {
    StatusReport(
      server: serverName, isRouting: seats.names.indices.contains { stack.taker(seat: $0) != .nobody },
      isEmitting: emitterOwner != nil, clients: clients.count, devices: registry?.statuses() ?? [])
  }
}

extension ClientMessage {
  /// Does the answer take more work than a line?
  fileprivate var isQuestion: Bool {
    switch self {
    case .status, .devices, .reload, .record, .monitor: true
    case .subscribe, .focus, .ping, .pong, .send, .emit, .unknown: false
    }
  }
}
