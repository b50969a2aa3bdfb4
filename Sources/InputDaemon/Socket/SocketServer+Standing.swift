internal import ReaderIPC

/// On which seats a client counts.
extension SocketServer {
  /// The bits of the seats on which a client counts now.
  func seats(of identity: ClientIdentity) -> ClaimStack.Seats {
    if identity.isTrusted(daemon: ownUID) { return seats.all }
    var bits: ClaimStack.Seats = 0
    for (index, name) in seats.names.enumerated()
    where rights.hasActiveSession(uid: identity.uid, seat: name) {
      bits |= 1 << ClaimStack.Seats(index)
    }
    return bits
  }

  func learnSeats() {
    for name in rights.seats { _ = seatIndex(name) }
  }

  /// The number of a seat; one that was never seen is new to everybody.
  func seatIndex(_ name: String) -> Int? {
    if let index = seats.known(name) { return index }
    let known = seats.names.count
    let index = seats.index(of: name)
    if seats.names.count > known {
      heldNames.append([])
      judgeClients()
    }
    return index
  }

  /// Sessions changed.
  func judgeRights() {
    turnedAway = []
    learnSeats()
    judgeClients()
  }

  func judgeClients() {
    for client in clients.values where client.phase == .open {
      client.seats = seats(of: client.identity)
      stack.setSeats(client.id, client.seats)
    }
    if let emitterOwner { stack.setEmitter(seats: seats(of: emitterOwner), isNew: false) }
    isStale = true
  }

  func heldChanged() {
    var held: ClaimStack.Seats = 0
    for (index, name) in seats.names.enumerated() {
      heldNames[index] = registry?.heldNames(seat: name) ?? []
      if !heldNames[index].isEmpty { held |= 1 << ClaimStack.Seats(index) }
    }
    stack.setHeld(held)
    isStale = true
  }
}
