internal import EventLoop

/// Whom the session manager has on which seat. Tests bring their own.
protocol RightsProvider: AnyObject {
  /// Every seat that the session manager knows; empty without one.
  var seats: [String] { get }

  /// Has the user the active session on the seat?
  func hasActiveSession(uid: UInt32, seat: String) -> Bool

  /// Sessions changed: everybody is judged again.
  var onChange: (() -> Void)? { get set }

  /// Looks again for a session manager that was not there at the start.
  func reconsider()
}

/// Who a client is, as far as rights go.
struct ClientIdentity: Equatable {
  let uid: UInt32
  /// Its group or one of its supplementary groups is `pagerd`.
  let isGroupMember: Bool

  /// Rights on every seat, whatever the session.
  func isTrusted(daemon: UInt32) -> Bool { uid == 0 || uid == daemon || isGroupMember }

  /// May read raw keys and send commands to other users' clients.
  var isPrivileged: Bool { uid == 0 || isGroupMember }
}

extension ClientIdentity {
  /// Who connected, as the kernel noted it then.
  ///
  /// - Parameter group: the number of the group `pagerd`.
  init?(peerOf fd: Int32, group: UInt32?) {
    guard let peer = try? UnixSocket.peer(of: fd) else { return nil }
    var isGroupMember = false
    if let group {
      isGroupMember = peer.gid == group || ((try? UnixSocket.groups(of: fd)) ?? []).contains(group)
    }
    self.init(uid: peer.uid, isGroupMember: isGroupMember)
  }
}

/// The seats' names, each with the bit that `ClaimStack` knows it by. Names only come; 64 are enough for any machine.
struct SeatTable {
  private(set) var names: [String] = ["seat0"]

  func known(_ name: String) -> Int? {
    for index in names.indices where names[index] == name { return index }
    return nil
  }

  /// nil when there are 64 already.
  mutating func index(of name: String) -> Int? {
    if let index = known(name) { return index }
    guard names.count < ClaimStack.maximumSeats else { return nil }
    names.append(name)
    return names.count - 1
  }

  var all: ClaimStack.Seats { names.count == 64 ? .max : (1 << ClaimStack.Seats(names.count)) - 1 }
}
