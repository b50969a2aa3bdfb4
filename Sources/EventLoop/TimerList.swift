/// The timers of one loop.
///
/// Timers know this list and not the loop: a weak reference to the loop would make every use of the loop dearer.
final class TimerList {
  /// A deadline has changed since somebody set this to false.
  var hasChanged = false
  private var timers: [Timer] = []

  func add(_ handler: @escaping () -> Void) -> Timer {
    let timer = Timer(list: self, handler: handler)
    timers.append(timer)
    return timer
  }

  func remove(_ timer: Timer) { timers.removeAll { $0 === timer } }

  func removeAll() { timers = [] }

  /// The earliest deadline of all timers, in µs.
  var nextDeadline: UInt64? {
    var earliest: UInt64?
    for timer in timers {
      if let deadline = timer.deadline, deadline < earliest ?? .max { earliest = deadline }
    }
    return earliest
  }

  /// Each timer that is due runs once; one that sets itself to a time already past runs with the next wake-up.
  func runDue(at time: UInt64) {
    var index = 0
    while index < timers.count {
      let timer = timers[index]
      if let deadline = timer.deadline, deadline <= time {
        timer.deadline = nil
        timer.handler()
      }
      index += 1
    }
  }
}
