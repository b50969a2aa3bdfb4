internal import Glibc

extension DayCalendar {
  /// Days by the local time of this machine, or of `$TZ`.
  public static func local(beginningAt hour: Int = 0) -> DayCalendar {
    tzset()
    return DayCalendar(beginningAt: hour) { moment in
      var time = time_t(moment)
      var parts = tm()
      return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }
  }
}
