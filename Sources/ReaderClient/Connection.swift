public import EventLoop
public import ReaderIPC

/// One connection to a pagerd, on a loop: lines in, lines out. It does not come back by itself; `ReaderClient` does.
public final class Connection {
  /// Why it ended.
  public enum End: Sendable, Equatable {
    /// pagerd said so: a `ByeReason`'s text.
    case bye(String)
    /// The other end is gone, without a word.
    case closed
    /// The other end speaks, but not this protocol.
    case notPagerd(String)
    case failed(SystemError)
  }

  /// The socket that accepted.
  public let path: String
  /// Every message but `ping` (which is answered) and `unknown`. It may close the connection.
  public var onMessage: ((ServerMessage) -> Void)?
  /// Called once, unless `close` was.
  public var onEnd: ((End) -> Void)?

  private let loop: EventLoop
  private var descriptor: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var input = LineBuffer()
  private var output: [UInt8] = []
  private var isWaitingToWrite = false
  private var bye: String?

  /// What may wait for a pagerd that does not read.
  private static let maximumOutput = 65536

  /// Connects to the first of `paths` that accepts.
  ///
  /// - Throws: noServer with what each of them said; failed for what the loop cannot take.
  public init(loop: EventLoop, paths: [String] = Connection.paths()) throws(ConnectionError) {
    self.loop = loop
    var tried: [SystemError] = []
    for path in paths {
      let socket: FileDescriptor
      do throws(SystemError) {
        socket = try UnixSocket.connect(to: path)
      } catch {
        tried.append(error)
        continue
      }
      self.path = path
      let fd = socket.rawValue
      descriptor = consume socket
      do throws(SystemError) {
        registration = try loop.add(fd, .readable) { [weak self] _ in self?.receive() }
      } catch {
        throw .failed(error)
      }
      return
    }
    throw .noServer(tried)
  }

  /// `$PAGERD_SOCKET`, `$XDG_RUNTIME_DIR/pagerd.sock`, `/run/pagerd/pagerd.sock`: those of them that are set.
  public static func paths(environment: (String) -> String? = { Environment[$0] }) -> [String] {
    var paths: [String] = []
    if let path = environment("PAGERD_SOCKET") { paths.append(path) }
    if let folder = environment("XDG_RUNTIME_DIR") { paths.append(folder + "/pagerd.sock") }
    paths.append("/run/pagerd/pagerd.sock")
    return paths
  }

  deinit { close() }

  public var isOpen: Bool { descriptor != nil }

  /// Sends a line, at once where the socket takes it. After the end it does nothing.
  public func send(_ message: ClientMessage) {
    message.append(to: &output)
    flush()
  }

  /// Ends the connection; no handler is called any more.
  public func close() {
    if let registration { loop.remove(registration) }
    registration = nil
    descriptor = nil
    output = []
  }

  private func end(_ end: End) {
    guard isOpen else { return }
    close()
    onEnd?(end)
  }

  private func flush() {
    guard let fd = descriptor?.rawValue else { return }
    do throws(SystemError) {
      var start = 0
      sending: while start < output.count {
        switch try Descriptor.send(fd, output, from: start) {
        case .bytes(let count): start += count
        case .wouldBlock: break sending
        // What pagerd said before it went is still there to be read, so the reading side ends the connection.
        case .closed: start = output.count
        }
      }
      output.removeFirst(start)
      if output.count > Connection.maximumOutput {
        return end(.notPagerd("\(path) does not read what it is sent"))
      }
      if isWaitingToWrite == output.isEmpty, let registration {
        isWaitingToWrite = !output.isEmpty
        try loop.modify(registration, isWaitingToWrite ? [.readable, .writable] : .readable)
      }
    } catch {
      end(.failed(error))
    }
  }

  private func receive() {
    guard let fd = descriptor?.rawValue else { return }
    if isWaitingToWrite { flush() }
    do throws(SystemError) {
      switch try Descriptor.receive(fd, appendingTo: &input.bytes) {
      case .wouldBlock: return
      case .closed: return end(bye.map(End.bye) ?? .closed)
      case .bytes: break
      }
    } catch {
      return end(.failed(error))
    }
    while isOpen {
      switch input.next() {
      case .line(let range): handle(range)
      case .incomplete:
        input.compact()
        return
      case .tooLong: return end(.notPagerd("a line of more than \(Wire.maximumLine) bytes"))
      }
    }
  }

  private func handle(_ range: Range<Int>) {
    let message: ServerMessage
    do throws(WireError) {
      message = try ServerMessage(input.bytes, range)
    } catch {
      return end(.notPagerd(error.description))
    }
    switch message {
    case .ping: send(.pong)
    case .hello(let version, _) where version != Wire.protocolVersion:
      end(.notPagerd("it speaks version \(version) of the protocol, this program version \(Wire.protocolVersion)"))
    case .unknown: break
    case .bye(let reason):
      bye = reason
      onMessage?(message)
    default: onMessage?(message)
    }
  }
}
