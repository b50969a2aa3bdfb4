/// One device and what it sent, as the evemu 1.3 text format holds it.
public struct Recording: Sendable, Equatable {
  public var node: NodeDescription
  /// Times count from 0 at the recording's own zero.
  public var events: [InputEvent]

  public init(node: NodeDescription, events: [InputEvent] = []) {
    self.node = node
    self.events = events
  }

  /// - Throws: `PageKeysError.recording`.
  public init(evemu text: String) throws(PageKeysError) {
    self.init(node: NodeDescription(name: ""))
  }

  /// The recording's head as evemu 1.3 text; `line(_:)` for each event follows.
  public var head: String { "" }

  /// One event as a line of evemu 1.3, line break included; times relative to `origin`.
  public static func line(_ event: InputEvent, since origin: UInt64) -> String { "" }
}

extension Recording {
  /// Runs the pipeline over the recording without a kernel, everything routed; after the last event time runs on
  /// until no deadline is left.
  ///
  /// - Parameters:
  ///   - role: overrides only the role.
  ///   - bindings: added to those of the configuration.
  public func replay(_ configuration: Configuration, role: Role? = nil, bindings: [Binding] = []) -> [Fired] { [] }
}
