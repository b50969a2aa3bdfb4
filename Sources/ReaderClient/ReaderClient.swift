public import EventLoop
public import ReaderIPC

/// An application's end of the wire: connects, claims, answers pings, and comes back by itself.
///
/// ```swift
/// let pages = ReaderClient(loop: loop, name: "reader", role: .reader) { event in … }
/// pages.start()
/// pages.hasFocus = true          // from now on, over every reconnect, until it is false
/// ```
/// Everything happens on the loop's thread. Nothing here fails for good: without a pagerd it looks again, later and
/// later, up to every 5 s.
public final class ReaderClient {
  public enum Event: Sendable, Equatable {
    /// A pagerd greeted: `pagerd 0.1.0`.
    case connected(server: String)
    /// The commands come here now, from these devices; or no longer.
    case active(Bool, devices: [String])
    /// A command that is younger than a second.
    case command(PageCommand)
    /// So many commands were sent but never arrived.
    case missed(UInt64)
    /// An answer to what was sent: `error`, `status`, `devices`, `reload`, `monitor`, `event`, `record` …
    case message(ServerMessage)
    /// The connection is gone; it is being made anew.
    case disconnected(Connection.End)
  }

  /// Whether the application's window has the focus. Setting it, to the same value too, tells pagerd.
  public var hasFocus = false {
    didSet {
      if isGreeted { connection?.send(.focus(hasFocus)) } else if hasFocus, isStarted { connect() }
    }
  }
  /// Do the commands come here?
  public private(set) var isActive = false
  /// Has a pagerd greeted?
  public private(set) var isGreeted = false
  /// Why the last attempt to connect failed; nil once one did not.
  public private(set) var lastError: ConnectionError?
  /// Commands that came too late to be a page.
  public private(set) var staleCommands: UInt64 = 0

  private let loop: EventLoop
  private let name: String
  private let role: ClientRole
  private let paths: () -> [String]
  private let handler: (Event) -> Void
  private var connection: Connection?
  private var retry: Timer?
  private var isStarted = false
  private var delay = ReaderClient.firstDelay
  private var lastSeq: UInt64 = 0

  /// µs
  private static let firstDelay: UInt64 = 50_000
  private static let longestDelay: UInt64 = 5_000_000

  /// - Parameters:
  ///   - name: for people; at most 64 bytes of it are kept.
  ///   - paths: the sockets to try, in order; asked for at every attempt.
  public init(
    loop: EventLoop, name: String, role: ClientRole, paths: @escaping () -> [String] = { Connection.paths() },
    handler: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.name = name
    self.role = role
    self.paths = paths
    self.handler = handler
  }

  deinit { stop() }

  /// Connects now, and again whenever the connection is lost.
  public func start() {
    guard !isStarted else { return }
    isStarted = true
    connect()
  }

  /// Ends the connection, and with it the claim.
  public func stop() {
    isStarted = false
    retry?.invalidate()
    retry = nil
    connection?.close()
    connection = nil
    forget()
  }

  /// Asks something of pagerd; without a connection it is dropped.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  public func send(_ message: ClientMessage) -> Bool {
    guard isGreeted, let connection else { return false }
    connection.send(message)
    return true
  }

  private func forget() {
    isGreeted = false
    isActive = false
    lastSeq = 0
  }

  private func connect() {
    guard isStarted, connection == nil else { return }
    retry?.deadline = nil
    do throws(ConnectionError) {
      let connection = try Connection(loop: loop, paths: paths())
      lastError = nil
      connection.onMessage = { [weak self] message in self?.handle(message) }
      connection.onEnd = { [weak self] end in self?.lost(end) }
      self.connection = connection
    } catch {
      lastError = error
      retryLater()
    }
  }

  private func retryLater() {
    if retry == nil { retry = loop.makeTimer { [weak self] in self?.connect() } }
    retry?.deadline = loop.now + delay
    delay = min(delay * 2, ReaderClient.longestDelay)
  }

  private func lost(_ end: Connection.End) {
    let wasActive = isActive
    connection = nil
    forget()
    if wasActive { handler(.active(false, devices: [])) }
    handler(.disconnected(end))
    if isStarted, connection == nil { retryLater() }
  }

  private func handle(_ message: ServerMessage) {
    switch message {
    case .hello(_, let server):
      guard !isGreeted else { return }
      isGreeted = true
      connection?.send(.subscribe(client: name, role: role))
      if hasFocus { connection?.send(.focus(true)) }
      handler(.connected(server: server))
    case .active(let value, let devices):
      // Only a pagerd that lets this client in has earned a quick return.
      delay = ReaderClient.firstDelay
      isActive = value
      handler(.active(value, devices: devices))
    case .command(let command): handle(command)
    case .bye(let reason):
      // The end follows, with this reason; whoever is not welcome asks again late.
      if reason != ByeReason.shutdown.rawValue { delay = max(delay, 1_000_000) }
    default: handler(.message(message))
    }
  }

  private func handle(_ command: PageCommand) {
    guard command.seq > lastSeq else { return }
    let missed = command.seq - lastSeq - 1
    lastSeq = command.seq
    if missed > 0 { handler(.missed(missed)) }
    guard connection != nil else { return }
    let now = loop.now
    if now > command.timeMicroseconds, now - command.timeMicroseconds > Wire.commandLifetime {
      staleCommands += 1
    } else {
      handler(.command(command))
    }
  }
}
