internal import CLinux

/// The seam's switchboard: makes the calling thread's system calls fail. For tests.
package enum Faults {
  /// After `skip` more calls, the next `count` calls fail with `errno`.
  package static func inject(_ call: SystemCall, errno: Int32, skip: Int = 0, count: Int = 1) {
    let isPlanned = cl_fault_inject(cl_call(call.rawValue), errno, UInt32(skip), UInt32(count), 0)
    precondition(isPlanned, "at most eight faults at once")
  }

  /// The next `count` calls move at most `bytes` bytes each.
  package static func shorten(_ call: SystemCall, to bytes: Int, skip: Int = 0, count: Int = 1) {
    let isPlanned = cl_fault_inject(cl_call(call.rawValue), 0, UInt32(skip), UInt32(count), bytes)
    precondition(isPlanned, "at most eight faults at once")
  }

  /// How often the call was made since the first fault of the plan.
  package static func count(_ call: SystemCall) -> Int { Int(cl_fault_count(cl_call(call.rawValue))) }

  package static func clear() { cl_fault_clear() }
}
