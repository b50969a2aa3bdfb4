internal import Glibc

/// How the kernel's scheduler treats the daemon.
enum Priority {
  /// The service's unit says the same.
  static let nice: Int32 = -5

  /// Asks for the daemon to run as soon as a key wakes it, before what was running. Who may not ask goes on as before.
  ///
  /// It runs for some 20 us a key, so nobody misses the time; a busy machine's programs would add milliseconds.
  static func raise() { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, nice) }
}
