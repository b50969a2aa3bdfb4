/// The waits between tries of something that failed: each twice as long as the one before, up to a longest one.
struct Backoff: Sendable, Equatable {
  private(set) var tries = 0
  private let first: UInt64
  private let longest: UInt64
  private let limit: Int

  /// - Parameters:
  ///   - first: the first wait, in microseconds, above 0.
  ///   - longest: no wait is longer, in microseconds.
  ///   - limit: after so many tries there is no further one (what then helps is an event from outside).
  init(first: UInt64, longest: UInt64, limit: Int = .max) {
    self.first = first
    self.longest = longest
    self.limit = limit
  }

  /// For a device that another program holds: its owner may let go at any time and nothing tells us.
  static let busy = Backoff(first: 500_000, longest: 8_000_000)
  /// For a node that may not be opened yet. udev or inotify say when its mode changes, so the tries end after a minute.
  static let permission = Backoff(first: 100_000, longest: 16_000_000, limit: 10)
  /// For a node that is announced but not there yet.
  static let missing = Backoff(first: 50_000, longest: 1_000_000, limit: 6)

  /// The deadline of the next try after one that failed at `now`, or nil when there is to be none.
  mutating func next(after now: UInt64) -> UInt64? {
    guard tries < limit else { return nil }
    var wait = first
    var doublings = 0
    while doublings < tries, wait < longest {
      wait *= 2
      doublings += 1
    }
    tries += 1
    return now + min(wait, longest)
  }

  mutating func reset() {
    tries = 0
  }
}
