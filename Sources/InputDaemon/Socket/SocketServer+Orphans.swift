internal import ReaderIPC

/// A client that ends in the very moment of a press.
extension SocketServer {
  /// Removes a client to which nothing can be sent any more. The commands that were on their way to it are handed to
  /// who is served now; it never read them, so nothing is done twice.
  func removeAndPassOn(_ client: ClientConnection) {
    let served = stack.servedSeats(client.id)
    let orphans = served == 0 ? [] : client.unsent
    remove(client)
    guard !orphans.isEmpty else { return }
    refresh()
    for orphan in orphans {
      switch stack.taker(seat: served.trailingZeroBitCount) {
      case .client(let id):
        guard let heir = clients[id] else { continue }
        // Observers have seen it.
        heir.appendCommand(
          orphan.command, device: orphan.device, gesture: orphan.gesture, timeMicroseconds: orphan.timeMicroseconds)
        markDirty(heir)
      case .emitter: _ = registry?.emit(orphan.command)
      case .nobody: log("\(orphan.command) came as its reader ended, and nobody else was there")
      }
    }
  }
}
