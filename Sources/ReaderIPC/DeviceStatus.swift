/// What a device is to pagerd.
public enum DeviceRole: String, Sendable, Hashable, CaseIterable {
  case pageTurner = "page-turner"
  case shared
  case ignore
}

/// Why a device is held, or what keeps it from being held.
public enum DeviceState: String, Sendable, Hashable, CaseIterable {
  /// The kernel has announced it, udev has not.
  case waitingForUdev = "waiting-for-udev"
  /// A key is down on it; it is taken when that comes up.
  case waitingForKey = "waiting-for-key"
  /// Another program has grabbed it.
  case busy
  case noPermission = "no-permission"
  /// Not held, since nobody is there.
  case ready
  case held
  /// Its role is `ignore`.
  case ignored
}

/// One device (all nodes of one remote) in the answer to `status` and `devices`.
public struct DeviceStatus: Sendable, Equatable {
  /// As the device calls itself; made valid UTF-8 by whoever writes it.
  public var name: String
  /// `/dev/input/event5`; every node of the remote.
  public var nodes: [String]
  public var role: DeviceRole
  public var state: DeviceState
  public var seat: String
  /// The reason of the role, the holder of a busy device or the remedy: one sentence for a person.
  public var detail: String?
  /// 0 to 100, where the kernel tells it.
  public var batteryPercent: Int?

  public init(
    name: String, nodes: [String], role: DeviceRole, state: DeviceState, seat: String = "seat0",
    detail: String? = nil, batteryPercent: Int? = nil
  ) {
    self.name = name
    self.nodes = nodes
    self.role = role
    self.state = state
    self.seat = seat
    self.detail = detail
    self.batteryPercent = batteryPercent
  }
}
