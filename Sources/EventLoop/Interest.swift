/// What a registration waits for. An empty set still hears of hang-up and error.
public struct Interest: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable public static var readable: Interest { Interest(rawValue: 1) }
  @inlinable public static var writable: Interest { Interest(rawValue: 2) }
  /// Exceptional data: what a changed sysfs attribute or /proc/mounts reports.
  @inlinable public static var priority: Interest { Interest(rawValue: 4) }
  /// Only what is new (edge-triggered). The handler takes all there is, or sets the interest anew to be called again: in
  /// return the kernel does not look a second time before the loop sleeps.
  @inlinable public static var edge: Interest { Interest(rawValue: 8) }
}

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  // The first five are epoll's own bits.
  @inlinable public static var readable: Readiness { Readiness(rawValue: 1) }
  @inlinable public static var priority: Readiness { Readiness(rawValue: 2) }
  @inlinable public static var writable: Readiness { Readiness(rawValue: 4) }
  @inlinable public static var error: Readiness { Readiness(rawValue: 8) }
  @inlinable public static var hangUp: Readiness { Readiness(rawValue: 16) }
  /// The peer will send no more (it may still read).
  @inlinable public static var peerClosed: Readiness { Readiness(rawValue: 32) }
}

/// The order within one wake-up.
public enum Urgency: Sendable {
  /// Input devices: before everything else.
  case input
  /// Sockets, signals and the rest: after the input devices and the timers.
  case normal
}
