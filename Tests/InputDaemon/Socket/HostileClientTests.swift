import EventLoop
import Glibc
import ReaderIPC
import Testing

@testable import InputDaemon

/// What one client does, and what it gets for it. Whatever that is: another client's press arrives.
private struct Attack: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  /// The codes of the errors that come, in order.
  let errors: [String]
  /// Why the connection ends; nil: it does not.
  let bye: String?

  init(_ name: String, _ text: String, errors: [String] = [], bye: String? = nil) {
    self.init(name, bytes: Array(text.utf8), errors: errors, bye: bye)
  }

  init(_ name: String, bytes: [UInt8], errors: [String] = [], bye: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.errors = errors
    self.bye = bye
  }

  var testDescription: String { name }
}

private let bad = Array(repeating: "bad-frame", count: 16)

private let attacks: [Attack] = [
  Attack("not JSON", "hello\n", errors: ["bad-frame"]),
  Attack("a web browser", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", errors: ["bad-frame", "bad-frame", "bad-frame"]),
  Attack("not UTF-8", bytes: [0x7B, 0xFF, 0x7D, 0x0A], errors: ["bad-frame"]),
  Attack(
    "a thousand levels",
    "{\"x\":" + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000) + "}\n",
    errors: ["bad-frame"]),
  Attack("empty lines", String(repeating: "\n", count: 500), errors: bad, bye: "too-many-errors"),
  Attack("NULs", bytes: [UInt8](repeating: 0, count: 8000), errors: ["bad-frame"], bye: "line-too-long"),
  Attack(
    "an endless line", "{\"type\":\"ping\",\"x\":\"" + String(repeating: "a", count: 20000), errors: ["bad-frame"],
    bye: "line-too-long"),
  Attack(
    "a long line with an end", "{\"type\":\"ping\"" + String(repeating: " ", count: 5000) + "}\n",
    errors: ["bad-frame"], bye: "line-too-long"),
  Attack(
    "an unknown role", "{\"type\":\"subscribe\",\"client\":\"x\",\"role\":\"king\"}\n", errors: ["bad-message"]),
  Attack("pongs that nobody asked for", String(repeating: "{\"type\":\"pong\"}\n", count: 1000)),
  Attack("a flood of pongs", String(repeating: "{\"type\":\"pong\"}\n", count: 5000), bye: "flood"),
  Attack("a flood of questions", String(repeating: "{\"type\":\"status\"}\n", count: 2000), bye: "flood"),
  Attack(
    "a flood of long lines",
    String(repeating: "{\"type\":\"pong\",\"x\":\"" + String(repeating: "y", count: 4000) + "\"}\n", count: 70),
    bye: "flood"),
]

@Suite struct HostileClientTests {
  @Test(arguments: attacks) fileprivate func isAnswered(_ attack: Attack) throws {
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, focus: true)
    let attacker = try bed.client()
    _ = attacker.lines()
    var sent = 0
    var messages: [ServerMessage] = []
    while sent < attack.bytes.count && !attacker.isClosed {
      let count = attacker.send(bytes: Array(attack.bytes[sent..<min(sent + 4096, attack.bytes.count)]))
      sent += count
      try bed.settle()
      messages += attacker.messages()
      if count == 0 { break }
    }
    try bed.settle()
    messages += attacker.messages()
    let errors = messages.compactMap { if case .error(let code, _) = $0 { code } else { nil } }
    #expect(errors == attack.errors)
    #expect(messages.contains { if case .bye = $0 { true } else { false } } == (attack.bye != nil))
    if let bye = attack.bye {
      #expect(messages.last == .bye(reason: bye))
      _ = attacker.lines()
      #expect(attacker.isClosed)
      attacker.close()
      try bed.settle()
      #expect(bed.server.clients.count == 1)
      #expect(bed.log.count == 1)
    }
    try bed.press()
    #expect(reader.commands() == [.next])
  }

  @Test func aLineCutByTheEndIsNamed() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    client.send("{\"type\":\"ping\"}\n{\"type\":\"pi")
    client.finish()
    try bed.settle()
    let messages = client.messages()
    #expect(messages.first == .pong)
    guard case .error("bad-frame", _)? = messages.last else {
      Issue.record("\(messages)")
      return
    }
    #expect(client.isClosed)
    #expect(bed.server.clients.isEmpty)
  }

  /// A wake-up reads a bounded number of lines of a client, however many it sent.
  @Test func aWakeUpReadsABoundedNumberOfLines() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    let line = "{\"type\":\"ping\"}\n"
    client.send(String(repeating: line, count: 1000))
    try bed.loop.turn(milliseconds: 0)
    let answered = client.messages().count
    #expect(answered > 0)
    #expect(answered <= ClientConnection.readLimit / line.utf8.count)
    try bed.settle()
    #expect(client.messages().count == 1000 - answered, "and the rest comes with the next ones")
  }

  @Test func whoeverSpeaksAtAHumanPaceIsNeverAFlood() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader)
    for _ in 0..<200 {
      for _ in 0..<40 { client.send(.focus(true)) }
      try bed.pass(seconds: 0.1)
      _ = client.lines()
      client.send(.pong)
      try bed.settle()
    }
    #expect(!client.isClosed)
  }

  @Test func aClientThatNeverReadsIsDroppedAndTheOthersNeverWait() throws {
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, focus: true)
    let deaf = try bed.subscribed(.observer)
    var delivered = 0
    var wasDropped = false
    while delivered < 20_000 && !wasDropped {
      for _ in 0..<50 {
        bed.server.deliver(
          .next, gesture: .tap, device: String(repeating: "x", count: 150), seat: "seat0",
          timeMicroseconds: bed.loop.now)
        delivered += 1
      }
      try bed.settle()
      #expect(reader.commands().count == 50)
      wasDropped = !bed.log.isEmpty
    }
    #expect(wasDropped)
    #expect(bed.log == ["client test of user 1000: slow"])
    // What was sent before, then the reason: once it reads.
    var messages: [ServerMessage] = []
    for _ in 0..<50 {
      messages += deaf.messages()
      try bed.settle()
    }
    #expect(messages.last == .bye(reason: "slow"))
    #expect(deaf.isClosed)
    deaf.close()
    try bed.settle()
    #expect(bed.server.clients.count == 1)
  }

  @Test func aDeafClientThatWasDroppedIsForgottenInTime() throws {
    let bed = try ServerBed()
    let deaf = try bed.subscribed(.observer)
    let reader = try bed.subscribed(.reader, focus: true)
    while bed.log.isEmpty {
      for _ in 0..<100 {
        bed.server.deliver(.next, gesture: .tap, device: "x", seat: "seat0", timeMicroseconds: bed.loop.now)
      }
      try bed.settle()
      _ = reader.lines()
    }
    #expect(bed.server.clients.count == 2)
    try bed.pass(seconds: 2.1)
    #expect(bed.server.clients.count == 1)
    withExtendedLifetime(deaf) {}
  }

  @Test func aUserHasSixtyFourClientsAndTheNextOneIsTurnedAway() throws {
    let bed = try ServerBed()
    bed.rights.active = ["seat0": 1000]
    var clients: [TestClient] = []
    for _ in 0..<SocketServer.maximumClientsPerUser { clients.append(try bed.client(uid: 1000)) }
    let late = try bed.client(uid: 1000)
    #expect(late.messages().last == .bye(reason: "too-many-clients"))
    let root = try bed.client(uid: 0)
    #expect(root.messages() == [.hello(protocol: 1, server: "pagerd test")], "another user is not affected")
    clients.removeFirst().close()
    try bed.settle()
    let again = try bed.client(uid: 1000)
    #expect(again.messages() == [.hello(protocol: 1, server: "pagerd test")])
  }

  @Test func thereIsALimitForEverybodyTogether() throws {
    let bed = try ServerBed()
    var clients: [TestClient] = []
    for _ in 0..<SocketServer.maximumClients { clients.append(try bed.client(uid: 0)) }
    let late = try bed.client(uid: 0)
    #expect(late.messages().last == .bye(reason: "too-many-clients"))
    #expect(bed.server.clients.values.count { $0.phase == .open } == SocketServer.maximumClients)
  }

  /// A crowd without rights that never hangs up keeps nobody out, and is told about once.
  @Test func whoeverIsTurnedAwayTakesNobodysPlace() throws {
    let bed = try ServerBed()
    var crowd: [TestClient] = []
    for _ in 0..<300 { crowd.append(try bed.client(uid: 5000)) }
    #expect(crowd.allSatisfy { $0.messages().last == .bye(reason: "no-rights") })
    #expect(bed.server.clients.count <= SocketServer.maximumLeaving + 1)
    #expect(bed.log == ["client of user 5000: no-rights"])
    let reader = try bed.client(uid: 1000)
    #expect(reader.messages() == [.hello(protocol: 1, server: "pagerd test")])
    try bed.pass(seconds: 2.1)
    #expect(bed.server.clients.count == 1)
  }

  /// Whoever was still speaking when it was dropped reads the reason and a clean end, no reset.
  @Test func theReasonArrivesAlsoInTheMiddleOfAFlood() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    client.send(String(repeating: "\n", count: 60_000))
    try bed.settle()
    #expect(client.messages().last == .bye(reason: "too-many-errors"))
    #expect(client.isClosed)
    #expect(!client.wasReset)
  }

  @Test func clientsThatComeAndGoAtOnceLeaveNothing() throws {
    let bed = try ServerBed()
    for index in 0..<200 {
      let client = TestClient(try UnixSocket.connect(to: bed.path))
      client.send(.subscribe(client: "x", role: .reader))
      client.close()
      if index % 3 == 0 { try bed.settle() }
    }
    try bed.settle()
    #expect(bed.server.clients.isEmpty)
    #expect(!bed.server.wantsHolding(seat: "seat0"))
  }

  /// Seeded: clients that do anything in any order; the reader that behaves gets every press, each once.
  @Test(arguments: 1...6) func randomClients(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, uid: 0, focus: true)
    var others: [TestClient] = []
    var received = 0
    let pieces: [String] = [
      "{\"type\":\"subscribe\",\"client\":\"x\",\"role\":\"observer\"}\n", "{\"type\":\"ping\"}\n", "{\"type\":",
      "\n", "\0", "{\"type\":\"status\"}\n", "{\"type\":\"devices\"}\n", "{\"type\":\"focus\",\"value\":true}\n",
      "{\"type\":\"monitor\",\"raw\":true}\n", "[[[[", "\"", "{\"type\":\"reload\"}\n", "{}\n",
      String(repeating: "x", count: 5000),
    ]
    for step in 0..<400 {
      switch random.next() % 6 {
      case 0 where others.count < 40: others.append(try bed.client(uid: 1000))
      case 1 where others.count > 5: others.remove(at: Int(random.next() % UInt64(others.count))).close()
      case 2 where !others.isEmpty: _ = others[Int(random.next() % UInt64(others.count))].lines()
      case 3:
        bed.server.observe(
          RawEvent(type: 1, code: 30, value: 1, timeMicroseconds: 1), device: "k", node: "/dev/input/event0")
      default:
        others.randomElement(using: &random)?.send(pieces[Int(random.next() % UInt64(pieces.count))])
      }
      try bed.press(step % 2 == 0 ? .next : .prev)
      received += reader.commands().count
      try bed.say(reader, .pong)
    }
    #expect(received == 400)
    for client in others { client.close() }
    try bed.pass(seconds: 3)
    #expect(bed.server.clients.count == 1)
  }
}
