internal import CLinux

/// One signalfd; its signals are blocked in the thread that made it.
struct SignalDescriptor: ~Copyable {
  private let descriptor: FileDescriptor

  init(_ numbers: [Int32]) throws(SystemError) {
    _ = try SystemCall.signalMask.check(cl_signal_mask(numbers, numbers.count, true), "signals")
    let result = cl_signalfd(numbers, numbers.count)
    descriptor = FileDescriptor(owning: Int32(try SystemCall.signalCreate.check(result, "signals")))
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// The next pending signal's number.
  func next() -> Int32? {
    let number = cl_signalfd_read(descriptor.rawValue)
    return number > 0 ? Int32(number) : nil
  }
}

/// The calling thread's signal mask: what a child must undo before it runs another program.
public enum SignalMask {
  public static func block(_ numbers: [Int32]) { _ = cl_signal_mask(numbers, numbers.count, true) }
  public static func unblock(_ numbers: [Int32]) { _ = cl_signal_mask(numbers, numbers.count, false) }
}
