public import ReaderIPC

/// Everything that profiles and configuration say about one remote.
public struct DeviceSettings: Sendable, Equatable {
  /// How a held key goes on turning, in microseconds.
  public struct Repeat: Sendable, Equatable {
    public var delay: UInt64
    public var interval: UInt64

    public init(delay: UInt64, interval: UInt64) {
      self.delay = delay
      self.interval = interval
    }
  }

  /// A profile or the configuration has a section for it.
  public var isNamed = false
  /// nil: `auto`.
  public var role: Role?
  /// The roles of nodes that are named themselves, by name; nil: `auto`.
  public var nodeRoles: [String: Role?] = [:]
  /// In the order in which they were written, the later wins; on top of the default bindings.
  public var bindings: [Binding] = []
  /// nil: off.
  public var repeating: Repeat?
  /// Microseconds; 0: off.
  public var debounce: UInt64 = 0
  /// Microseconds until a press counts as held.
  public var holdTime: UInt64 = 500_000
  /// Microseconds from press to press within which two taps are a double.
  public var doubleTime: UInt64 = 300_000
  /// What a reconnect counts as.
  public var wakePress: Command?
  /// Keys that toggle: each change counts as one press.
  public var latches = CodeSet()
  /// Keys that pass even while routed.
  public var passes = CodeSet()
  /// Keys that are swallowed while routed though they would pass otherwise (such as POWER).
  public var swallows = CodeSet()
  /// Switches that are swallowed while routed.
  public var swallowedSwitches = CodeSet()

  public init() {}
}
