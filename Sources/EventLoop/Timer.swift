/// A deadline of a loop and what is to be done then. It is idle until it gets a deadline.
///
/// The loop owns it until `invalidate`; dropping the last other reference does not end it.
public final class Timer {
  /// In µs on the loop's clock; nil is idle. Setting it allocates nothing and makes no system call by itself.
  ///
  /// When it falls due it becomes nil before the handler runs, so a handler may set it again.
  public var deadline: UInt64? {
    didSet { if deadline != oldValue { list.hasChanged = true } }
  }

  private let list: TimerList
  let handler: () -> Void

  init(list: TimerList, handler: @escaping () -> Void) {
    self.list = list
    self.handler = handler
  }

  /// Takes the timer out of its loop for good.
  public func invalidate() {
    deadline = nil
    list.remove(self)
  }
}
