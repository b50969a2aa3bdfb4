internal import EventLoop
internal import ReaderIPC

/// One client's end: its descriptor, what it sent and was not yet read, what it is to get and did not yet take.
///
/// Writing only collects; `flush` sends what was collected with one call. Once the buffers have their size, nothing
/// here allocates.
final class ClientConnection {
  enum Phase: Equatable {
    case open
    /// It has been told `bye`; what is left is sent until then, µs.
    case leaving(until: UInt64)
    case closed
  }

  /// What it streams.
  enum Stream: Equatable {
    case none
    /// Its own user's commands; everybody's for the privileged.
    case commands
    case rawEvents
    case node(String)
  }

  let id: ClaimStack.ClientID
  let identity: ClientIdentity
  /// The seats on which it counts now.
  var seats: ClaimStack.Seats = 0
  var name = ""
  var role: ClientRole?
  var stream = Stream.none
  /// The last `active` that it was sent.
  var active: (value: Bool, devices: [String]) = (false, [])
  var phase = Phase.open
  var gauge = FloodGauge()
  var errors = 0
  var input = LineBuffer()
  /// Is it among those to be flushed?
  var isDirty = false

  private(set) var output: [UInt8] = []
  private var seq: UInt64 = 0
  private var descriptor: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var interest: Interest = .readable
  private let loop: EventLoop

  /// What may wait for a client that does not read. The kernel keeps some 200 kB more.
  static let maximumOutput = 65536
  /// Bytes that are read from one client in one wake-up: some four lines. A press waits for no more than that.
  static let readLimit = 256

  init(
    id: ClaimStack.ClientID, identity: ClientIdentity, descriptor: consuming FileDescriptor, loop: EventLoop
  ) {
    self.id = id
    self.identity = identity
    self.loop = loop
    self.descriptor = consume descriptor
  }

  /// - Throws: epoll_ctl: the client cannot be served.
  func watch(_ handler: @escaping (Readiness) -> Void) throws(SystemError) {
    guard let fd = descriptor?.rawValue else { return }
    registration = try loop.add(fd, .readable, handler: handler)
  }

  func close() {
    if let registration { loop.remove(registration) }
    registration = nil
    descriptor = nil
    phase = .closed
  }

  // MARK: Writing

  func append(_ message: ServerMessage) {
    guard hasRoom else { return }
    collectLine()
    message.append(to: &output)
  }

  /// The beginnings of the lines that this client got last.
  private var heads = CommandHeads()
  /// A command's line in `heads` that is all there is to be sent, as it mostly is; -1: there is none.
  private var line = -1

  func appendCommand(_ command: Command, device: String, gesture: Gesture, timeMicroseconds: UInt64) {
    guard hasRoom else { return }
    seq += 1
    collectLine()
    line = heads.write(command, device: device, gesture: gesture, seq: seq, timeMicroseconds: timeMicroseconds)
    if !output.isEmpty { collectLine() }
  }

  /// Puts the line that stands by itself behind what is collected: it will not be the only one.
  private func collectLine() {
    guard line >= 0 else { return }
    heads.withLine(line) { output.append(contentsOf: $0) }
    line = -1
  }

  func appendEvent(_ event: RawEvent, device: String, node: String) {
    guard hasRoom else { return }
    collectLine()
    ServerMessage.appendEvent(event, device: device, node: node, to: &output)
  }

  /// One wake-up may bring more than `maximumOutput`, but not without any bound; `flush` ends the client then.
  private var hasRoom: Bool { phase == .open && output.count < 4 * ClientConnection.maximumOutput }

  enum Flushed: Equatable {
    case sent
    /// The socket is full; the loop says when it is not.
    case waiting
    /// More is waiting than may.
    case overflowed
    case closed
  }

  /// Sends what was collected.
  func flush() -> Flushed {
    guard let fd = descriptor?.rawValue else { return .closed }
    var start = 0
    if line >= 0 {
      var length = 0
      let transfer = heads.withLine(line) { bytes in
        length = bytes.count
        return try? Descriptor.send(fd, lent: bytes)
      }
      if case .bytes(let count)? = transfer {
        if count == length {
          line = -1
          return wait(for: .readable) ? .sent : .closed
        }
        start = count
      }
      // What is left of it is sent like everything else, or goes to somebody else.
      collectLine()
      guard let transfer, transfer != .closed else { return .closed }
    }
    while start < output.count {
      guard let transfer = try? Descriptor.send(fd, output, from: start) else { return .closed }
      switch transfer {
      case .bytes(let count): start += count
      case .closed: return .closed
      case .wouldBlock:
        output.removeSubrange(0..<start)
        guard wait(for: [.readable, .writable]) else { return .closed }
        return output.count > ClientConnection.maximumOutput ? .overflowed : .waiting
      }
    }
    output.removeAll(keepingCapacity: output.capacity <= ClientConnection.maximumOutput)
    return wait(for: .readable) ? .sent : .closed
  }

  /// The commands that were collected and not sent to their end, oldest first. Allocates.
  var unsent: [PageCommand] {
    var commands: [PageCommand] = []
    var start = 0
    for (index, byte) in output.enumerated() where byte == 10 {
      if case .command(let command) = try? ServerMessage(output, start..<index) { commands.append(command) }
      start = index + 1
    }
    return commands
  }

  private func wait(for wanted: Interest) -> Bool {
    // Whoever is leaving is not listened to any more: only its going away is of interest.
    let wanted = phase == .open ? wanted : wanted.intersection(.writable)
    guard wanted != interest, let registration else { return true }
    interest = wanted
    return (try? loop.modify(registration, wanted)) != nil
  }

  /// Says `bye`; nothing is read or collected from here on.
  func leave(_ reason: ByeReason, until deadline: UInt64) {
    guard phase == .open else { return }
    collectLine()
    ServerMessage.bye(reason: reason.rawValue).append(to: &output)
    phase = .leaving(until: deadline)
  }

  /// Everything was said: the client reads it to its end. Closing at once would take from it what it did not read yet
  /// if it was still speaking.
  func finish() {
    if let fd = descriptor?.rawValue { UnixSocket.finishSending(fd) }
  }

  // MARK: Reading

  /// Reads once, a bounded number of bytes.
  func receive() -> Transfer {
    guard let fd = descriptor?.rawValue else { return .closed }
    // An error of the socket ends its connection, as its end would.
    return (try? Descriptor.receive(fd, appendingTo: &input.bytes, limit: ClientConnection.readLimit)) ?? .closed
  }
}
