public import ReaderIPC

/// What all profiles and configuration files say together.
public struct Configuration: Sendable, Equatable {
  /// Routed presses keep the screen awake.
  public var keepsAwake = true
  /// For programs that do not speak the socket: the keys pressed together for each command.
  public var emitted: [Emission] = []

  public struct Emission: Sendable, Equatable {
    public var command: Command
    /// Linux key codes, pressed in this order and released in the reverse.
    public var keys: [UInt16]
  }

  public init() {}

  /// Adds a file on top of what was there: the later wins.
  ///
  /// - Parameter file: its name, for messages.
  /// - Throws: `PageKeysError.configuration`; what was there before stays as it was.
  public mutating func add(_ text: String, file: String) throws(PageKeysError) {}

  /// What is said about a remote with these nodes.
  public func settings(for nodes: [NodeDescription]) -> DeviceSettings { DeviceSettings() }

  /// One `KEY=COMMAND` as `--bind` takes it, with all the words that a profile has: `hold VOLUMEUP=first`.
  public static func binding(_ text: String) throws(PageKeysError) -> Binding {
    Binding(.tap(.key(0)), nil)
  }
}
