import EventLoop
import ReaderIPC
import Testing

@testable import InputDaemon

@Suite struct SocketServerTests {
  @Test func everyConnectionIsGreeted() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    #expect(client.lines() == [#"{"type":"hello","protocol":1,"server":"pagerd test"}"#])
  }

  @Test func focusIsAnsweredAtOnceEveryTime() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader)
    try bed.say(client, .focus(true))
    #expect(client.messages() == [.active(true, devices: ["Clicker"])])
    try bed.say(client, .focus(true))
    #expect(client.messages().contains(.active(true, devices: ["Clicker"])))
    try bed.say(client, .focus(false))
    #expect(client.messages() == [.active(false, devices: [])])
    try bed.say(client, .focus(false))
    #expect(client.messages() == [.active(false, devices: [])])
  }

  @Test func activeComesAgainWheneverItsListChanges() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader, focus: true)
    bed.registry.held = ["seat0": ["Clicker", "Ring"]]
    try bed.press()
    #expect(client.messages().first == .active(true, devices: ["Clicker", "Ring"]), "before the command")
    bed.registry.held = ["seat0": []]
    bed.loop.advance(to: bed.loop.now + 1)
    #expect(client.messages() == [.active(true, devices: [])])
    bed.registry.held = ["seat0": []]
    bed.loop.advance(to: bed.loop.now + 1)
    #expect(client.messages() == [], "the same list is no news")
  }

  @Test func activeNamesSixteenDevicesAtMost() throws {
    let bed = try ServerBed()
    let names = (1...40).map { "Clicker \($0)" }
    bed.registry.held = ["seat0": names]
    let client = try bed.subscribed(.reader)
    try bed.say(client, .focus(true))
    #expect(client.messages() == [.active(true, devices: Array(names.prefix(16)))])
  }

  @Test func theOneBeforeIsServedWhenTheLatestGoes() throws {
    let bed = try ServerBed()
    let first = try bed.subscribed(.reader, focus: true)
    let second = try bed.subscribed(.reader, focus: true)
    #expect(first.messages().last == .active(false, devices: []))
    try bed.press(.next)
    #expect(second.commands() == [.next])
    #expect(first.commands() == [])
    second.close()
    try bed.settle()
    #expect(first.messages().first == .active(true, devices: ["Clicker"]))
    try bed.press(.prev)
    #expect(first.commands() == [.prev])
  }

  @Test func seqCountsAConnectionsCommandsWithoutAGap() throws {
    let bed = try ServerBed()
    let first = try bed.subscribed(.reader, focus: true)
    for _ in 0..<3 { try bed.press() }
    let second = try bed.subscribed(.reader, focus: true)
    for _ in 0..<2 { try bed.press() }
    second.close()
    try bed.settle()
    try bed.press()
    let seqs = first.messages().compactMap { if case .command(let command) = $0 { command.seq } else { nil } }
    #expect(seqs == [1, 2, 3, 4])
  }

  @Test func aCommandCarriesItsTimeGestureAndDevice() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader, focus: true)
    bed.server.deliver(
      .nextChapter, gesture: .hold, device: "AB Shutter3", seat: "seat0", timeMicroseconds: 81_234_567)
    bed.loop.advance(to: bed.loop.now + 1)
    #expect(
      client.lines().first
        == #"{"type":"command","command":"next-chapter","device":"AB Shutter3","gesture":"hold","seq":1,"time_us":81234567}"#
    )
  }

  @Test func withoutATakerNothingIsSentAndNobodyIsHeld() throws {
    let bed = try ServerBed()
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    let client = try bed.subscribed(.reader)
    #expect(bed.server.wantsHolding(seat: "seat0"))
    #expect(!bed.server.hasTaker(seat: "seat0"))
    try bed.press()
    #expect(client.commands() == [])
    client.close()
    try bed.settle()
    #expect(!bed.server.wantsHolding(seat: "seat0"))
  }

  @Test func observersSeeTheirOwnUsersCommandsOnly() throws {
    let bed = try ServerBed()
    let reader = try bed.subscribed(.reader, uid: 1000, focus: true)
    let own = try bed.subscribed(.observer, uid: 1000)
    let root = try bed.subscribed(.observer, uid: 0)
    let alone = try bed.subscribed(.observer, uid: 999)
    try bed.press()
    #expect(reader.commands() == [.next])
    #expect(own.commands() == [.next])
    #expect(root.commands() == [])
    #expect(alone.commands() == [])
  }

  @Test func anObserverCountsForNothing() throws {
    let bed = try ServerBed()
    let observer = try bed.subscribed(.observer, focus: true)
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    #expect(!bed.server.hasTaker(seat: "seat0"))
    try bed.press()
    #expect(observer.commands() == [])
  }

  @Test func pingIsAnsweredAndFocusBeforeSubscribeRefused() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    _ = client.lines()
    try bed.say(client, .ping, .focus(true), .unknown)
    client.send("{\"type\":\"later\",\"x\":[1]}\n")
    try bed.settle()
    #expect(client.messages() == [.pong, .error(code: "not-subscribed", message: "focus comes after subscribe")])
  }

  @Test func theServedClientIsPingedAndSuspendedWhenSilent() throws {
    let bed = try ServerBed()
    let before = try bed.subscribed(.background)
    let client = try bed.subscribed(.reader, focus: true)
    _ = before.lines()
    try bed.pass(seconds: 2.5)
    #expect(client.messages() == [.ping, .ping, .ping])
    #expect(before.messages() == [])
    try bed.pass(seconds: 1)
    #expect(client.messages() == [.active(false, devices: [])])
    #expect(before.messages().first == .active(true, devices: ["Clicker"]))
    try bed.press()
    #expect(before.commands() == [.next])
    #expect(bed.server.wantsHolding(seat: "seat0"))
    try bed.say(client, .pong)
    #expect(client.messages().first == .active(true, devices: ["Clicker"]))
  }

  /// A pagerd that was stopped finds the answers in the sockets, and must not judge before it has read them.
  @Test func aPagerdThatSleptReadsBeforeItJudges() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader)
    try bed.say(client, .focus(true))
    bed.loop.advance(to: bed.loop.now + 1)
    #expect(client.messages().contains(.ping))
    client.send(.pong)
    bed.loop.sleep(to: bed.loop.now + 10_000_000)
    #expect(!client.messages().contains(.active(false, devices: [])))
  }

  @Test func withNothingHeldTheLoopHasNoDeadline() throws {
    let bed = try ServerBed()
    bed.registry.held = [:]
    let client = try bed.subscribed(.reader, focus: true)
    let other = try bed.subscribed(.background)
    #expect(bed.loop.nextDeadline == nil)
    try bed.pass(seconds: 10)
    #expect(client.messages() == [])
    #expect(other.messages() == [])
  }

  @Test func theDeviceSideHearsOfEveryChangeAndOfNothingElse() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader)
    #expect(bed.changes == 1, "holding is wanted")
    try bed.say(client, .focus(true))
    #expect(bed.changes == 2, "a taker")
    try bed.say(client, .focus(true), .ping, .status)
    #expect(bed.changes == 2)
    try bed.say(client, .focus(false))
    #expect(bed.changes == 3)
    client.close()
    try bed.settle()
    #expect(bed.changes == 4)
  }

  @Test func statusAndDevicesAnswerWithWhatTheDeviceSideKnows() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.background)
    try bed.say(client, .status, .devices)
    let report = StatusReport(
      server: "pagerd test", isRouting: true, isEmitting: false, clients: 1, devices: bed.registry.devices)
    #expect(client.messages() == [.status(report), .devices(report)])
  }

  @Test func thePanicHoldGivesEverythingBackUntilTheNextClaim() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader, focus: true)
    bed.server.giveBack(seat: "seat0")
    bed.loop.advance(to: bed.loop.now + 1)
    #expect(client.messages().contains(.active(false, devices: [])))
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    try bed.press()
    #expect(client.commands() == [])
    try bed.say(client, .focus(true))
    #expect(bed.server.wantsHolding(seat: "seat0"))
    try bed.press()
    #expect(client.commands() == [.next])
  }

  @Test func everybodyIsToldGoodbye() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader)
    bed.server.shutDown()
    #expect(client.messages() == [.bye(reason: "shutdown")])
    #expect(client.isClosed)
    #expect(throws: SystemError.self) { _ = try UnixSocket.connect(to: bed.path) }
  }

  @Test func noDescriptorIsLeftBehind() throws {
    let before = openDescriptors()
    do {
      let bed = try ServerBed()
      for _ in 0..<20 {
        let client = try bed.subscribed(.reader, focus: true)
        client.send("{\"type\":")
        client.close()
        try bed.settle()
      }
      #expect(bed.server.clients.isEmpty)
    }
    // Other tests run beside this one; only growth without end would show.
    #expect(openDescriptors() < before + 200)
  }
}
