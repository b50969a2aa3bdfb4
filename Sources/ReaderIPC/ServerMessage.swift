/// A line from pagerd to a client.
public enum ServerMessage: Sendable, Equatable {
  /// The first line of every connection.
  case hello(protocol: Int, server: String)
  /// The client gets the commands now, of these devices; or no longer.
  case active(Bool, devices: [String])
  case command(PageCommand)
  case ping
  case pong
  /// `code` is an `ErrorCode`'s text; a later version may have more of them.
  case error(code: String, message: String)
  /// The last line. `reason` is a `ByeReason`'s text.
  case bye(reason: String)
  case status(StatusReport)
  case devices(StatusReport)
  /// The configuration was read anew; with errors, the last good one stays.
  case reload(errors: [String])
  /// The stream begins; `raw` says whether it has events.
  case monitor(raw: Bool)
  /// One event of a stream with `raw`.
  case event(RawEvent, device: String, node: String)
  /// The recording of a node begins; the description's lines follow, then its events.
  case record(node: String)
  case recordLine(String)
  case emit(Bool)
  /// A type that this version does not know.
  case unknown
}

/// A command as it reaches a client.
public struct PageCommand: Sendable, Equatable {
  public var command: Command
  /// The device's name; `send` for a command that another program sent.
  public var device: String
  public var gesture: Gesture
  /// Counts this connection's commands from 1, without a gap.
  public var seq: UInt64
  /// When it fell due: µs on CLOCK_MONOTONIC.
  public var timeMicroseconds: UInt64

  public init(command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64) {
    self.command = command
    self.device = device
    self.gesture = gesture
    self.seq = seq
    self.timeMicroseconds = timeMicroseconds
  }
}

/// What `status` and `devices` answer.
public struct StatusReport: Sendable, Equatable {
  /// `pagerd 0.1.0`
  public var server: String
  /// Somebody takes the commands now.
  public var isRouting: Bool
  public var isEmitting: Bool
  /// The number of connections.
  public var clients: Int
  public var devices: [DeviceStatus]
  /// So many devices did not fit into the line.
  public var omitted: Int

  public init(
    server: String, isRouting: Bool, isEmitting: Bool, clients: Int, devices: [DeviceStatus], omitted: Int = 0
  ) {
    self.server = server
    self.isRouting = isRouting
    self.isEmitting = isEmitting
    self.clients = clients
    self.devices = devices
    self.omitted = omitted
  }
}
