import EventLoop
import Glibc
import ReaderIPC
import Testing

@testable import ReaderClient

/// A client on a loop whose time stands still.
private final class Bed {
  let loop: EventLoop
  var paths: [String]
  var events: [ReaderClient.Event] = []
  private(set) var client: ReaderClient!
  var onEvent: (ReaderClient.Event) -> Void = { _ in }

  init(_ paths: [String], role: ClientRole = .reader) throws {
    loop = try EventLoop(time: .manual(start: 1_000_000_000))
    self.paths = paths
    client = ReaderClient(
      loop: loop, name: "test", role: role, paths: { [unowned self] in self.paths },
      handler: { [unowned self] event in
        self.events.append(event)
        self.onEvent(event)
      })
  }

  /// A client that is connected to a server and has heard its greeting.
  static func greeted() throws -> (server: FakeServer, bed: Bed) {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.start()
    try server.accept()
    try bed.settle()
    _ = bed.take()
    return (server, bed)
  }

  func settle() throws { while try loop.turn(milliseconds: 0) > 0 {} }

  func take() -> [ReaderClient.Event] {
    defer { events = [] }
    return events
  }
}

private func command(_ seq: UInt64, at time: UInt64, _ command: Command = .next) -> PageCommand {
  PageCommand(command: command, device: "Clicker", gesture: .tap, seq: seq, timeMicroseconds: time)
}

@Suite struct ReaderClientTests {
  @Test func itSubscribesWhenItIsGreetedAndClaimsIfItHasTheFocus() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.hasFocus = true
    bed.client.start()
    try server.accept(greeting: false)
    try bed.settle()
    #expect(server.heard() == [], "nothing is said before the greeting")
    server.say(.hello(protocol: 1, server: "pagerd fake"))
    try bed.settle()
    #expect(server.heard() == [.subscribe(client: "test", role: .reader), .focus(true)])
    #expect(bed.take() == [.connected(server: "pagerd fake")])
    server.say(.active(true, devices: ["Clicker"]))
    try bed.settle()
    #expect(bed.client.isActive)
    bed.client.hasFocus = false
    bed.client.hasFocus = true
    bed.client.hasFocus = true
    #expect(server.heard() == [.focus(false), .focus(true), .focus(true)])
  }

  @Test func pingIsAnsweredAndNotShown() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.start()
    try server.accept()
    server.say(.ping)
    try bed.settle()
    #expect(server.heard() == [.subscribe(client: "test", role: .reader), .pong])
    #expect(bed.take() == [.connected(server: "pagerd fake")])
  }

  @Test func activeFalseIsNoReasonToClaimAgain() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.hasFocus = true
    bed.client.start()
    try server.accept()
    server.say(.active(true, devices: []))
    server.say(.active(false, devices: []))
    try bed.settle()
    #expect(server.heard() == [.subscribe(client: "test", role: .reader), .focus(true)])
    #expect(!bed.client.isActive)
    #expect(bed.client.hasFocus)
  }

  /// Age of a command in µs, and whether it turns the page.
  @Test(
    arguments: [
      (0, true), (999_999, true), (1_000_000, true), (1_000_001, false), (60_000_000, false), (-5_000_000, true),
    ] as [(Int64, Bool)])
  func aCommandOlderThanASecondIsDropped(_ age: Int64, _ isShown: Bool) throws {
    let (server, bed) = try Bed.greeted()
    let sent = command(1, at: UInt64(Int64(bed.loop.now) - age))
    server.say(.command(sent))
    try bed.settle()
    #expect(bed.take() == (isShown ? [.command(sent)] : []))
    #expect(bed.client.staleCommands == (isShown ? 0 : 1))
    // The next one is no gap.
    let next = command(2, at: bed.loop.now)
    server.say(.command(next))
    try bed.settle()
    #expect(bed.take() == [.command(next)])
  }

  @Test func aGapIsToldAndARepetitionIgnored() throws {
    let (server, bed) = try Bed.greeted()
    for seq in [1, 2, 2, 1, 5, 6, 0] as [UInt64] { server.say(.command(command(seq, at: bed.loop.now))) }
    try bed.settle()
    let now = bed.loop.now
    #expect(
      bed.take() == [
        .command(command(1, at: now)), .command(command(2, at: now)), .missed(2), .command(command(5, at: now)),
        .command(command(6, at: now)),
      ])
  }

  @Test func itComesBackAndClaimsAgain() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.hasFocus = true
    bed.client.start()
    try server.accept()
    server.say(.active(true, devices: ["Clicker"]))
    server.say(.command(command(7, at: bed.loop.now)))
    try bed.settle()
    _ = bed.take()
    server.hangUp()
    try bed.settle()
    #expect(bed.take() == [.active(false, devices: []), .disconnected(.closed)])
    #expect(!bed.client.isGreeted)
    bed.loop.advance(to: bed.loop.now + 49_000)
    #expect(try server.accept() == 0)
    bed.loop.advance(to: bed.loop.now + 2_000)
    #expect(try server.accept() == 1)
    try bed.settle()
    #expect(server.heard() == [.subscribe(client: "test", role: .reader), .focus(true)])
    // The new connection counts anew.
    server.say(.command(command(1, at: bed.loop.now)))
    try bed.settle()
    #expect(bed.take() == [.connected(server: "pagerd fake"), .command(command(1, at: bed.loop.now))])
  }

  @Test func whatWasSaidBeforeTheHangUpIsHeard() throws {
    let (server, bed) = try Bed.greeted()
    server.say(.command(command(1, at: bed.loop.now)))
    server.say(.bye(reason: "shutdown"))
    server.hangUp()
    try bed.settle()
    #expect(bed.take() == [.command(command(1, at: bed.loop.now)), .disconnected(.bye("shutdown"))])
  }

  @Test func withoutAPagerdItAsksLaterAndLater() throws {
    let bed = try Bed(["/tmp/pagerd-nobody-\(getpid())"])
    bed.client.start()
    var attempts: [UInt64] = []
    var last = bed.loop.now
    for _ in 0..<10 {
      let deadline = try #require(bed.loop.nextDeadline)
      attempts.append((deadline - last) / 1000)
      last = deadline
      bed.loop.advance(to: deadline)
    }
    #expect(attempts == [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
    #expect(bed.take() == [])
    guard case .noServer(let tried)? = bed.client.lastError else {
      Issue.record("\(String(describing: bed.client.lastError))")
      return
    }
    #expect(tried.map(\.errno) == [ENOENT])
  }

  @Test func whoeverGetsTheFocusAsksAtOnce() throws {
    let server = try FakeServer()
    let path = server.path
    server.stopListening()
    let bed = try Bed([path])
    bed.client.start()
    bed.loop.advance(to: bed.loop.now + 60_000_000)
    let back = try FakeServer(path: path)
    bed.client.hasFocus = true
    #expect(try back.accept() == 1)
    try bed.settle()
    #expect(back.heard() == [.subscribe(client: "test", role: .reader), .focus(true)])
    #expect(bed.client.lastError == nil)
  }

  @Test func whoeverIsNotWelcomeAsksLate() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.start()
    try server.accept()
    server.say(.bye(reason: "no-rights"))
    server.hangUp()
    try bed.settle()
    #expect(bed.take() == [.connected(server: "pagerd fake"), .disconnected(.bye("no-rights"))])
    #expect(bed.loop.nextDeadline == bed.loop.now + 1_000_000)
  }

  @Test(arguments: [
    ([:], ["/run/pagerd/pagerd.sock"]),
    (["XDG_RUNTIME_DIR": "/run/user/1000"], ["/run/user/1000/pagerd.sock", "/run/pagerd/pagerd.sock"]),
    (
      ["XDG_RUNTIME_DIR": "/run/user/1000", "PAGERD_SOCKET": "/tmp/own.sock"],
      ["/tmp/own.sock", "/run/user/1000/pagerd.sock", "/run/pagerd/pagerd.sock"]
    ),
  ])
  func theSocketsAreTriedInThisOrder(_ environment: [String: String], _ expected: [String]) {
    #expect(Connection.paths(environment: { environment[$0] }) == expected)
  }

  @Test func theFirstSocketThatAcceptsIsTaken() throws {
    let server = try FakeServer()
    let other = try FakeServer()
    let bed = try Bed(["/tmp/pagerd-nobody-\(getpid())", server.path, other.path])
    bed.client.start()
    #expect(try server.accept() == 1)
    #expect(try other.accept() == 0)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "{\"type\":\"active\"}\n", "{\"type\":\"command\",\"command\":\"next\"}\n", "\u{0}\n",
    String(repeating: "x", count: 9000), "{\"type\":\"hello\",\"protocol\":2,\"server\":\"pagerd 9\"}\n",
    "{\"type\":\"hello\",\"protocol\":1,\"server\":2}\n",
  ])
  func aServerThatIsNoPagerdIsLeft(_ text: String) throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.start()
    try server.accept(greeting: false)
    server.say(bytes: Array(text.utf8))
    try bed.settle()
    let events = bed.take()
    guard case .disconnected(.notPagerd)? = events.last, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
  }

  @Test func answersArePassedOn() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    #expect(!bed.client.send(.status), "not connected yet")
    bed.client.start()
    try server.accept()
    try bed.settle()
    #expect(bed.client.send(.send(.next)))
    #expect(server.heard().last == .send(.next))
    _ = bed.take()
    server.say(.error(code: "no-reader", message: "nobody"))
    server.say(bytes: Array("{\"type\":\"of a later version\"}\n".utf8))
    server.say(.emit(true))
    try bed.settle()
    #expect(bed.take() == [.message(.error(code: "no-reader", message: "nobody")), .message(.emit(true))])
  }

  @Test func stopEndsEverythingAlsoFromInsideAHandler() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.onEvent = { [unowned bed] _ in bed.client.stop() }
    bed.client.start()
    try server.accept()
    server.say(.command(command(1, at: bed.loop.now)))
    server.say(.command(command(2, at: bed.loop.now)))
    try bed.settle()
    #expect(bed.take() == [.connected(server: "pagerd fake")])
    #expect(bed.loop.nextDeadline == nil)
    bed.client.hasFocus = true
    bed.loop.advance(to: bed.loop.now + 60_000_000)
    #expect(try server.accept() == 0)
  }

  @Test func aLineInPiecesIsOneLine() throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.start()
    try server.accept()
    var line: [UInt8] = []
    ServerMessage.command(command(1, at: bed.loop.now)).append(to: &line)
    for byte in line {
      server.say(bytes: [byte])
      try bed.settle()
    }
    #expect(bed.take().last == .command(command(1, at: bed.loop.now)))
  }

  @Test func aPagerdThatDoesNotReadCostsBoundedMemory() throws {
    let (server, bed) = try Bed.greeted()
    defer { withExtendedLifetime(server) {} }
    var sent = 0
    while bed.client.send(.send(.next)), sent < 100_000 { sent += 1 }
    #expect(sent < 100_000)
    guard case .disconnected(.notPagerd)? = bed.take().last else {
      Issue.record("still connected")
      return
    }
  }

  @Test(arguments: [(SystemCall.receive, EIO), (.send, ENOBUFS), (.epollControl, ENOMEM), (.socket, EMFILE)])
  func aCallThatFailsEndsInAnotherTry(_ call: SystemCall, _ error: Int32) throws {
    let server = try FakeServer()
    let bed = try Bed([server.path])
    bed.client.hasFocus = true
    // The first `send` is the greeting of the server, which shares the thread.
    Faults.inject(call, errno: error, skip: call == .send ? 1 : 0)
    defer { Faults.clear() }
    bed.client.start()
    for _ in 0..<20 {
      try server.accept()
      try bed.settle()
      bed.loop.advance(to: bed.loop.now + 100_000)
    }
    #expect(bed.client.isGreeted)
    #expect(server.heard() == [.subscribe(client: "test", role: .reader), .focus(true)])
  }
}
