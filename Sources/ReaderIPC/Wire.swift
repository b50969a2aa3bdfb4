/// The limits and numbers of the wire.
public enum Wire {
  /// The version in `hello`.
  public static let protocolVersion = 1
  /// The longest line in bytes, without its line feed when reading, with it when writing.
  public static let maximumLine = 4096
  /// The most names in `active`.
  public static let maximumNames = 16
  /// The longest name in bytes; what is longer is cut between two characters.
  public static let maximumName = 160
  /// So many bytes of a client's name are kept.
  public static let maximumClientName = 64
  /// How deep arrays and objects may stand in each other, the line's own object included.
  public static let maximumDepth = 16
  /// A client with rights is pinged so often while it is served, in µs.
  public static let pingInterval: UInt64 = 1_000_000
  /// A client whose ping stays unanswered so long is suspended, in µs.
  public static let pongPatience: UInt64 = 3_000_000
  /// A reader drops a command that is older, in µs.
  public static let commandLifetime: UInt64 = 1_000_000
}

/// What a client is to pagerd.
public enum ClientRole: String, Sendable, Hashable, CaseIterable {
  /// An application with a window: served while that has the focus.
  case reader
  /// Served when no window claims.
  case background
  /// Sees its own user's commands, takes none.
  case observer
}

/// Why pagerd did not do what a line asked. The line's sender stays connected.
public enum ErrorCode: String, Sendable, Hashable, CaseIterable {
  /// Not one JSON object of the wire: cut, too long, too deep, not UTF-8, no `type`.
  case badFrame = "bad-frame"
  /// A known `type` whose keys are missing or of the wrong kind.
  case badMessage = "bad-message"
  /// `focus` before `subscribe`.
  case notSubscribed = "not-subscribed"
  /// `send` found nobody who takes commands.
  case noReader = "no-reader"
  /// The sender may not do this now.
  case noRights = "no-rights"
  /// `record` named no device that pagerd knows.
  case noDevice = "no-device"
}

/// Why the connection ends.
public enum ByeReason: String, Sendable, Hashable, CaseIterable {
  case shutdown
  case noRights = "no-rights"
  case tooManyClients = "too-many-clients"
  /// The client did not read what it was sent.
  case slow
  /// The client went on sending more than anybody needs to.
  case flood
  case lineTooLong = "line-too-long"
  case tooManyErrors = "too-many-errors"
}
