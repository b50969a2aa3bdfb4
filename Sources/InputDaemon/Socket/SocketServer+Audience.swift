internal import ReaderIPC

/// What the device side asks.
extension SocketServer: Audience {
  func wantsHolding(seat: String) -> Bool {
    guard let index = seatIndex(seat) else { return false }
    return stack.wantsHolding(seat: index)
  }

  func hasTaker(seat: String) -> Bool { takerToken(seat: seat) != 0 }

  func isEmitting(seat: String) -> Bool {
    guard let index = seatIndex(seat) else { return false }
    return stack.taker(seat: index) == .emitter
  }

  func takerToken(seat: String) -> UInt64 {
    guard let index = seatIndex(seat) else { return 0 }
    return stack.token(seat: index)
  }

  func deliver(_ command: Command, gesture: Gesture, device: String, seat: String, timeMicroseconds: UInt64) {
    guard let index = seatIndex(seat) else { return }
    refresh()
    switch stack.taker(seat: index) {
    case .nobody: break
    case .client(let id):
      guard let client = taker(id) else { return }
      hand(command, to: client, gesture: gesture, device: device, timeMicroseconds: timeMicroseconds)
    case .emitter:
      guard registry?.emit(command) == true, let emitterOwner else { return }
      inform(emitterOwner.uid, command, gesture: gesture, device: device, timeMicroseconds: timeMicroseconds)
    }
  }

  /// The client with this number, found at once when it is the one that took the last command.
  @inline(__always)
  private func taker(_ id: ClaimStack.ClientID) -> ClientConnection? {
    if let lastTaker, lastTaker.id == id { return lastTaker }
    lastTaker = clients[id]
    return lastTaker
  }

  func giveBack(seat: String) {
    guard let index = seatIndex(seat) else { return }
    stack.giveBack(1 << ClaimStack.Seats(index))
    isStale = true
  }

  var wantsRawEvents: Bool {
    watchers.contains { client in
      switch client.stream {
      case .rawEvents, .node: true
      case .none, .commands: false
      }
    }
  }

  func observe(_ event: RawEvent, device: String, node: String) {
    for client in watchers {
      switch client.stream {
      case .none, .commands: continue
      case .node(let only) where only != node: continue
      case .rawEvents, .node: break
      }
      client.appendEvent(event, device: device, node: node)
      markDirty(client)
    }
  }

  /// Hands a command to exactly one client, and shows it to that user's observers.
  func hand(
    _ command: Command, to client: ClientConnection, gesture: Gesture, device: String, timeMicroseconds: UInt64
  ) {
    client.appendCommand(command, device: device, gesture: gesture, timeMicroseconds: timeMicroseconds)
    markDirty(client)
    guard !watchers.isEmpty else { return }
    inform(
      client.identity.uid, command, gesture: gesture, device: device, timeMicroseconds: timeMicroseconds,
      except: client)
  }

  /// Shows a command to its user's observers, and to privileged monitors.
  func inform(
    _ uid: UInt32, _ command: Command, gesture: Gesture, device: String, timeMicroseconds: UInt64,
    except taker: ClientConnection? = nil
  ) {
    guard !watchers.isEmpty else { return }
    for client in watchers where client !== taker {
      let isOwn = client.identity.uid == uid
      guard isOwn || (client.stream != .none && client.identity.isPrivileged) else { continue }
      if case .node = client.stream { continue }
      client.appendCommand(command, device: device, gesture: gesture, timeMicroseconds: timeMicroseconds)
      markDirty(client)
    }
  }
}
