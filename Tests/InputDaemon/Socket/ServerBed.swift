import EventLoop
import Glibc
import ReaderIPC
import Testing

@testable import InputDaemon

/// A server on a real socket, on a loop whose time stands still, with sessions and devices that a test makes up.
final class ServerBed {
  let loop: EventLoop
  private(set) var server: SocketServer
  let rights = FakeRights()
  let registry = FakeRegistry()
  let path: String
  var changes = 0
  var log: [String] = []
  /// Who the next client is.
  var identity = ClientIdentity(uid: 1000, isGroupMember: false)
  private let folder: TemporaryFolder
  private let ownUID: UInt32

  init(ownUID: UInt32 = 999) throws {
    loop = try EventLoop(time: .manual(start: 1_000_000_000))
    folder = try TemporaryFolder()
    path = folder.path + "/pagerd.sock"
    self.ownUID = ownUID
    server = try SocketServer(
      loop: loop, listener: try ListeningSocket.open(at: path), rights: rights, serverName: "pagerd test",
      ownUID: ownUID, groupID: nil)
    connect()
  }

  /// A new server on the same path, after `shutDown` of the old one.
  func restart() throws {
    server = try SocketServer(
      loop: loop, listener: try ListeningSocket.open(at: path), rights: rights, serverName: "pagerd test",
      ownUID: ownUID, groupID: nil)
    connect()
  }

  private func connect() {
    server.identify = { [unowned self] _ in self.identity }
    server.onChange = { [unowned self] in self.changes += 1 }
    server.log = { [unowned self] line in self.log.append(line) }
    server.connect(registry: registry)
  }

  /// Runs the loop until nothing is ready.
  func settle() throws {
    var turns = 0
    // What the end of one wake-up wrote is what makes the next one.
    var restful = 0
    while restful < 2 && turns < 100_000 {
      restful = try loop.turn(milliseconds: 0) > 0 ? 0 : restful + 1
      turns += 1
    }
    #expect(turns < 100_000, "the loop never rests")
  }

  /// Lets time pass, with the loop running at every full tenth of a second.
  func pass(seconds: Double) throws {
    let end = loop.now + UInt64(seconds * 1_000_000)
    while loop.now < end {
      loop.advance(to: min(end, loop.now + 100_000))
      try settle()
    }
  }

  /// Connects as `identity`.
  func client(uid: UInt32? = nil, member: Bool = false) throws -> TestClient {
    if let uid { identity = ClientIdentity(uid: uid, isGroupMember: member) }
    let client = TestClient(try UnixSocket.connect(to: path))
    try settle()
    return client
  }

  /// Connects, subscribes, and forgets what was said so far.
  func subscribed(_ role: ClientRole, _ name: String = "test", uid: UInt32? = nil, focus: Bool = false) throws
    -> TestClient
  {
    let client = try client(uid: uid)
    try say(client, .subscribe(client: name, role: role))
    if focus { try say(client, .focus(true)) }
    _ = client.lines()
    return client
  }

  func say(_ client: TestClient, _ messages: ClientMessage...) throws {
    for message in messages { client.send(message) }
    try settle()
  }

  func press(_ command: Command = .next, seat: String = "seat0") throws {
    server.deliver(command, gesture: .tap, device: "Clicker", seat: seat, timeMicroseconds: loop.now)
    try settle()
  }

  deinit { server.shutDown() }
}

/// A raw end of the socket.
final class TestClient {
  private var descriptor: FileDescriptor?
  private var input = LineBuffer()
  private(set) var isClosed = false
  /// Did it end with an error instead of an end?
  var wasReset: Bool {
    guard let fd = descriptor?.rawValue else { return false }
    var byte: UInt8 = 0
    return recv(fd, &byte, 1, Int32(MSG_DONTWAIT)) < 0
  }

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = consume descriptor }

  func send(_ message: ClientMessage) {
    var line: [UInt8] = []
    message.append(to: &line)
    send(bytes: line)
  }

  func send(_ text: String) { send(bytes: Array(text.utf8)) }

  /// - Returns: how many bytes the socket took.
  @discardableResult
  func send(bytes: [UInt8]) -> Int {
    guard let fd = descriptor?.rawValue, case .bytes(let count)? = try? Descriptor.send(fd, bytes) else { return 0 }
    return count
  }

  /// Ends the sending direction only.
  func finish() { if let fd = descriptor?.rawValue { shutdown(fd, Int32(SHUT_WR)) } }

  func close() { descriptor = nil }

  /// Everything that has arrived, one text a line.
  func lines() -> [String] {
    guard let fd = descriptor?.rawValue else { return [] }
    reading: while true {
      switch try? Descriptor.receive(fd, appendingTo: &input.bytes) {
      case .bytes: continue
      case .closed, nil:
        isClosed = true
        break reading
      case .wouldBlock: break reading
      }
    }
    var lines: [String] = []
    while case .line(let range) = input.next() {
      lines.append(String(decoding: input.bytes[range], as: UTF8.self))
    }
    input.compact()
    return lines
  }

  func messages() -> [ServerMessage] {
    lines().map { line in
      let bytes = Array(line.utf8)
      return (try? ServerMessage(bytes, 0..<bytes.count)) ?? .unknown
    }
  }

  /// The commands among what has arrived.
  func commands() -> [Command] {
    messages().compactMap { message in
      if case .command(let command) = message { command.command } else { nil }
    }
  }
}

final class FakeRights: RightsProvider {
  var seats: [String] = ["seat0"]
  var active: [String: UInt32] = ["seat0": 1000]
  var onChange: (() -> Void)?

  func hasActiveSession(uid: UInt32, seat: String) -> Bool { active[seat] == uid }
  func reconsider() {}

  func become(_ active: [String: UInt32]) {
    self.active = active
    onChange?()
  }
}

final class FakeRegistry: DeviceRegistry {
  var held: [String: [String]] = ["seat0": ["Clicker"]] {
    didSet { onHeldChange?() }
  }
  var onHeldChange: (() -> Void)?
  var emitted: [Command] = []
  var canEmit = true
  var errors: [String] = []
  var devices: [DeviceStatus] = [
    DeviceStatus(name: "Clicker", nodes: ["/dev/input/event5"], role: .pageTurner, state: .held)
  ]

  func heldNames(seat: String) -> [String] { held[seat] ?? [] }
  func statuses() -> [DeviceStatus] { devices }
  func reload() -> [String] { errors }
  func emit(_ command: Command) -> Bool {
    guard canEmit else { return false }
    emitted.append(command)
    return true
  }
  func recordingHead(node: String) -> [String]? {
    node == "/dev/input/event5" ? ["# EVEMU 1.3", "N: Clicker"] : nil
  }
}

/// A folder that is gone with its owner.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/pagerd-test-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      unlink(path + "/" + name)
    }
    closedir(directory)
    rmdir(path)
  }
}

/// The process's open descriptors.
func openDescriptors() -> Int {
  var count = 0
  guard let directory = opendir("/proc/self/fd") else { return 0 }
  while readdir(directory) != nil { count += 1 }
  closedir(directory)
  return count
}
