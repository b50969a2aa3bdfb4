/// One input event as the kernel sent it. Only `monitor`, `learn` and `record` with the rights for it see any.
public struct RawEvent: Sendable, Equatable {
  public var type: UInt16
  public var code: UInt16
  public var value: Int32
  /// µs on CLOCK_MONOTONIC.
  public var timeMicroseconds: UInt64

  public init(type: UInt16, code: UInt16, value: Int32, timeMicroseconds: UInt64) {
    self.type = type
    self.code = code
    self.value = value
    self.timeMicroseconds = timeMicroseconds
  }
}
