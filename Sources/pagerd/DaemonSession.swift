internal import EventLoop
internal import Glibc
internal import ReaderClient
internal import ReaderIPC

/// One conversation of a command with the running daemon, on a loop of its own.
final class DaemonSession {
  private let loop: EventLoop
  private let connection: Connection
  private var result: ExitCode?
  private var timer: Timer?

  /// Called for every message; returns how the program ends, or nil to go on.
  typealias Handler = (ServerMessage) -> ExitCode?

  /// Connects; without a daemon it says so.
  ///
  /// - Returns: nil when there is no daemon; `code` then says how to end.
  static func open() -> (session: DaemonSession?, code: ExitCode) {
    do throws(SystemError) {
      let loop = try EventLoop()
      do throws(ConnectionError) {
        return (DaemonSession(loop: loop, connection: try Connection(loop: loop)), .success)
      } catch {
        Output.error("pagerd: " + Messages.text(error))
        if case .noServer(let tried) = error, tried.contains(where: \.isPermission) { return (nil, .noRights) }
        return (nil, .noDaemon)
      }
    } catch {
      Output.error("pagerd: \(error)")
      return (nil, .failure)
    }
  }

  /// Connects if a daemon is there, and says nothing if none is.
  static func openQuietly() -> DaemonSession? {
    do throws(SystemError) {
      let loop = try EventLoop()
      do throws(ConnectionError) {
        return DaemonSession(loop: loop, connection: try Connection(loop: loop))
      } catch {
        return nil
      }
    } catch {
      return nil
    }
  }

  /// Lets an interrupt end the conversation well.
  func endOnSignals() -> Bool {
    do throws(SystemError) {
      try loop.handleSignals([SIGINT, SIGTERM, SIGHUP]) { [unowned self] _ in finish(.success) }
      return true
    } catch {
      Output.error("pagerd: \(error)")
      return false
    }
  }

  private init(loop: EventLoop, connection: Connection) {
    self.loop = loop
    self.connection = connection
  }

  var eventLoop: EventLoop { loop }

  func send(_ message: ClientMessage) { connection.send(message) }

  /// Ends `converse` with this code after the current wake-up.
  func finish(_ code: ExitCode) {
    result = code
    loop.stop()
  }

  /// Sends the messages and handles what comes, until the handler, the daemon or a signal ends it.
  ///
  /// - Parameter patience: microseconds without any message after which the daemon counts as dead; nil: without limit.
  func converse(_ messages: [ClientMessage], patience: UInt64? = 5_000_000, handler: @escaping Handler) -> ExitCode {
    connection.onMessage = { [unowned self] message in
      if let patience { timer?.deadline = loop.now + patience }
      // The first answer decides; more of the same wake-up change nothing.
      if result == nil, let code = handler(message) { finish(code) }
    }
    connection.onEnd = { [unowned self] end in
      Output.error("pagerd: " + Messages.text(end))
      finish(.noDaemon)
    }
    timer = loop.makeTimer { [unowned self] in
      Output.error("pagerd: the daemon does not answer")
      finish(.noDaemon)
    }
    if let patience { timer?.deadline = loop.now + patience }
    for message in messages { connection.send(message) }
    do throws(SystemError) {
      while result == nil { try loop.turn() }
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    return result ?? .failure
  }

  /// What an error of the daemon means for how the program ends.
  static func code(ofError code: String) -> ExitCode { code == ErrorCode.noRights.rawValue ? .noRights : .failure }
}
