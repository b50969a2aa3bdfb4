/// When one device is taken and when it is given back.
///
/// Pure: it is told what is wanted and what came of each try, and answers with what to do. Times are microseconds of
/// CLOCK_MONOTONIC.
///
/// | # | what happens | outcome |
/// |---|---|---|
/// | 1 | wanted before the clone is announced | nothing |
/// | 2 | wanted, clone announced 499 ms ago | waits for the deadline |
/// | 3 | wanted, clone announced 500 ms ago | take |
/// | 4 | take: a key is down | watch; take again when it is up |
/// | 5 | no longer wanted while waiting for a key | stop watching, ready |
/// | 6 | take: busy | retry after 0.5 s, 1 s, 2 s ... 8 s |
/// | 7 | no longer wanted while busy | ready, no deadline |
/// | 8 | held, no longer wanted, no key down | give back |
/// | 9 | held, no longer wanted, a key down | stays held until it is up |
/// | 10 | as 9, wanted again meanwhile | stays held |
/// | 11 | retired while held | give back at once; never taken again |
/// | 12 | take: the device is gone | ready; the removal will come |
/// | 13 | take: any other failure | like busy |
struct HoldMachine: Sendable, Equatable {
  /// What the owner has to do now.
  enum Action: Sendable, Equatable {
    case none
    /// Try to take the device and report to `tried`.
    case take
    /// Read the device without holding it, to see its keys come up.
    case watch
    /// Stop reading.
    case unwatch
    /// Give the device back.
    case giveBack
  }

  enum Attempt: Sendable, Equatable {
    case held
    case keyDown
    case busy
    case failed
    case gone
  }

  enum Phase: Sendable, Equatable {
    case ready
    case waitingForKey
    case busy
    case held
    case retired
  }

  private enum State: Sendable, Equatable {
    case ready
    case waitingForKey
    case busy(Backoff, retry: UInt64?)
    case held
    case retired
  }

  /// A compositor loses what is typed before it has opened a new keyboard.
  static let clonePatience: UInt64 = 500_000

  private var state = State.ready
  private var isWanted = false
  private var earliest: UInt64?

  init() {}

  var phase: Phase {
    switch state {
    case .ready: .ready
    case .waitingForKey: .waitingForKey
    case .busy: .busy
    case .held: .held
    case .retired: .retired
    }
  }

  var isHeld: Bool { state == .held }

  var nextDeadline: UInt64? {
    switch state {
    case .ready: isWanted ? earliest : nil
    case .busy(_, let retry): retry
    case .waitingForKey, .held, .retired: nil
    }
  }

  /// The clone's event node was announced.
  mutating func cloneAnnounced(at time: UInt64) {
    if earliest == nil { earliest = time + HoldMachine.clonePatience }
  }

  /// Tells what is wanted now; also to be called at `nextDeadline` and when the last key came up.
  mutating func update(isWanted: Bool, noKeyDown: Bool, at time: UInt64) -> Action {
    self.isWanted = isWanted
    switch state {
    case .ready:
      guard isWanted, let earliest, time >= earliest else { return .none }
      return .take
    case .waitingForKey:
      guard isWanted else {
        state = .ready
        return .unwatch
      }
      return noKeyDown ? .take : .none
    case .busy(_, let retry):
      guard isWanted else {
        state = .ready
        return .none
      }
      guard let retry, time >= retry else { return .none }
      return .take
    case .held:
      guard !isWanted, noKeyDown else { return .none }
      state = .ready
      return .giveBack
    case .retired:
      return .none
    }
  }

  /// Tells what came of a `take`.
  mutating func tried(_ attempt: Attempt, at time: UInt64) -> Action {
    let wasWatching = state == .waitingForKey
    switch attempt {
    case .held:
      state = .held
      return .none
    case .keyDown:
      state = .waitingForKey
      return wasWatching ? .none : .watch
    case .busy, .failed:
      var backoff = Backoff.busy
      if case .busy(let earlier, _) = state { backoff = earlier }
      let retry = backoff.next(after: time)
      state = .busy(backoff, retry: retry)
      return wasWatching ? .unwatch : .none
    case .gone:
      state = .ready
      earliest = nil
      return wasWatching ? .unwatch : .none
    }
  }

  /// The device is no longer shared, for good.
  mutating func retire() -> Action {
    let previous = state
    state = .retired
    switch previous {
    case .held: return .giveBack
    case .waitingForKey: return .unwatch
    case .ready, .busy, .retired: return .none
    }
  }
}
