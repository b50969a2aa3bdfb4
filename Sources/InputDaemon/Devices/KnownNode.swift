internal import EventLoop
internal import Glibc
internal import PageKeys

/// One event node of the system: what it is, what was judged of it, and, where it is shared, its device.
final class KnownNode {
  var found: FoundNode
  var description: NodeDescription
  let remote: Remote
  var verdict: Verdict
  /// The role that counts; a changed verdict waits until no key is down.
  var role = Role.ignore
  /// 500 ms have passed since the last node of the same parent appeared.
  var isSettled = false
  var device: SharedDevice?
  var obstacle: Obstacle?
  var backoff = Backoff.permission
  var retry: UInt64?

  /// What keeps a candidate from being shared.
  enum Obstacle: Sendable, Equatable {
    case noPermission
    /// Announced, but not there (yet), or gone again.
    case missing
    /// The node cannot be opened for another reason.
    case unusable(SystemError)
    /// No virtual device can be made.
    case noUinput(SystemError)
    /// Another program grabs what we make of it.
    case loop
    /// Its force feedback cannot be carried over.
    case forceFeedback(errno: Int32)
  }

  init(found: FoundNode, description: NodeDescription, remote: Remote) {
    self.found = found
    self.description = description
    self.remote = remote
    verdict = judge(description, siblings: [], settings: remote.settings)
  }

  var isCandidate: Bool { role != .ignore }
}

extension KnownNode.Obstacle {
  /// Sorts what open(2) and the first questions to a node may say.
  init(opening error: SystemError) {
    switch error.errno {
    case EACCES, EPERM: self = .noPermission
    case ENOENT, ENODEV, ENXIO: self = .missing
    default: self = .unusable(error)
    }
  }
}
