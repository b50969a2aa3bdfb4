import CKernelShims
import Glibc

/// A raw connection to the daemon's socket: lines out, lines in, nothing done behind the scenario's back but pongs.
final class Connection: Source {
  private(set) var descriptor: Int32
  private var partial: [UInt8] = []
  /// Every message that came, oldest first, pings left out.
  private(set) var messages: [JSON] = []
  private(set) var pings = 0
  /// false: a client that hangs.
  var answersPings = true
  /// false: the socket is not read at all.
  var reads = true

  init(_ path: String, as user: UInt32 = 0, server: Process? = nil, in world: World) throws {
    var made: Int32 = -1
    let came = try world.wait {
      if let code = server?.exitCode { throw Stopped(reason: "the daemon ended with \(code) instead of listening") }
      made = ks_connect_unix_as(path, user)
      return made >= 0
    }
    guard came else { throw Stopped(reason: "nobody listens on \(path): \(String(cString: strerror(errno)))") }
    descriptor = made
    world.watch(self)
    world.atEnd { [self] in shut() }
  }

  var closed: Bool { descriptor < 0 }

  func shut() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// Writes the line; false if it did not fit or nobody is there.
  @discardableResult
  func send(_ line: String) -> Bool {
    let bytes = Array((line + "\n").utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func drain() {
    guard reads, descriptor >= 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 16384)
    while descriptor >= 0 {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN) { return shut() }
      guard count > 0 else { return }
      for byte in chunk[..<count] {
        guard byte == 10 else {
          partial.append(byte)
          continue
        }
        take(String(decoding: partial, as: UTF8.self))
        partial.removeAll()
      }
    }
  }

  private func take(_ line: String) {
    guard let message = JSON(line) else { return messages.append(.string("not JSON: \(line)")) }
    guard message["type"]?.text != "ping" else {
      pings += 1
      if answersPings { send(#"{"type":"pong"}"#) }
      return
    }
    messages.append(message)
  }

  func of(type: String) -> [JSON] { messages.filter { $0["type"]?.text == type } }
}

/// A client that takes commands, e.g. as a window that is being read.
final class Subscriber {
  struct Command: Equatable, CustomStringConvertible {
    var command: String
    var device: String
    var gesture: String
    var seq: Int
    var time: Int
    var description: String { "\(command)#\(seq)" }
  }

  let connection: Connection
  let name: String

  init(
    _ daemon: Daemon, role: String = "reader", name: String = "test", as user: UInt32 = 0, in world: World
  ) throws {
    self.name = name
    connection = try Connection(daemon.socket, as: user, server: daemon.process, in: world)
    connection.send(#"{"type":"subscribe","client":"\#(name)","role":"\#(role)"}"#)
    // Lines are taken in order: with the answer to this one, the subscription stands.
    connection.send(#"{"type":"status"}"#)
    let connection = connection
    try world.require("\(name) is connected", detail: { daemon.tail }) { !connection.of(type: "status").isEmpty }
  }

  func focus(_ value: Bool) { connection.send(#"{"type":"focus","value":\#(value)}"#) }

  /// The latest word on whether commands come here, and from which devices; nil before the first.
  var active: (value: Bool, devices: [String])? {
    guard let last = connection.of(type: "active").last else { return nil }
    return (last["value"]?.flag ?? false, (last["devices"]?.list ?? []).compactMap(\.text))
  }

  var activeAnswers: Int { connection.of(type: "active").count }
  var isActive: Bool { active?.value == true }

  var commands: [Command] {
    connection.of(type: "command").map {
      Command(
        command: $0["command"]?.text ?? "?", device: $0["device"]?.text ?? "?", gesture: $0["gesture"]?.text ?? "?",
        seq: $0["seq"]?.integer ?? -1, time: $0["time_us"]?.integer ?? -1)
    }
  }

  var names: [String] { commands.map(\.command) }
  func count(_ command: String) -> Int { names.count { $0 == command } }

  /// Claims and waits until the daemon serves this client.
  func claim(_ world: World) throws {
    let before = activeAnswers
    focus(true)
    try world.require("\(name) is served after its claim", detail: { "\(self.connection.messages.suffix(3))" }) {
      activeAnswers > before && isActive
    }
  }

  /// Gives the claim up and waits for the answer.
  func release(_ world: World) throws {
    let before = activeAnswers
    focus(false)
    try world.require("\(name) is told that its claim ended") { activeAnswers > before && !isActive }
  }
}
