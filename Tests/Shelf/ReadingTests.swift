import Document
import Testing

@testable import Shelf

/// How much was read, and on which day.
@Suite struct ReadingTests {
  private static let noon: Int64 = 1_700_049_600
  /// Two hours ahead of UTC until `change`, one hour after it, as when summer time ends.
  private static func calendar(beginningAt hour: Int = 0, change: Int64 = .max) -> DayCalendar {
    DayCalendar(beginningAt: hour) { $0 < change ? 7200 : 3600 }
  }

  @Test(arguments: [
    (0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_787, "2026-11-30"), (-1, "1969-12-31"),
    (-719_468, "0-03-01"), (47_540, "2100-02-28"), (47_541, "2100-03-01"),
  ])
  func daysAreWritten(day: Int, text: String) {
    #expect(DayCalendar.text(day) == text)
  }

  @Test(arguments: [
    // Begins at; seconds since the first local midnight; the day.
    (0, 0, 0), (0, 86_399, 0), (0, 86_400, 1), (0, -1, -1),
    (4, 0, -1), (4, 14_399, -1), (4, 14_400, 0), (4, 86_400, 0), (4, 100_799, 0), (4, 100_800, 1),
  ])
  func aDayBeginsAtItsHour(hour: Int, seconds: Int64, day: Int) {
    let calendar = Self.calendar(beginningAt: hour)
    let time = seconds - 7200
    #expect(calendar.day(of: time) == day)
    #expect(calendar.day(of: calendar.nextDay(after: time)) == day + 1)
    #expect(calendar.day(of: calendar.nextDay(after: time) - 1) == day)
  }

  @Test(arguments: [0, 4])
  func aDayOnWhichTheClocksChangeIsOneDay(hour: Int64) {
    // The clocks go back at 03:00 of day 100: it has 25 hours.
    let midnight: Int64 = 100 * 86_400 - 7200
    let calendar = Self.calendar(beginningAt: Int(hour), change: midnight + 3 * 3600)
    let begins = hour == 0 ? midnight : midnight + 5 * 3600
    #expect(calendar.day(of: begins - 1) == 99 && calendar.day(of: begins) == 100)
    #expect(calendar.nextDay(after: midnight - 3600 * 12) == begins)
    #expect(calendar.day(of: midnight + 24 * 3600 + 1800) == 100)
    #expect(calendar.nextDay(after: begins) == midnight + (25 + hour) * 3600)
  }

  @Test(
    arguments: [
      (0, 0), (4, 0), (5, 5), (60, 60), (120, 120), (121, 120), (3 * 3600, 120), (-50, 0),
    ] as [(Int64, Int64)])
  func aPageCountsAtMostTwoMinutes(shown: Int64, counted: Int64) {
    var clock = ReadingClock(calendar: Self.calendar(), at: Self.noon)
    let day = Self.calendar().day(of: Self.noon)
    #expect(
      clock.turn(at: Self.noon + shown) == [
        ReadingPart(startedAt: Self.noon, day: day, seconds: counted, turns: 1)
      ])
  }

  @Test func aSessionEndsWithItsDay() {
    let calendar = Self.calendar()
    let midnight = calendar.nextDay(after: Self.noon)
    let day = calendar.day(of: Self.noon)
    var clock = ReadingClock(calendar: calendar, at: midnight - 100)
    #expect(
      clock.turn(at: midnight - 40) == [ReadingPart(startedAt: midnight - 100, day: day, seconds: 60, turns: 1)])
    #expect(
      clock.turn(at: midnight + 30) == [
        ReadingPart(startedAt: midnight - 100, day: day, seconds: 40, turns: 0),
        ReadingPart(startedAt: midnight, day: day + 1, seconds: 30, turns: 1),
      ])
    #expect(clock.stop(at: midnight + 50) == [ReadingPart(startedAt: midnight, day: day + 1, seconds: 20, turns: 0)])
  }

  @Test func aBookLeftOpenOverNightCountsTwoMinutesOfTheEvening() {
    let calendar = Self.calendar()
    let midnight = calendar.nextDay(after: Self.noon)
    var clock = ReadingClock(calendar: calendar, at: midnight - 3600)
    let morning = midnight + 8 * 3600
    #expect(
      clock.turn(at: morning) == [
        ReadingPart(startedAt: midnight - 3600, day: calendar.day(of: Self.noon), seconds: 120, turns: 1)
      ])
    // What is read next is another session, of another day.
    #expect(
      clock.turn(at: morning + 60) == [
        ReadingPart(startedAt: morning, day: calendar.day(of: morning), seconds: 60, turns: 1)
      ])
  }

  @Test(
    arguments: [
      ([], 0, 0, 0),
      ([(10, 600)], 1, 1, 1),
      ([(9, 600)], 0, 1, 1),
      ([(8, 600)], 0, 0, 1),
      ([(8, 60), (9, 60), (10, 60)], 1, 3, 3),
      ([(8, 60), (9, 59), (10, 60)], 1, 1, 1),
      ([(10, 30), (9, 60), (10, 30), (8, 60)], 1, 3, 3),
      ([(1, 60), (2, 60), (3, 60), (9, 60), (10, 60)], 1, 2, 3),
      ([(10, 60), (11, 60), (12, 60)], 1, 1, 1),
      ([(9, 60), (10, -500)], 0, 1, 1),
    ] as [([(Int, Int64)], Int, Int, Int)])
  func daysInARow(days: [(Int, Int64)], today: Int, streak: Int, longest: Int) {
    let statistics = ReadingStatistics(days: days.map { (day: $0.0, seconds: $0.1) }, today: 10)
    #expect((statistics.today >= 60 ? 1 : 0) == today)
    #expect(statistics.streak == streak && statistics.longestStreak == longest)
  }

  @Test func partsOfASessionAreOneEntry() throws {
    let folder = ScratchFolder()
    let shelf = try Shelf(path: folder.library)
    let facts = BookFacts(identity: "aa", path: "/b.epub", title: "B", authors: ["A"])
    guard case .new(let book) = try shelf.open(facts, now: 1) else {
      Issue.record("not new")
      return
    }
    let parts = [(100, 5, 30), (100, 5, 20), (900, 6, 10)].map {
      ReadingPart(startedAt: $0.0, day: $0.1, seconds: $0.2, turns: 1)
    }
    try shelf.save(nil, read: parts, of: book.id)
    try shelf.save(nil, read: [parts[0]], of: book.id)
    #expect(try shelf.readingDays().map { [$0.day, Int($0.seconds)] } == [[5, 80], [6, 10]])
    let rows = try Database(path: folder.library, busyMilliseconds: 0).prepare(
      "SELECT COUNT(*), SUM(turns) FROM sessions")
    #expect(try rows.step() && rows.integer(0) == 2 && rows.integer(1) == 4)
    #expect(try shelf.bookCounts() == (1, 0))
  }

  @Test func aHostileSessionIsBroughtIntoBounds() throws {
    let folder = ScratchFolder()
    let shelf = try Shelf(path: folder.library)
    _ = try shelf.open(BookFacts(identity: "aa", path: "/b", title: "B", authors: []), now: 1)
    try Database(path: folder.library, busyMilliseconds: 100).execute(
      """
      INSERT INTO sessions (book, started_at, day, seconds, turns)
      VALUES (1, 1, 9223372036854775807, 9223372036854775807, 1), (1, 1, 9223372036854775807, 9223372036854775807, 1),
        (1, 1, -9223372036854775807, -9, 1), (1, 1, 'x', 'y', 1)
      """)
    let statistics = ReadingStatistics(days: try shelf.readingDays(), today: 3)
    #expect(statistics.streak == 0 && statistics.total >= 0 && statistics.total <= 200_000)
  }
}
