public import ReaderIPC

/// A command that fell due.
public struct Fired: Sendable, Equatable {
  public var command: Command
  public var gesture: Gesture
  /// Microseconds on CLOCK_MONOTONIC: the event that decided it, or the deadline that did.
  public var time: UInt64

  public init(command: Command, gesture: Gesture, time: UInt64) {
    self.command = command
    self.gesture = gesture
    self.time = time
  }
}

/// What came of one frame or one deadline; the caller keeps one and hands it in again and again.
///
/// Each call of the pipeline empties it first, without giving its memory back.
public struct Outcome: Sendable {
  /// The frame for the clone of the node, its SYN_REPORT included. Empty: there is nothing to write.
  public var passed: [InputEvent]
  /// The commands, in the order in which they fell due.
  public var fired: [Fired]
  /// What was pressed, bound or not; filled only where `RemotePipeline.reportsPresses` is set.
  public var presses: [Input]
  /// Two page buttons were held for 5 s: everything is to be given back until the next claim.
  public var isPanic: Bool

  /// Commands beyond this number of one call are dropped: only a daemon that stood still for long makes them.
  static let mostFired = 256

  public init() {
    passed = []
    fired = []
    presses = []
    isPanic = false
    passed.reserveCapacity(1024)
    fired.reserveCapacity(Outcome.mostFired)
    presses.reserveCapacity(64)
  }

  @usableFromInline mutating func clear() {
    // One after the other: for the few that a frame brings that is less work than removing all.
    while !passed.isEmpty { passed.removeLast() }
    while !fired.isEmpty { fired.removeLast() }
    while !presses.isEmpty { presses.removeLast() }
    isPanic = false
  }

  mutating func fire(_ command: Command, _ gesture: Gesture, _ time: UInt64) {
    guard fired.count < Outcome.mostFired else { return }
    fired.append(Fired(command: command, gesture: gesture, time: time))
  }
}
