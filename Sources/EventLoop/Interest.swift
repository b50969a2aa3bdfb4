/// What a registration waits for. An empty set still hears of hang-up and error.
public struct Interest: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = Interest(rawValue: 1)
  public static let writable = Interest(rawValue: 2)
  /// Exceptional data: what a changed sysfs attribute or /proc/mounts reports.
  public static let priority = Interest(rawValue: 4)
}

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: 1)
  public static let writable = Readiness(rawValue: 2)
  public static let priority = Readiness(rawValue: 4)
  /// The peer will send no more (it may still read).
  public static let peerClosed = Readiness(rawValue: 8)
  public static let hangUp = Readiness(rawValue: 16)
  public static let error = Readiness(rawValue: 32)
}

/// The order within one wake-up.
public enum Urgency: Sendable {
  /// Input devices: before everything else.
  case input
  /// Sockets, signals and the rest: after the input devices and the timers.
  case normal
}
