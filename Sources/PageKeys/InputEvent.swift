/// One event as the kernel's evdev interface reports it.
public struct InputEvent: Sendable, Equatable {
  /// `EV_KEY`, `EV_ABS` … as in `EventType`.
  public var type: UInt16
  /// The code within the type, such as 115 for `KEY_VOLUMEUP`.
  public var code: UInt16
  public var value: Int32
  /// Microseconds on CLOCK_MONOTONIC.
  public var time: UInt64

  public init(type: UInt16, code: UInt16, value: Int32, time: UInt64) {
    self.type = type
    self.code = code
    self.value = value
    self.time = time
  }

  /// True for the event that ends a frame, whatever its value.
  @inlinable public var isFrameEnd: Bool { type == EventType.syn && code == 0 }
}
