internal import EventLoop
internal import ReaderIPC

/// The socket side of the daemon: takes clients in, knows who is served, hands commands out.
///
/// A client can cost others nothing: it is read a bounded number of bytes a wake-up, after the input devices; what is
/// written to it never waits; whoever sends or leaves unread too much is dropped, with the reason.
final class SocketServer {
  /// The most connections, of everybody and of one user (root excepted).
  static let maximumClients = 256
  static let maximumClientsPerUser = 64
  /// Lines that are no messages, until a client is dropped.
  static let maximumErrors = 16
  /// µs that a client which was told `bye` has to read it.
  static let leaveTime: UInt64 = 2_000_000
  /// Those of them whose end is still waited for; more are closed without waiting.
  static let maximumLeaving = 64
  /// µs until accepting is tried again after the process or the system ran out of descriptors.
  static let acceptPause: UInt64 = 1_000_000

  let loop: EventLoop
  let rights: any RightsProvider
  let serverName: String
  let ownUID: UInt32
  weak var registry: (any DeviceRegistry)?
  /// Who is at the other end of a connection; nil when that cannot be told.
  var identify: (Int32) -> ClientIdentity? = { _ in nil }
  /// Lines for the daemon's log: who was dropped, and why.
  var log: (String) -> Void = { _ in }
  var onChange: (() -> Void)?

  var stack = ClaimStack()
  var seats = SeatTable()
  var clients: [ClaimStack.ClientID: ClientConnection] = [:]
  /// Who switched the emitter on: its rights are the emitter's.
  var emitterOwner: ClientIdentity?
  /// Somebody's standing, or what is held, changed since the clients were told.
  var isStale = false {
    didSet {
      guard isStale else { return }
      isUnnoted = true
      batchEnd?.isDue = true
    }
  }
  /// The names of what is held, by seat.
  var heldNames: [[String]] = [[]]
  /// Who streams or observes: few, or nobody.
  var watchers: [ClientConnection] = []

  private var listener: ListeningSocket?
  private var listening: EventLoop.Registration?
  private var isPaused = false
  /// The users whose turning away has been told of in these sessions.
  var turnedAway: Set<UInt32> = []
  private var lastID: ClaimStack.ClientID = 0
  /// To be flushed: the first, mostly the only one, and the others.
  private var firstDirty: ClientConnection?
  private var dirty: [ClientConnection] = []
  /// Something changed since the device side was told.
  private var isUnnoted = true
  private var tokens: [UInt64] = []
  private var holding: [Bool] = []
  private var hadRawListeners = false
  private var pingTimer: Timer?
  private var leaveTimer: Timer?
  private var pauseTimer: Timer?
  private var batchEnd: BatchEnd?
  /// The client that took the last command: it takes the next one, too, most of the time.
  var lastTaker: ClientConnection?

  /// - Parameters:
  ///   - serverName: `pagerd 0.1.0`
  ///   - groupID: the number of the group `pagerd`, where there is one.
  /// - Throws: epoll_ctl.
  init(
    loop: EventLoop, listener: consuming ListeningSocket, rights: any RightsProvider, serverName: String,
    ownUID: UInt32, groupID: UInt32?
  ) throws(SystemError) {
    self.loop = loop
    self.rights = rights
    self.serverName = serverName
    self.ownUID = ownUID
    identify = { fd in ClientIdentity(peerOf: fd, group: groupID) }
    let fd = listener.rawValue
    self.listener = consume listener
    learnSeats()
    // Nothing holds the server weakly, which would make each use of it dearer: whatever calls it ends with it.
    listening = try loop.add(fd, .readable) { [unowned self] _ in acceptClients() }
    pingTimer = loop.makeTimer { [unowned self] in pingClients() }
    leaveTimer = loop.makeTimer { [unowned self] in closeLeaving() }
    pauseTimer = loop.makeTimer { [unowned self] in resumeAccepting() }
    rights.onChange = { [unowned self] in judgeRights() }
    batchEnd = loop.makeBatchEnd { [unowned self] in endBatch() }
    batchEnd?.isDue = true
  }

  deinit { letGo() }

  /// The server as the daemon runs it: the socket by the design's order, rights by sd-login and the group `pagerd`.
  static func open(loop: EventLoop, serverName: String) throws(SocketError) -> SocketServer {
    let listener = try ListeningSocket.open()
    do throws(SystemError) {
      return try SocketServer(
        loop: loop, listener: listener, rights: LoginRights(loop: loop), serverName: serverName,
        ownUID: OwnProcess.uid, groupID: GroupDatabase.number(of: "pagerd"))
    } catch {
      throw .system(error)
    }
  }

  /// Call it once the device side is there.
  func connect(registry: any DeviceRegistry) {
    self.registry = registry
    registry.onHeldChange = { [unowned self] in heldChanged() }
    heldChanged()
  }

  /// Says `bye` to everybody, stops listening, and removes the socket if it is pagerd's own.
  func shutDown() {
    for client in clients.values {
      client.leave(.shutdown, until: 0)
      _ = client.flush()
    }
    letGo()
    listener?.removeFile()
    listener = nil
  }

  /// Nobody calls the server any more.
  private func letGo() {
    if let listening { loop.remove(listening) }
    listening = nil
    batchEnd?.invalidate()
    batchEnd = nil
    rights.onChange = nil
    registry?.onHeldChange = nil
    for timer in [pingTimer, leaveTimer, pauseTimer] { timer?.invalidate() }
    for client in clients.values { client.close() }
    clients = [:]
    watchers = []
    lastTaker = nil
  }

  // MARK: Coming and going

  private func acceptClients() {
    // A bound, so that a crowd at the door does not keep the others waiting; the loop comes back for the rest.
    for _ in 0..<4 {
      guard let fd = listener?.rawValue else { return }
      do throws(SystemError) {
        switch try UnixSocket.accept(fd) {
        case .connection(let fd): admit(FileDescriptor(owning: fd))
        case .aborted: continue
        case .none: return
        }
      } catch {
        // The connection stays in the queue, and the loop would wake for it for ever.
        log("no more clients for now: \(error)")
        isPaused = true
        if let listening { try? loop.modify(listening, []) }
        pauseTimer?.deadline = loop.now + SocketServer.acceptPause
        return
      }
    }
  }

  private func resumeAccepting() {
    guard isPaused, let listening else { return }
    isPaused = false
    pauseTimer?.deadline = nil
    try? loop.modify(listening, .readable)
  }

  private func admit(_ descriptor: consuming FileDescriptor) {
    guard let identity = identify(descriptor.rawValue) else { return }
    rights.reconsider()
    learnSeats()
    lastID &+= 1
    let client = ClientConnection(id: lastID, identity: identity, descriptor: descriptor, loop: loop)
    let id = lastID
    do throws(SystemError) {
      try client.watch { [unowned self] readiness in handle(id, readiness) }
    } catch {
      log("a client of user \(identity.uid) was turned away: \(error)")
      return client.close()
    }
    // Whoever is leaving is not counted: else those without rights could keep everybody else out.
    let open = clients.values.count { $0.phase == .open }
    let sameUser = clients.values.count { $0.phase == .open && $0.identity.uid == identity.uid }
    let isFull =
      open >= SocketServer.maximumClients
      || (identity.uid != 0 && sameUser >= SocketServer.maximumClientsPerUser)
    clients[id] = client
    client.append(.hello(protocol: Wire.protocolVersion, server: serverName))
    markDirty(client)
    client.seats = seats(of: identity)
    if isFull {
      drop(client, .tooManyClients)
    } else if client.seats == 0 {
      client.append(
        .error(
          code: ErrorCode.noRights.rawValue,
          message: "user \(identity.uid) has no active session on any seat and is not in the group pagerd"))
      drop(client, .noRights)
    } else {
      stack.connect(id, uid: identity.uid, seats: client.seats)
    }
  }

  private func handle(_ id: ClaimStack.ClientID, _ readiness: Readiness) {
    guard let client = clients[id] else { return }
    if readiness.contains(.writable) { markDirty(client) }
    switch client.phase {
    case .closed: return
    case .leaving:
      if readiness.contains(.hangUp) || readiness.contains(.error) { remove(client) }
    case .open:
      if !readiness.isDisjoint(with: [.readable, .peerClosed, .hangUp, .error]) { read(client) }
      // Nobody is at the other end: what it said last is heard at once, so that nothing more is handed to it.
      for _ in 0..<16 where readiness.contains(.hangUp) && client.phase == .open { read(client) }
    }
  }

  /// Ends a client's part in everything, tells it why, and gives it a moment to read that.
  func drop(_ client: ClientConnection, _ reason: ByeReason) {
    guard client.phase == .open else { return }
    if isNews(reason, client.identity.uid) {
      log("client \(client.name.isEmpty ? "" : client.name + " ")of user \(client.identity.uid): \(reason.rawValue)")
    }
    let deadline = loop.now + SocketServer.leaveTime
    client.leave(reason, until: deadline)
    markDirty(client)
    retire(client)
    leaveTimer?.deadline = min(leaveTimer?.deadline ?? .max, deadline)
  }

  /// Who is turned away tries again for as long as it lives: that is told once for each user and session.
  private func isNews(_ reason: ByeReason, _ uid: UInt32) -> Bool {
    switch reason {
    case .noRights, .tooManyClients: turnedAway.count < 64 && turnedAway.insert(uid).inserted
    case .shutdown, .slow, .flood, .lineTooLong, .tooManyErrors: true
    }
  }

  /// It is gone, or to be gone now.
  func remove(_ client: ClientConnection) {
    client.close()
    clients[client.id] = nil
    retire(client)
    resumeAccepting()
  }

  private func retire(_ client: ClientConnection) {
    stack.disconnect(client.id)
    watchers.removeAll { $0 === client }
    if lastTaker === client { lastTaker = nil }
    isStale = true
  }

  /// Everything was sent to a client that is leaving.
  private func linger(_ client: ClientConnection) {
    client.finish()
    if clients.values.count(where: { $0.phase != .open }) > SocketServer.maximumLeaving { remove(client) }
  }

  private func closeLeaving() {
    var next: UInt64?
    for client in clients.values {
      guard case .leaving(let until) = client.phase else { continue }
      if until <= loop.now { remove(client) } else { next = min(next ?? .max, until) }
    }
    leaveTimer?.deadline = next
  }

  // MARK: Telling

  func markDirty(_ client: ClientConnection) {
    guard !client.isDirty else { return }
    client.isDirty = true
    if firstDirty == nil { firstDirty = client } else { dirty.append(client) }
    batchEnd?.isDue = true
  }

  /// Sends `active` as it is now: the answer to `focus`.
  func answerActive(_ client: ClientConnection) {
    client.active = activity(of: client)
    client.append(.active(client.active.value, devices: client.active.devices))
    markDirty(client)
  }

  private func activity(of client: ClientConnection) -> (value: Bool, devices: [String]) {
    let served = stack.servedSeats(client.id)
    guard served != 0 else { return (false, []) }
    var names: [String] = []
    for index in heldNames.indices where served & (1 << ClaimStack.Seats(index)) != 0 { names += heldNames[index] }
    return (true, Array(names.prefix(Wire.maximumNames)))
  }

  /// The client knows its activity as it is. Asked every second, so no list is made for it.
  private func isTold(_ client: ClientConnection) -> Bool {
    let served = stack.servedSeats(client.id)
    let told = client.active
    guard told.value == (served != 0) else { return false }
    var position = 0
    for index in heldNames.indices where served & (1 << ClaimStack.Seats(index)) != 0 {
      for name in heldNames[index] where position < Wire.maximumNames {
        guard position < told.devices.count, told.devices[position] == name else { return false }
        position += 1
      }
    }
    return position == told.devices.count
  }

  /// Tells every client whose standing or list changed. Before anything is delivered, and at the end of a wake-up.
  func refresh() {
    guard isStale else { return }
    isStale = false
    for client in clients.values where client.role != nil && client.phase == .open {
      if !isTold(client) { answerActive(client) }
    }
    pingTimer?.deadline = stack.nextDeadline
  }

  private func pingClients() {
    let now = loop.now
    // Perhaps it was pagerd that slept, and the answers are waiting.
    for id in stack.overdue(at: now) {
      if let client = clients[id], client.phase == .open { read(client) }
    }
    stack.suspendOverdue(at: now)
    isStale = true
    refresh()
    stack.advance(to: now) { id in
      guard let client = clients[id] else { return }
      client.append(.ping)
      markDirty(client)
    }
    isStale = true
  }

  /// First the sockets, then the device side, which may take its time with what changed, then what that brought.
  private func endBatch() {
    for _ in 0..<4 {
      refresh()
      flush()
      guard noteChanges() else { break }
      onChange?()
    }
  }

  private func flush() {
    // A client that overflows gets a last line, and is looked at once more.
    while let first = firstDirty {
      firstDirty = nil
      flush(first)
      var index = 0
      while index < dirty.count {
        flush(dirty[index])
        index += 1
      }
      if index > 0 { dirty.removeAll(keepingCapacity: true) }
    }
  }

  @inline(__always)
  private func flush(_ client: ClientConnection) {
    client.isDirty = false
    switch client.flush() {
    case .waiting: break
    case .sent: if client.phase != .open { linger(client) }
    case .overflowed: if client.phase == .open { drop(client, .slow) }
    case .closed: if client.phase != .closed { removeAndPassOn(client) }
    }
  }

  /// Did anything change that the device side acts upon?
  private func noteChanges() -> Bool {
    guard isUnnoted else { return false }
    isUnnoted = false
    var changed = false
    for index in seats.names.indices {
      if index == tokens.count {
        tokens.append(0)
        holding.append(false)
      }
      let token = stack.token(seat: index)
      let wants = stack.wantsHolding(seat: index)
      if token != tokens[index] || wants != holding[index] { changed = true }
      tokens[index] = token
      holding[index] = wants
    }
    let hasRawListeners = wantsRawEvents
    if hasRawListeners != hadRawListeners { changed = true }
    hadRawListeners = hasRawListeners
    return changed
  }
}
