import ReaderIPC
import Testing

@testable import InputDaemon

/// The timelines of `ClaimStack`, by their numbers there. A script's words:
///
/// `A:reader` connects and subscribes; `A:true`, `A:false` focus; `A:gone`; `A:silent` no longer answers pings,
/// `A:pong` answers again; `A:rights=2` its seats from now on; `held=1` the seats with something held; `emit=1`;
/// `panic=1`; `2.5s` time passes, pings are answered at once.
struct Timeline: Sendable, CustomTestStringConvertible {
  let number: Int
  let script: String
  let served: String
  var holding = true
  /// The seat that is asked about.
  var seat = 0

  var testDescription: String { "\(number): \(script)" }
}

private let timelines: [Timeline] = [
  Timeline(number: 1, script: "A:reader A:true", served: "A"),
  Timeline(number: 2, script: "A:reader B:reader A:true B:true", served: "B"),
  Timeline(number: 3, script: "A:reader B:reader A:true B:true B:false", served: "A"),
  Timeline(number: 4, script: "A:reader B:reader A:true B:true B:gone", served: "A"),
  Timeline(number: 5, script: "A:reader B:reader A:true B:true A:true", served: "A"),
  Timeline(number: 6, script: "A:reader B:reader A:true B:true A:true A:false", served: "B"),
  Timeline(number: 7, script: "G:background", served: "G"),
  Timeline(number: 8, script: "G:background A:reader A:true", served: "A"),
  Timeline(number: 9, script: "G:background A:reader A:true A:false", served: "G"),
  Timeline(number: 10, script: "G:background H:background", served: "H"),
  Timeline(number: 11, script: "G:background H:background H:gone", served: "G"),
  Timeline(number: 12, script: "A:reader B:reader A:true B:true B:silent 3.1s", served: "A"),
  Timeline(number: 13, script: "A:reader B:reader A:true B:true B:silent 3.1s B:pong", served: "B"),
  Timeline(number: 14, script: "A:reader B:reader A:true B:true B:silent 3.1s A:true B:pong", served: "A"),
  Timeline(number: 15, script: "A:reader A:true A:silent 3.1s", served: "nobody"),
  Timeline(number: 16, script: "A:reader A:true A:silent 3.1s A:true", served: "A"),
  Timeline(number: 17, script: "held=0 A:reader A:true A:silent 60s", served: "A"),
  Timeline(number: 18, script: "A:reader A:true A:rights=0", served: "nobody", holding: false),
  Timeline(number: 19, script: "A:reader A:true A:rights=0 A:rights=1", served: "A"),
  Timeline(number: 20, script: "A:reader A:true B:reader B:true B:rights=2", served: "A"),
  Timeline(number: 21, script: "emit=1", served: "emitter"),
  Timeline(number: 22, script: "emit=1 G:background", served: "G"),
  Timeline(number: 23, script: "A:reader A:true panic=1", served: "nobody", holding: false),
  Timeline(number: 24, script: "A:reader A:true panic=1 B:reader B:true B:false", served: "A"),
  Timeline(number: 25, script: "A:reader A:true A:observer", served: "nobody", holding: false),
  Timeline(number: 26, script: "O:observer", served: "nobody", holding: false),
  Timeline(number: 27, script: "F:background G:background G:silent 3.1s", served: "F"),
  Timeline(number: 28, script: "A:reader B:reader A:true A:silent 2s B:true 2s B:false 0s", served: "nobody"),
  // Edges of the same rules.
  Timeline(number: 101, script: "A:reader", served: "nobody"),
  Timeline(number: 102, script: "A:reader A:true A:reader", served: "A"),
  Timeline(number: 103, script: "A:reader A:true A:silent 2.9s", served: "A"),
  Timeline(number: 104, script: "A:reader A:true A:silent 2.9s A:pong 2.9s", served: "A"),
  Timeline(number: 105, script: "A:reader B:reader A:true B:true B:silent 3.1s B:false B:pong", served: "A"),
  Timeline(number: 106, script: "A:reader B:reader A:true B:true B:silent 3.1s A:gone", served: "nobody"),
  Timeline(number: 107, script: "A:reader A:true A:background", served: "A"),
  Timeline(number: 108, script: "G:background G:true A:reader A:true A:false", served: "G"),
  Timeline(number: 109, script: "G:background H:background G:background", served: "G"),
  Timeline(number: 110, script: "A:reader A:true A:gone", served: "nobody", holding: false),
  Timeline(number: 111, script: "emit=1 panic=1", served: "nobody", holding: false),
  Timeline(number: 112, script: "emit=1 panic=1 emit=1", served: "emitter"),
  Timeline(number: 113, script: "A:reader A:true panic=2", served: "A"),
  Timeline(number: 114, script: "A:reader A:rights=2 A:true panic=2", served: "nobody", holding: false, seat: 1),
  Timeline(number: 115, script: "A:reader B:reader B:rights=2 A:true B:true", served: "B", seat: 1),
  Timeline(number: 116, script: "A:reader B:reader B:rights=2 A:true B:true", served: "A", seat: 0),
  Timeline(number: 117, script: "A:reader A:true A:silent 3.1s panic=1 A:pong", served: "nobody", holding: false),
  Timeline(number: 118, script: "A:reader A:true A:silent 1s held=0 60s held=1 0s", served: "nobody"),
  Timeline(number: 119, script: "A:reader A:true A:silent 1s held=0 A:pong A:silent 60s held=1 2s", served: "A"),
  Timeline(number: 120, script: "emit=1 emit=0", served: "nobody", holding: false),
  Timeline(number: 121, script: "A:reader A:true 120s", served: "A"),
  Timeline(number: 123, script: "A:reader A:true panic=1 G:background", served: "A"),
  Timeline(
    number: 124, script: "A:reader A:true G:background panic=1 A:pong A:false", served: "nobody", holding: false),
  Timeline(number: 122, script: "G:background A:reader A:true A:silent 3.1s", served: "G"),
]

/// Runs a script, answering the pings of those who are not silent.
private struct Script {
  var stack = ClaimStack()
  var time: UInt64 = 1_000_000
  var silent: Set<String> = []
  var known: [String: UInt32] = [:]
  var pings: [String] = []

  init() { stack.setHeld(1) }

  mutating func id(_ name: String) -> UInt32 {
    if let id = known[name] { return id }
    let id = UInt32(name.unicodeScalars.first?.value ?? 0)
    known[name] = id
    stack.connect(id, uid: 1000, seats: 1)
    return id
  }

  mutating func run(_ script: String) {
    for word in script.split(separator: " ").map(String.init) { step(word) }
    pass(to: time)
  }

  private mutating func step(_ word: String) {
    if let seconds = Double(word.dropLast()), word.hasSuffix("s") {
      return pass(to: time + UInt64(seconds * 1_000_000))
    }
    let parts = word.split(separator: ":").map(String.init)
    if parts.count == 1 {
      let pair = word.split(separator: "=").map(String.init)
      let seats = UInt64(pair[1]) ?? 0
      switch pair[0] {
      case "held": stack.setHeld(seats)
      case "emit": stack.setEmitter(seats: seats, isNew: seats != 0)
      case "panic": stack.giveBack(seats)
      default: Issue.record("unknown word \(word)")
      }
      return
    }
    let client = id(parts[0])
    switch parts[1] {
    case "true": stack.focus(client, true)
    case "false": stack.focus(client, false)
    case "gone": stack.disconnect(client)
    case "silent":
      // The first ping comes with being served; silence begins before it is answered.
      silent.insert(parts[0])
    case "pong":
      silent.remove(parts[0])
      stack.pong(client)
    case let other where other.hasPrefix("rights="): stack.setSeats(client, UInt64(other.dropFirst(7)) ?? 0)
    default:
      guard let role = ClientRole(rawValue: parts[1]) else {
        Issue.record("unknown word \(word)")
        return
      }
      stack.subscribe(client, as: role)
    }
  }

  private mutating func pass(to end: UInt64) {
    var steps = 0
    while let deadline = stack.nextDeadline, deadline <= end, steps < 10_000 {
      steps += 1
      time = max(time, deadline)
      var pinged: [UInt32] = []
      stack.advance(to: time) { pinged.append($0) }
      for id in pinged {
        let name = String(Unicode.Scalar(id) ?? "?")
        pings.append(name)
        if !silent.contains(name) { stack.pong(id) }
      }
    }
    #expect(steps < 10_000, "deadlines do not move on")
    time = max(time, end)
  }

  func served(seat: Int) -> String {
    switch stack.taker(seat: seat) {
    case .nobody: "nobody"
    case .emitter: "emitter"
    case .client(let id): String(Unicode.Scalar(id) ?? "?")
    }
  }
}

@Suite struct ClaimStackTests {
  @Test(arguments: timelines) func timeline(_ timeline: Timeline) {
    var script = Script()
    script.run(timeline.script)
    #expect(script.served(seat: timeline.seat) == timeline.served)
    #expect(script.stack.wantsHolding(seat: timeline.seat) == timeline.holding)
    #expect((script.stack.token(seat: timeline.seat) == 0) == (timeline.served == "nobody"))
  }

  @Test func theServedClientIsPingedEverySecondAndNobodyElse() {
    var script = Script()
    script.run("A:reader B:reader A:true B:true 10s")
    #expect(script.pings == Array(repeating: "B", count: 11))
  }

  @Test func withNothingHeldThereIsNoDeadline() {
    var script = Script()
    script.run("held=0 A:reader A:true G:background 5s")
    #expect(script.pings == [])
    #expect(script.stack.nextDeadline == nil)
  }

  @Test func aSuspendedClientIsNotPingedAndLeavesNoDeadline() {
    var script = Script()
    script.run("A:reader A:true A:silent 60s")
    #expect(script.pings == ["A", "A", "A"])
    #expect(script.stack.nextDeadline == nil)
  }

  @Test func aChangeOfTheTakerChangesTheTokenAndNothingElseDoes() {
    var script = Script()
    script.run("A:reader A:true")
    let first = script.stack.token(seat: 0)
    script.run("B:reader A:true 5s")
    #expect(script.stack.token(seat: 0) == first)
    script.run("B:true")
    let second = script.stack.token(seat: 0)
    #expect(second != first)
    script.run("B:false")
    #expect(script.stack.token(seat: 0) != second)
    #expect(script.stack.token(seat: 0) != first, "the same taker, but others were served between")
  }

  @Test func overdueNamesWhomAdvanceWouldSuspend() {
    var script = Script()
    script.run("A:reader A:true A:silent 2s")
    #expect(script.stack.overdue(at: script.time + 900_000) == [])
    #expect(script.stack.overdue(at: script.time + 1_000_000) == [UInt32(UnicodeScalar("A").value)])
  }

  @Test func sendReachesTheLatestOfTheUser() {
    var stack = ClaimStack()
    for (id, uid) in [(1, 1000), (2, 1000), (3, 2000)] as [(UInt32, UInt32)] {
      stack.connect(id, uid: uid, seats: 1)
      stack.subscribe(id, as: .reader)
      stack.focus(id, true)
    }
    #expect(stack.target(uid: nil) == 3)
    #expect(stack.target(uid: 1000) == 2)
    #expect(stack.target(uid: 3000) == nil)
    stack.setSeats(3, 0)
    #expect(stack.target(uid: nil) == 2)
    #expect(stack.target(uid: 2000) == nil)
  }

  /// Whatever happens in whatever order: the one who is served stands, lives and has the rights.
  @Test(arguments: 0..<20) func randomHistories(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var stack = ClaimStack()
    var connected: Set<UInt32> = []
    var rights: [UInt32: UInt64] = [:]
    var focused: Set<UInt32> = []
    var roles: [UInt32: ClientRole] = [:]
    var time: UInt64 = 0
    stack.setHeld(1)
    for _ in 0..<2000 {
      let id = UInt32(random.next() % 6) + 1
      switch random.next() % 9 {
      case 0 where !connected.contains(id):
        connected.insert(id)
        rights[id] = 3
        stack.connect(id, uid: id, seats: 3)
      case 1 where random.next() % 3 == 0:
        connected.remove(id)
        focused.remove(id)
        roles[id] = nil
        stack.disconnect(id)
      case 2, 3:
        let role = ClientRole.allCases[Int(random.next() % 3)]
        guard connected.contains(id) else { continue }
        if roles[id] != role { focused.remove(id) }
        roles[id] = role
        stack.subscribe(id, as: role)
      case 4, 5:
        let value = random.next() % 2 == 0
        stack.focus(id, value)
        guard roles[id] == .reader else { continue }
        if value { focused.insert(id) } else { focused.remove(id) }
      case 6:
        let seats = random.next() % 4
        if connected.contains(id) { rights[id] = seats }
        stack.setSeats(id, seats)
      case 7: stack.pong(id)
      default:
        time += random.next() % 2_000_000
        stack.advance(to: time) { pinged in #expect(connected.contains(pinged)) }
      }
      for seat in 0..<2 {
        guard case .client(let taker) = stack.taker(seat: seat) else { continue }
        #expect(connected.contains(taker))
        #expect((rights[taker] ?? 0) & (1 << UInt64(seat)) != 0)
        #expect(!stack.isSuspended(taker))
        #expect(focused.contains(taker) || roles[taker] == .background)
        #expect(stack.wantsHolding(seat: seat))
      }
    }
  }
}

/// A small seeded generator. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
