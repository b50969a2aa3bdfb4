internal import ReaderIPC

/// Who takes the commands of which seat: window claims as a stack, background clients below it, the emitter at the
/// bottom; with the pings that find out who is still alive. Pure: time comes in, decisions come out.
///
/// Timelines (A, B readers, G a background client; the numbers are the names of the tests):
///
/// | # | what happens | who is served |
/// |---|---|---|
/// | 1 | A true | A |
/// | 2 | A true, B true | B |
/// | 3 | A true, B true, B false | A |
/// | 4 | A true, B true, B gone | A |
/// | 5 | A true, B true, A true | A |
/// | 6 | A true, B true, A true, A false | B |
/// | 7 | G subscribes | G |
/// | 8 | G subscribes, A true | A |
/// | 9 | G subscribes, A true, A false | G |
/// | 10 | G and H subscribe | H, the later one |
/// | 11 | G and H subscribe, H gone | G |
/// | 12 | A true, B true, B silent for 3 s | A |
/// | 13 | 12, then B's pong | B |
/// | 14 | 12, then A true, then B's pong | A: B's place is the old one, below A's new one |
/// | 15 | A true, A silent for 3 s | nobody; A still counts for holding |
/// | 16 | 15, then A true | A |
/// | 17 | A true, nothing held | A, without pings |
/// | 18 | A true, A loses its rights | nobody, and nothing is to be held |
/// | 19 | 18, rights return | A |
/// | 20 | A true, B true, B without rights on the seat | A |
/// | 21 | emitter on, nobody else | the emitter |
/// | 22 | emitter on, G subscribes | G |
/// | 23 | A true, panic | nobody, and nothing is to be held |
/// | 24 | A true, panic, B true, B false | A |
/// | 25 | A subscribes as an observer after it claimed | nobody |
/// | 26 | an observer alone | nobody, and nothing is to be held |
/// | 27 | G served, G silent for 3 s, F a background client before it | F |
/// | 28 | A true, silent for 2 s, B true, B false after 2 s more | A is suspended at once: its ping is 4 s old |
struct ClaimStack {
  typealias ClientID = UInt32

  /// A set of seats, one bit each.
  typealias Seats = UInt64

  enum Taker: Equatable, Sendable {
    case nobody
    case client(ClientID)
    case emitter
  }

  /// Where a client stands. Higher stamps came later.
  private enum Standing: Equatable {
    /// Connected only, an observer, or a reader whose window has no focus.
    case none
    case claim(stamp: UInt64)
    case background(stamp: UInt64)
  }

  private struct Member {
    let id: ClientID
    let uid: UInt32
    var role: ClientRole?
    var seats: Seats
    var standing = Standing.none
    var isSuspended = false
    /// When the oldest ping without a pong was sent.
    var unansweredSince: UInt64?
    var lastPing: UInt64?

    var isHolding: Bool { role == .reader || role == .background }

    /// It has spoken: it is alive.
    mutating func revive() {
      isSuspended = false
      unansweredSince = nil
    }
  }

  private var members: [Member] = []
  private var stamp: UInt64 = 0
  private var emitterSeats: Seats = 0
  private var panicked: Seats = 0
  private var held: Seats = 0
  private var takers: [Taker]
  private var tokens: [UInt64]
  private var lastToken: UInt64 = 0

  static let maximumSeats = 64

  init() {
    takers = Array(repeating: .nobody, count: ClaimStack.maximumSeats)
    tokens = Array(repeating: 0, count: ClaimStack.maximumSeats)
  }

  // MARK: Questions

  func taker(seat: Int) -> Taker { takers[seat] }

  /// Changes with every change of the taker; 0 for nobody.
  func token(seat: Int) -> UInt64 { tokens[seat] }

  func wantsHolding(seat: Int) -> Bool {
    let bit: Seats = 1 << Seats(seat)
    guard panicked & bit == 0 else { return false }
    return emitterSeats & bit != 0 || members.contains { $0.isHolding && $0.seats & bit != 0 }
  }

  /// The seats whose commands the client takes now.
  func servedSeats(_ id: ClientID) -> Seats {
    var seats: Seats = 0
    for seat in takers.indices where takers[seat] == .client(id) { seats |= 1 << Seats(seat) }
    return seats
  }

  func isSuspended(_ id: ClientID) -> Bool { members.first { $0.id == id }?.isSuspended ?? false }

  /// Whom a `send` reaches: the latest standing claim, else the latest background client, among those of `uid` (nil:
  /// everybody's).
  func target(uid: UInt32?) -> ClientID? {
    latest { member in member.seats & ~panicked != 0 && (uid == nil || member.uid == uid) }
  }

  // MARK: Clients

  mutating func connect(_ id: ClientID, uid: UInt32, seats: Seats) {
    members.append(Member(id: id, uid: uid, role: nil, seats: seats))
    settle()
  }

  mutating func disconnect(_ id: ClientID) {
    members.removeAll { $0.id == id }
    settle()
  }

  mutating func subscribe(_ id: ClientID, as role: ClientRole) {
    let stamp = nextStamp()
    change(id) { member in
      switch role {
      case .reader:
        // Saying it twice changes nothing, a standing claim least of all.
        if member.role != .reader { member.standing = .none }
      case .background:
        member.standing = .background(stamp: stamp)
        member.revive()
      case .observer:
        member.standing = .none
      }
      member.role = role
    }
    if role == .background { endPanic(id) }
    settle()
  }

  /// `focus` of a reader; other roles have no window to claim for.
  mutating func focus(_ id: ClientID, _ value: Bool) {
    let stamp = nextStamp()
    var claims = false
    change(id) { member in
      guard member.role == .reader else { return }
      claims = value
      member.standing = value ? .claim(stamp: stamp) : .none
      if value { member.revive() }
    }
    if claims { endPanic(id) }
    settle()
  }

  mutating func setSeats(_ id: ClientID, _ seats: Seats) {
    change(id) { $0.seats = seats }
    settle()
  }

  mutating func setEmitter(seats: Seats, isNew: Bool) {
    emitterSeats = seats
    if isNew { panicked &= ~seats }
    settle()
  }

  /// The panic hold: nobody is served on these seats, and nothing held, until the next claim there.
  mutating func giveBack(_ seats: Seats) {
    panicked |= seats
    settle()
  }

  private mutating func endPanic(_ id: ClientID) {
    guard let member = members.first(where: { $0.id == id }) else { return }
    panicked &= ~member.seats
  }

  // MARK: Pings

  /// The seats on which something is held now: only there are pings worth a wake-up.
  mutating func setHeld(_ seats: Seats) { held = seats }

  mutating func pong(_ id: ClientID) {
    change(id) { $0.revive() }
    settle()
  }

  /// When the next ping, or the end of the patience with one, is due: µs.
  var nextDeadline: UInt64? {
    var earliest: UInt64?
    for member in members where isPinged(member) {
      let ping = member.lastPing.map { $0 + Wire.pingInterval } ?? 0
      let patience = member.unansweredSince.map { $0 + Wire.pongPatience } ?? .max
      earliest = min(earliest ?? .max, ping, patience)
    }
    return earliest
  }

  /// The clients whose patience ends by `time`. What they sent is to be read before `advance` judges them: it was
  /// perhaps pagerd that slept.
  func overdue(at time: UInt64) -> [ClientID] {
    members.filter { isPinged($0) && isOverdue($0, at: time) }.map(\.id)
  }

  /// Suspends who was silent for too long; whoever is served next, and does not answer either, goes with it.
  mutating func suspendOverdue(at time: UInt64) {
    var mayChange = true
    while mayChange {
      mayChange = false
      for index in members.indices where isPinged(members[index]) && isOverdue(members[index], at: time) {
        members[index].isSuspended = true
        mayChange = true
      }
      if mayChange { settle() }
    }
  }

  /// Names whom to ping now.
  mutating func advance(to time: UInt64, ping: (ClientID) -> Void) {
    suspendOverdue(at: time)
    for index in members.indices where isPinged(members[index]) {
      if let last = members[index].lastPing, time < last + Wire.pingInterval { continue }
      members[index].lastPing = time
      if members[index].unansweredSince == nil { members[index].unansweredSince = time }
      ping(members[index].id)
    }
  }

  private func isPinged(_ member: Member) -> Bool { servedSeats(member.id) & held != 0 }

  private func isOverdue(_ member: Member, at time: UInt64) -> Bool {
    guard let since = member.unansweredSince else { return false }
    return time >= since + Wire.pongPatience
  }

  // MARK: Settling

  private mutating func nextStamp() -> UInt64 {
    stamp += 1
    return stamp
  }

  private mutating func change(_ id: ClientID, _ body: (inout Member) -> Void) {
    guard let index = members.firstIndex(where: { $0.id == id }) else { return }
    body(&members[index])
  }

  /// Claims stand above background clients; within each, the later one.
  private func latest(_ isEligible: (Member) -> Bool) -> ClientID? {
    var claim: (stamp: UInt64, id: ClientID)?
    var background: (stamp: UInt64, id: ClientID)?
    for member in members where !member.isSuspended && isEligible(member) {
      switch member.standing {
      case .none: break
      case .claim(let stamp): if stamp > claim?.stamp ?? 0 { claim = (stamp, member.id) }
      case .background(let stamp): if stamp > background?.stamp ?? 0 { background = (stamp, member.id) }
      }
    }
    return claim?.id ?? background?.id
  }

  private mutating func settle() {
    var reachable = emitterSeats
    for member in members { reachable |= member.seats }
    for seat in takers.indices {
      let bit: Seats = 1 << Seats(seat)
      var taker = Taker.nobody
      if reachable & ~panicked & bit != 0 {
        if let id = latest({ $0.seats & bit != 0 }) {
          taker = .client(id)
        } else if emitterSeats & bit != 0 {
          taker = .emitter
        }
      }
      guard taker != takers[seat] else { continue }
      takers[seat] = taker
      lastToken += 1
      tokens[seat] = taker == .nobody ? 0 : lastToken
    }
  }
}
