internal import CLinux

/// One timerfd, armed for an absolute time on CLOCK_MONOTONIC or not at all.
struct TimerDescriptor: ~Copyable {
  private let descriptor: FileDescriptor
  private var armed: UInt64?

  init() throws(SystemError) {
    descriptor = FileDescriptor(owning: Int32(try SystemCall.timerCreate.check(cl_timerfd_create(), "timer")))
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// Arms for `deadline` in µs, or disarms; no system call when that is already so.
  mutating func arm(_ deadline: UInt64?) throws(SystemError) {
    guard armed != deadline else { return }
    var nanoseconds: UInt64 = 0
    if let deadline {
      // Zero would disarm: a deadline at the very start of the clock is as due as one just after.
      let (product, overflow) = max(deadline, 1).multipliedReportingOverflow(by: 1000)
      nanoseconds = overflow ? .max : product
    }
    _ = try SystemCall.timerSet.check(cl_timerfd_set(descriptor.rawValue, nanoseconds), "timer")
    armed = deadline
  }

  /// Takes note that it went off. Arming anew clears the expiry, so nothing needs to be read.
  mutating func expire() throws(SystemError) {
    var count: UInt64 = 0
    let result = cl_read(descriptor.rawValue, &count, 8)
    if result > 0 { armed = nil }
  }
}

/// CLOCK_MONOTONIC.
public enum MonotonicClock {
  /// Microseconds; the clock of the kernel's input events.
  public static var microseconds: UInt64 { cl_monotonic_nanoseconds() / 1000 }
  public static var nanoseconds: UInt64 { cl_monotonic_nanoseconds() }
}
