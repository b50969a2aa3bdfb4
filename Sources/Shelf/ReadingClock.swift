/// A part of a session that falls on one day; parts with the same start belong to one session.
public struct ReadingPart: Sendable, Equatable {
  /// When the session began, or the day; seconds since 1970.
  public var startedAt: Int64
  /// As `DayCalendar` counts them.
  public var day: Int
  public var seconds: Int64
  public var turns: Int64

  public init(startedAt: Int64, day: Int, seconds: Int64, turns: Int64) {
    self.startedAt = startedAt
    self.day = day
    self.seconds = seconds
    self.turns = turns
  }
}

/// Counts how long somebody reads: page by page, since a book may lie open while nobody does.
///
/// | # | a page was shown for | outcome |
/// |---|---|---|
/// | 1 | less than 5 s | leafed through: a turn, no time |
/// | 2 | 5 s to 2 min | that time |
/// | 3 | more than 2 min | 2 min |
/// | 4 | a time in which the day ended | each day gets its part, and a session of its own |
/// | 5 | more than half an hour | as 3; the next page begins another session |
/// | 6 | less than nothing: the clock was set back | as 1 |
public struct ReadingClock: Sendable {
  /// Seconds.
  public static let shortest: Int64 = 5
  public static let longest: Int64 = 120
  public static let pause: Int64 = 1800

  private let calendar: DayCalendar
  private var session: Int64
  private var shown: Int64

  /// The first page is shown.
  public init(calendar: DayCalendar, at time: Int64) {
    self.calendar = calendar
    (session, shown) = (time, time)
  }

  /// Another page is shown: what was read until now, a part for each day.
  public mutating func turn(at time: Int64) -> [ReadingPart] { count(until: time, turns: 1) }

  /// Reading ends: the same, without another page.
  public mutating func stop(at time: Int64) -> [ReadingPart] {
    count(until: time, turns: 0).filter { $0.seconds > 0 }
  }

  private mutating func count(until time: Int64, turns: Int64) -> [ReadingPart] {
    let spent = time - shown
    let counted = spent < Self.shortest ? 0 : min(spent, Self.longest)
    var parts: [ReadingPart] = []
    let boundary = calendar.nextDay(after: shown)
    if shown + counted > boundary {
      parts.append(part(seconds: boundary - shown, turns: 0))
      session = boundary
      shown = boundary
      parts.append(part(seconds: counted - parts[0].seconds, turns: turns))
    } else {
      parts.append(part(seconds: counted, turns: turns))
    }
    if spent > Self.pause || spent < 0 || calendar.day(of: time) != calendar.day(of: session) { session = time }
    shown = time
    return parts
  }

  private func part(seconds: Int64, turns: Int64) -> ReadingPart {
    ReadingPart(startedAt: session, day: calendar.day(of: shown), seconds: seconds, turns: turns)
  }
}
