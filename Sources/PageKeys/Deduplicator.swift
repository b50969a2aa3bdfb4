import ReaderIPC

/// Knows whether a press is the one that another node of the remote has reported already.
///
/// Two presses are the same if they come from different nodes, have the same tap binding and the second begins within
/// 30 ms of the accepted one. An accepted press absorbs at most one press from each other node, an absorbed press
/// absorbs nothing.
///
///  1. A0 B30     B is absorbed            4. A0 A10 B12 B20  each B is absorbed by an A of its own
///  2. A0 B30.001 both count               5. A0 B10 C20      both are absorbed by A
///  3. A0 B10 B20 the second B counts      6. A0 B25 A50      B absorbed; A counts (B absorbs nothing)
struct Deduplicator: Sendable {
  static let window: UInt64 = 30_000

  private struct Accepted: Sendable {
    var node: Int
    var command: Command
    var begin: UInt64
    /// A bit for each node of which it has absorbed a press.
    var absorbed: UInt64
    var isSwallowed: Bool
  }

  private static let most = 32
  private var accepted: [Accepted] = []
  private var oldest = 0

  init() { accepted.reserveCapacity(Deduplicator.most) }

  /// - Returns: whether the accepted press was swallowed, if this one is the same; nil for a press of its own.
  mutating func absorb(_ command: Command, from node: Int, at time: UInt64) -> Bool? {
    guard node < 64 else { return nil }
    let bit: UInt64 = 1 << UInt64(node)
    for index in accepted.indices {
      let other = accepted[index]
      if other.node != node, other.absorbed & bit == 0, time.distance(from: other.begin) <= Deduplicator.window,
        other.command == command
      {
        accepted[index].absorbed |= bit
        return other.isSwallowed
      }
    }
    return nil
  }

  mutating func accept(_ command: Command, from node: Int, at time: UInt64, isSwallowed: Bool) {
    let press = Accepted(node: node, command: command, begin: time, absorbed: 0, isSwallowed: isSwallowed)
    if accepted.count < Deduplicator.most {
      accepted.append(press)
    } else {
      accepted[oldest] = press
      oldest = (oldest + 1) % Deduplicator.most
    }
  }

  /// The node is gone and its number may be given to another one; its last press can still be told by the others.
  mutating func forget(_ node: Int) {
    guard node < 64 else { return }
    let bit: UInt64 = 1 << UInt64(node)
    for index in accepted.indices {
      if accepted[index].node == node { accepted[index].node = -1 }
      accepted[index].absorbed &= ~bit
    }
  }
}
