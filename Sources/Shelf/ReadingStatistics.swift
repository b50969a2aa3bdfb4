/// What somebody's days of reading come to.
public struct ReadingStatistics: Sendable, Equatable {
  /// Seconds read today.
  public var today: Int64 = 0
  /// Seconds read altogether.
  public var total: Int64 = 0
  /// Days on which anything was read.
  public var days = 0
  /// Days in a row on which somebody read, up to today, or to yesterday while there has been nothing today.
  public var streak = 0
  public var longestStreak = 0

  /// Seconds that make a day one of reading.
  public static let least: Int64 = 60

  /// - Parameters:
  ///   - days: seconds by day, in any order; a day may come more than once.
  ///   - today: the number of today.
  public init(days: [(day: Int, seconds: Int64)], today: Int) {
    var byDay: [Int: Int64] = [:]
    for (day, seconds) in days {
      // A file may hold anything.
      let seconds = min(max(seconds, 0), 90_000)
      byDay[day, default: 0] += seconds
      total += seconds
    }
    self.today = byDay[today] ?? 0
    let counting = byDay.filter { $0.value >= Self.least }.keys.sorted()
    self.days = counting.count
    var run = 0
    var last: Int?
    for day in counting where day <= today {
      run = last.map { day - $0 == 1 } == true ? run + 1 : 1
      longestStreak = max(longestStreak, run)
      last = day
    }
    if let last, today - last <= 1 { streak = run }
  }
}
