import EventLoop
import ReaderIPC
import Testing

@testable import InputDaemon

/// Who may do what. uid 1000 has the active session on seat0, the daemon is uid 999.
private struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let uid: UInt32
  var member = false
  let isAdmitted: Bool
  let mayReload: Bool
  let maySeeKeys: Bool

  var testDescription: String { name }
}

private let cases: [Case] = [
  Case(name: "root", uid: 0, isAdmitted: true, mayReload: true, maySeeKeys: true),
  Case(name: "the daemon's user", uid: 999, isAdmitted: true, mayReload: true, maySeeKeys: false),
  Case(name: "the session's user", uid: 1000, isAdmitted: true, mayReload: false, maySeeKeys: false),
  Case(name: "a member", uid: 1001, member: true, isAdmitted: true, mayReload: true, maySeeKeys: true),
  Case(name: "anybody else", uid: 1002, isAdmitted: false, mayReload: false, maySeeKeys: false),
]

@Suite struct RightsTests {
  @Test(arguments: cases) fileprivate func judged(_ who: Case) throws {
    let bed = try ServerBed()
    let client = try bed.client(uid: who.uid, member: who.member)
    let greeting = client.messages()
    #expect(greeting.first == .hello(protocol: 1, server: "pagerd test"))
    #expect(greeting.contains(.bye(reason: "no-rights")) == !who.isAdmitted)
    #expect(client.isClosed == !who.isAdmitted)
    guard who.isAdmitted else { return }

    try bed.say(client, .reload)
    #expect(client.messages().contains(.reload(errors: [])) == who.mayReload)

    try bed.say(client, .monitor(raw: true))
    #expect(client.messages().last == .monitor(raw: who.maySeeKeys))
    #expect(bed.server.wantsRawEvents == who.maySeeKeys)
    let event = RawEvent(type: 1, code: 30, value: 1, timeMicroseconds: 5)
    bed.server.observe(event, device: "Keyboard", node: "/dev/input/event0")
    try bed.settle()
    #expect(
      client.messages()
        == (who.maySeeKeys ? [.event(event, device: "Keyboard", node: "/dev/input/event0")] : []))

    try bed.say(client, .record(node: "/dev/input/event5"))
    #expect(client.messages().contains(.record(node: "/dev/input/event5")) == who.maySeeKeys)
  }

  @Test func rightsThatGoTakeTheClaimAndTheHoldingAndGiveThemBack() throws {
    let bed = try ServerBed()
    let client = try bed.subscribed(.reader, uid: 1000, focus: true)
    bed.rights.become(["seat0": 1001])
    try bed.settle()
    #expect(client.messages() == [.active(false, devices: [])])
    #expect(!client.isClosed)
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    try bed.press()
    #expect(client.commands() == [])
    try bed.say(client, .focus(true))
    #expect(client.messages() == [.active(false, devices: [])], "answered at once, without rights with false")
    try bed.say(client, .send(.next))
    #expect(client.messages() == [.error(code: "no-rights", message: "no active session on any seat")])
    bed.rights.become(["seat0": 1000])
    try bed.settle()
    #expect(client.messages() == [.active(true, devices: ["Clicker"])])
    try bed.press()
    #expect(client.commands() == [.next])
  }

  @Test func eachSeatsCommandsGoToThoseWithRightsOnIt() throws {
    let bed = try ServerBed()
    bed.rights.seats = ["seat0", "seat1"]
    bed.rights.become(["seat0": 1000, "seat1": 1001])
    bed.registry.held = ["seat0": ["Clicker"], "seat1": ["Pedal"]]
    let first = try bed.subscribed(.reader, uid: 1000)
    let second = try bed.subscribed(.reader, uid: 1001)
    try bed.say(first, .focus(true))
    try bed.say(second, .focus(true))
    #expect(first.messages().last == .active(true, devices: ["Clicker"]))
    #expect(second.messages().last == .active(true, devices: ["Pedal"]))
    try bed.press(.next, seat: "seat0")
    try bed.press(.prev, seat: "seat1")
    #expect(first.commands() == [.next])
    #expect(second.commands() == [.prev])
    second.close()
    try bed.settle()
    #expect(bed.server.wantsHolding(seat: "seat0"))
    #expect(!bed.server.wantsHolding(seat: "seat1"))
    try bed.press(.prev, seat: "seat1")
    #expect(first.commands() == [])
  }

  @Test func rootTakesEverySeatAlsoOneThatComesLater() throws {
    let bed = try ServerBed()
    let root = try bed.subscribed(.reader, uid: 0, focus: true)
    #expect(bed.server.hasTaker(seat: "seat9"))
    try bed.press(.prev, seat: "seat9")
    #expect(root.commands() == [.prev])
  }

  @Test func withoutASessionManagerTheOtherThreeRightsRemain() throws {
    let bed = try ServerBed()
    bed.rights.seats = []
    bed.rights.become([:])
    #expect(try bed.client(uid: 1000).messages().contains(.bye(reason: "no-rights")))
    for (uid, member) in [(0, false), (999, false), (1234, true)] as [(UInt32, Bool)] {
      let client = try bed.client(uid: uid, member: member)
      try bed.say(client, .subscribe(client: "a", role: .reader), .focus(true))
      #expect(client.messages().last == .active(true, devices: ["Clicker"]))
      client.close()
      try bed.settle()
    }
  }

  /// A row: who sends, whether uid 1000's and uid 1001's readers claim (in this order), and who gets it.
  @Test(
    arguments: [
      (1000, false, true, true, "first"), (1001, false, true, true, "second"), (0, false, true, true, "second"),
      (999, false, true, true, "nobody"), (1234, true, true, true, "second"), (1000, false, false, true, "nobody"),
      (1001, false, true, false, "nobody"), (0, false, true, false, "first"), (0, false, false, false, "nobody"),
    ] as [(UInt32, Bool, Bool, Bool, String)])
  func sendReaches(_ uid: UInt32, _ member: Bool, _ firstClaims: Bool, _ secondClaims: Bool, _ expected: String)
    throws
  {
    let bed = try ServerBed()
    bed.rights.seats = ["seat0", "seat1"]
    bed.rights.become(["seat0": 1000, "seat1": 1001])
    let first = try bed.subscribed(.reader, uid: 1000, focus: firstClaims)
    let second = try bed.subscribed(.reader, uid: 1001, focus: secondClaims)
    let sender = try bed.client(uid: uid, member: member)
    _ = (first.lines(), second.lines(), sender.lines())
    try bed.say(sender, .send(.last))
    let sent = PageCommand(
      command: .last, device: "send", gesture: .tap, seq: 1, timeMicroseconds: bed.loop.now)
    #expect(first.messages() == (expected == "first" ? [.command(sent)] : []))
    #expect(second.messages() == (expected == "second" ? [.command(sent)] : []))
    let error = ServerMessage.error(code: "no-reader", message: "nobody takes commands now")
    #expect(sender.messages() == (expected == "nobody" ? [error] : []))
  }

  @Test func theEmitterIsServedLast() throws {
    let bed = try ServerBed()
    let switcher = try bed.client(uid: 1000)
    _ = switcher.lines()
    try bed.say(switcher, .emit(true))
    #expect(switcher.messages() == [.emit(true)])
    #expect(bed.server.wantsHolding(seat: "seat0"))
    try bed.press(.next)
    #expect(bed.registry.emitted == [.next])
    let background = try bed.subscribed(.background, uid: 1000)
    try bed.press(.prev)
    #expect(bed.registry.emitted == [.next])
    #expect(background.commands() == [.prev])
    background.close()
    switcher.close()
    try bed.settle()
    try bed.press(.last)
    #expect(bed.registry.emitted == [.next, .last], "it stays on when the one who switched it on is gone")
    let sender = try bed.client(uid: 1000)
    try bed.say(sender, .send(.first))
    #expect(bed.registry.emitted == [.next, .last, .first])
    try bed.say(sender, .emit(false))
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    try bed.press(.next)
    #expect(bed.registry.emitted.count == 3)
  }

  @Test func theEmitterHasTheRightsOfWhoSwitchedItOn() throws {
    let bed = try ServerBed()
    let owner = try bed.client(uid: 1000)
    try bed.say(owner, .emit(true))
    bed.rights.become(["seat0": 1001])
    try bed.settle()
    #expect(!bed.server.wantsHolding(seat: "seat0"))
    let other = try bed.client(uid: 1001)
    _ = other.lines()
    try bed.say(other, .emit(false), .send(.next))
    #expect(
      other.messages() == [
        .error(code: "no-rights", message: "another user switched the emitter on"),
        .error(code: "no-reader", message: "nobody takes commands now"),
      ])
    bed.rights.become(["seat0": 1000])
    try bed.press()
    #expect(bed.registry.emitted == [.next])
  }

  @Test func aSendThatNoKeyStandsForFindsNobody() throws {
    let bed = try ServerBed()
    bed.registry.canEmit = false
    let client = try bed.client(uid: 1000)
    _ = client.lines()
    try bed.say(client, .emit(true), .send(.toggle))
    #expect(
      client.messages() == [.emit(true), .error(code: "no-reader", message: "nobody takes commands now")])
  }

  @Test func aRecordingHasItsHeadAndItsNodesEventsOnly() throws {
    let bed = try ServerBed()
    let client = try bed.client(uid: 0)
    _ = client.lines()
    try bed.say(client, .record(node: "/dev/input/event5"))
    let event = RawEvent(type: 1, code: 115, value: 1, timeMicroseconds: 9)
    bed.server.observe(event, device: "Clicker", node: "/dev/input/event5")
    bed.server.observe(event, device: "Keyboard", node: "/dev/input/event0")
    try bed.settle()
    #expect(
      client.messages() == [
        .record(node: "/dev/input/event5"), .recordLine("# EVEMU 1.3"), .recordLine("N: Clicker"),
        .event(event, device: "Clicker", node: "/dev/input/event5"),
      ])
    try bed.say(client, .record(node: "/dev/input/event99"))
    #expect(
      client.messages() == [.error(code: "no-device", message: "no device has the node /dev/input/event99")])
    client.close()
    try bed.settle()
    #expect(!bed.server.wantsRawEvents)
  }

  @Test func reloadTellsTheErrors() throws {
    let bed = try ServerBed()
    bed.registry.errors = ["/etc/pagerd/pagerd.conf:3:7: expected a role"]
    let client = try bed.client(uid: 0)
    _ = client.lines()
    try bed.say(client, .reload)
    #expect(client.messages() == [.reload(errors: bed.registry.errors)])
  }
}
