import EventLoop
import Glibc
import ReaderIPC
import Testing

@testable import InputDaemon

@Suite struct ServerFaultTests {
  /// A call fails while a client is read or written: that client may go, the daemon and the others stay.
  @Test(arguments: [
    (SystemCall.receive, ECONNRESET), (.receive, EIO), (.receive, ENOMEM), (.receive, EBADF), (.receive, ETIMEDOUT),
    (.send, EPIPE), (.send, ECONNRESET), (.send, ENOBUFS), (.send, ENOMEM), (.send, EIO), (.send, EACCES),
  ])
  func aClientThatFailsGoesAlone(_ call: SystemCall, _ error: Int32) throws {
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, focus: true)
    let victim = try bed.client()
    _ = victim.lines()
    victim.send(.ping)
    Faults.inject(call, errno: error)
    try bed.loop.turn(milliseconds: 0)
    Faults.clear()
    try bed.settle()
    #expect(bed.server.clients.count == 1)
    _ = victim.lines()
    #expect(victim.isClosed)
    try bed.press()
    #expect(reader.commands() == [.next])
  }

  /// The reader ends between the press and the sending: the next one gets it, once, and is told before that it may.
  @Test(arguments: [EPIPE, ECONNRESET]) func aCommandForOneWhoEndsGoesToTheNext(_ error: Int32) throws {
    let bed = try ServerBed()
    let heir = try bed.subscribed(.reader, focus: true)
    let observer = try bed.subscribed(.observer)
    let victim = try bed.subscribed(.reader, focus: true)
    _ = heir.lines()
    Faults.inject(.send, errno: error)
    try bed.press()
    Faults.clear()
    try bed.settle()
    let messages = heir.messages()
    #expect(messages.count == 2, "\(messages)")
    guard case .active(true, _)? = messages.first, case .command(let command)? = messages.last else {
      Issue.record("\(messages)")
      return
    }
    #expect(command.command == .next)
    #expect(victim.commands().isEmpty)
    #expect(observer.commands() == [.next])
  }

  @Test func aCommandForTheLastWhoEndsIsNamed() throws {
    let bed = try ServerBed()
    let victim = try bed.subscribed(.reader, focus: true)
    Faults.inject(.send, errno: EPIPE)
    try bed.press()
    Faults.clear()
    try bed.settle()
    #expect(bed.log.contains { $0.contains("next") }, "\(bed.log)")
    #expect(victim.commands().isEmpty)
  }

  /// Whoever has hung up is gone before the input of the same wake-up is read.
  @Test func aReaderThatHungUpGetsNothingOfTheSameWakeUp() throws {
    let bed = try ServerBed()
    let heir = try bed.subscribed(.reader, focus: true)
    let victim = try bed.subscribed(.reader, focus: true)
    _ = heir.lines()
    let (mine, other) = try UnixSocket.pair()
    defer {
      close(mine)
      close(other)
    }
    var taken: [UInt64] = []
    let device = try bed.loop.add(mine, .readable, urgency: .input) { [server = bed.server] _ in
      var bytes: [UInt8] = []
      _ = try? Descriptor.receive(mine, appendingTo: &bytes)
      taken.append(server.takerToken(seat: "seat0"))
      server.deliver(.next, gesture: .tap, device: "Clicker", seat: "seat0", timeMicroseconds: 1)
    }
    // Input first, so that the order of the kernel's list is not what decides.
    _ = try Descriptor.send(other, [1])
    victim.send(.ping)
    victim.close()
    try bed.loop.turn(milliseconds: 0)
    bed.loop.remove(device)
    try bed.settle()
    #expect(taken.count == 1)
    #expect(bed.server.clients.count == 1)
    #expect(heir.commands() == [.next])
  }

  @Test(arguments: [SystemCall.receive, .send]) func whatWouldBlockIsDoneLater(_ call: SystemCall) throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    client.send(.ping)
    Faults.inject(call, errno: EAGAIN, count: 3)
    for _ in 0..<3 { try bed.loop.turn(milliseconds: 0) }
    Faults.clear()
    try bed.settle()
    #expect(client.messages() == [.pong])
  }

  /// A socket that takes a byte at a time still gets whole lines, in order.
  @Test func shortWritesKeepTheLinesWhole() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader, focus: true)
    Faults.shorten(.send, to: 1, count: 100_000)
    defer { Faults.clear() }
    for command in Command.standard {
      bed.server.deliver(command, gesture: .tap, device: "Clicker", seat: "seat0", timeMicroseconds: 1)
    }
    bed.loop.advance(to: bed.loop.now + 1)
    Faults.clear()
    // The kernel counts its own overhead for each piece, so the socket was full long before the end.
    var commands = client.commands()
    try bed.settle()
    commands += client.commands()
    #expect(commands == Command.standard)
  }

  @Test func shortReadsCutNothing() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    client.send(.ping)
    client.send(.subscribe(client: "a", role: .reader))
    client.send(.focus(true))
    Faults.shorten(.receive, to: 1, count: 100_000)
    defer { Faults.clear() }
    try bed.settle()
    Faults.clear()
    #expect(client.messages() == [.pong, .active(true, devices: ["Clicker"])])
  }

  /// Out of descriptors: nobody is lost, the loop does not spin, and it goes on when there is room.
  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM]) func acceptingPausesWhenThereAreNoDescriptors(_ error: Int32)
    throws
  {
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, focus: true)
    Faults.inject(.accept, errno: error)
    let waiting = TestClient(try UnixSocket.connect(to: bed.path))
    try bed.settle()
    Faults.clear()
    #expect(waiting.lines() == [])
    #expect(bed.log.count == 1)
    #expect(try bed.loop.turn(milliseconds: 0) == 0, "no wake-up for a connection that cannot be taken")
    try bed.press()
    #expect(reader.commands() == [.next])
    try bed.pass(seconds: 1.1)
    #expect(waiting.messages() == [.hello(protocol: 1, server: "pagerd test")])
  }

  @Test func aClientThatGoesMakesRoomForTheOneThatWaits() throws {
    let bed = try ServerBed()
    let other = try bed.client()
    Faults.inject(.accept, errno: EMFILE)
    let waiting = TestClient(try UnixSocket.connect(to: bed.path))
    try bed.settle()
    Faults.clear()
    other.close()
    try bed.settle()
    #expect(waiting.messages() == [.hello(protocol: 1, server: "pagerd test")])
  }

  @Test func aConnectionThatCameAndWentIsSkipped() throws {
    let bed = try ServerBed()
    Faults.inject(.accept, errno: ECONNABORTED)
    let client = TestClient(try UnixSocket.connect(to: bed.path))
    try bed.settle()
    Faults.clear()
    #expect(client.messages() == [.hello(protocol: 1, server: "pagerd test")])
  }

  @Test func aClientThatTheLoopCannotTakeIsTurnedAway() throws {
    let bed = try ServerBed()
    Faults.inject(.epollControl, errno: ENOSPC)
    let client = TestClient(try UnixSocket.connect(to: bed.path))
    try bed.settle()
    Faults.clear()
    _ = client.lines()
    #expect(client.isClosed)
    #expect(bed.server.clients.isEmpty)
  }

  @Test func aPeerThatCannotBeNamedHasNoRights() throws {
    let bed = try ServerBed()
    bed.server.identify = { fd in ClientIdentity(peerOf: fd, group: nil) }
    Faults.inject(.getsockopt, errno: EINVAL)
    let client = TestClient(try UnixSocket.connect(to: bed.path))
    try bed.settle()
    Faults.clear()
    _ = client.lines()
    #expect(client.isClosed)
  }

  @Test func groupsThatCannotBeReadAreNoMembership() throws {
    let (one, other) = try UnixSocket.pair()
    defer {
      close(one)
      close(other)
    }
    #expect(ClientIdentity(peerOf: one, group: getgid())?.isGroupMember == true)
    #expect(ClientIdentity(peerOf: one, group: 54321)?.isGroupMember == false)
    Faults.inject(.getsockopt, errno: ENOPROTOOPT, skip: 1)
    defer { Faults.clear() }
    #expect(ClientIdentity(peerOf: one, group: 54321)?.isGroupMember == false)
  }
}
