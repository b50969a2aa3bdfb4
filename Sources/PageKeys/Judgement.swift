/// A role and why.
public struct Verdict: Sendable, Equatable {
  public var role: Role
  /// The number of the rule in the design's list, 1 ... 8.
  public var rule: Int
  /// In words, such as "has both volume keys".
  public var reason: String
}

/// Judges one node of a device.
///
/// - Parameters:
///   - siblings: the other nodes of the same parent.
///   - settings: what profiles and configuration say about its remote.
public func judge(_ node: NodeDescription, siblings: [NodeDescription], settings: DeviceSettings) -> Verdict {
  Verdict(role: .ignore, rule: 8, reason: "nothing here turns pages")
}
