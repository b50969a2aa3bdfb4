/// Which day a moment belongs to: a calendar day by the clock on the wall, beginning at an hour that may be chosen.
///
/// Days are numbers, 0 being 1970-01-01 of local time. A day may have 23 or 25 hours.
public struct DayCalendar: Sendable {
  /// Seconds that local time is ahead of UTC at a moment in seconds since 1970.
  private let offset: @Sendable (Int64) -> Int64
  private let beginning: Int64

  /// - Parameters:
  ///   - hour: 0 to 23, at which a day begins.
  ///   - offset: seconds east of UTC at a moment.
  public init(beginningAt hour: Int = 0, offset: @escaping @Sendable (Int64) -> Int64) {
    beginning = Int64(min(max(hour, 0), 23)) * 3600
    self.offset = offset
  }

  public func day(of time: Int64) -> Int {
    let local = time + offset(time) - beginning
    return Int(local / 86_400) - (local % 86_400 < 0 ? 1 : 0)
  }

  /// The moment at which the next day begins.
  public func nextDay(after time: Int64) -> Int64 {
    let local = Int64(day(of: time) + 1) * 86_400 + beginning
    let guess = local - offset(time)
    // The clocks may be put forward or back in between.
    return max(local - offset(guess), time + 1)
  }

  /// A day as it is written: `2026-11-30`.
  public static func text(_ day: Int) -> String {
    // Counted from March of a year that begins a cycle of 400. Source: the proleptic Gregorian calendar.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    let dayOfMonth = ofYear - (153 * fromMarch + 2) / 5 + 1
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(year)-\(padded(month))-\(padded(dayOfMonth))"
  }
}
