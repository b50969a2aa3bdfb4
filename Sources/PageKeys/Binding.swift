public import ReaderIPC

/// What calls a command: one input and what is done with it.
public enum Trigger: Sendable, Hashable {
  case tap(Input)
  case double(Input)
  case hold(Input)
  case chord(Input, Input)
}

/// A trigger and its command; nil takes the trigger's binding away.
public struct Binding: Sendable, Equatable {
  public var trigger: Trigger
  public var command: Command?

  public init(_ trigger: Trigger, _ command: Command?) {
    self.trigger = trigger
    self.command = command
  }
}
