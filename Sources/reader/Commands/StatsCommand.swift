internal import Glibc
internal import Shelf
internal import EventLoop

/// `reader stats`: what was read today, the days in a row, and what it all comes to.
struct StatsCommand {
  private var today = 0
  private var statistics = ReadingStatistics(days: [], today: 0)
  private var books: (opened: Int, finished: Int) = (0, 0)
  private var turns = 0

  /// - Throws: `library`; a library that is not there yet is an empty one, and is not made.
  init(dayBegins: Int) throws(ReaderError) {
    today = DayCalendar.local(beginningAt: dayBegins).day(of: StandardStreams.wallClock)
    do throws(ShelfError) {
      let path = try DataFolder.libraryPath { Environment[$0] }
      guard access(path, F_OK) == 0 else { return }
      let shelf = try Shelf(path: path, busyMilliseconds: 2000)
      statistics = ReadingStatistics(days: try shelf.readingDays(), today: today)
      books = try shelf.bookCounts()
      turns = try shelf.turnCount()
    } catch {
      throw .library(error)
    }
  }

  func json() -> String {
    var json = JSONText()
    json.object { json in
      json.field("date", DayCalendar.text(today))
      json.field("today", Int(statistics.today))
      json.field("streak", statistics.streak)
      json.field("longestStreak", statistics.longestStreak)
      json.field("days", statistics.days)
      json.field("seconds", Int(statistics.total))
      json.field("turns", turns)
      json.field("books", books.opened)
      json.field("finished", books.finished)
    }
    return json.text + "\n"
  }

  func plainText() -> String {
    func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }
    return """
      today:      \(Self.duration(statistics.today))
      in a row:   \(days(statistics.streak)), at most \(days(statistics.longestStreak))
      altogether: \(Self.duration(statistics.total)) on \(days(statistics.days))
      pages:      \(turns) turned
      books:      \(books.opened) opened, \(books.finished) finished

      """
  }

  /// e.g. "0 min", "59 min", "2 h 5 min"
  static func duration(_ seconds: Int64) -> String {
    let minutes = seconds / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
