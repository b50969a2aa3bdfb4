/// A line from a client to pagerd.
public enum ClientMessage: Sendable, Equatable {
  /// Who is there, and as what. `client` is for people: at most `Wire.maximumClientName` bytes are kept.
  case subscribe(client: String, role: ClientRole)
  /// The client's window has the focus, or lost it.
  case focus(Bool)
  case ping
  case pong
  /// Delivered like a press.
  case send(Command)
  case status
  case devices
  case reload
  /// Streams the commands of the sender's own user; with `raw`, and the rights for it, every device's events too.
  case monitor(raw: Bool)
  /// The description of one node (`/dev/input/event5`), then its events.
  case record(node: String)
  /// Switches the emitter on or off.
  case emit(Bool)
  /// A type that this version does not know: it is ignored.
  case unknown
}

extension ClientMessage {
  private static let usualPong = Array("{\"type\":\"pong\"}".utf8)

  /// Reads one line.
  ///
  /// - Parameter range: the line in `bytes`, its line feed left out.
  /// - Throws: badFrame, badMessage. An unknown type or key is not an error.
  public init(_ bytes: [UInt8], _ range: Range<Int>) throws(WireError) {
    // Every second from every served client, so it is not taken apart when it looks as it always does.
    if bytes[range].elementsEqual(ClientMessage.usualPong) {
      self = .pong
      return
    }
    let object = try JSONObject(line: bytes, range)
    guard let type = try object.string("type") else { throw .badFrame(.noType, offset: 0) }
    switch type {
    case "subscribe":
      guard let role = try object.string("role"), let role = ClientRole(rawValue: role) else {
        throw .badMessage(key: "role", expected: "reader, background or observer")
      }
      let client = try object.value("client") == nil ? "" : try object.string("client")
      guard let client else { throw .badMessage(key: "client", expected: "a string") }
      self = .subscribe(client: client.cut(toBytes: Wire.maximumClientName), role: role)
    case "focus":
      self = .focus(try ClientMessage.value(of: object))
    case "ping": self = .ping
    case "pong": self = .pong
    case "send":
      guard let text = try object.string("command"), let command = Command(text) else {
        throw .badMessage(key: "command", expected: "a command: next, prev, custom:NAME …")
      }
      self = .send(command)
    case "status": self = .status
    case "devices": self = .devices
    case "reload": self = .reload
    case "monitor":
      let raw = try object.value("raw") == nil ? false : try object.bool("raw")
      guard let raw else { throw .badMessage(key: "raw", expected: "true or false") }
      self = .monitor(raw: raw)
    case "record":
      guard let node = try object.string("node"), node.utf8.count <= Wire.maximumName else {
        throw .badMessage(key: "node", expected: "a device's node: /dev/input/event5")
      }
      self = .record(node: node)
    case "emit":
      self = .emit(try ClientMessage.value(of: object))
    default: self = .unknown
    }
  }

  private static func value(of object: JSONObject) throws(WireError) -> Bool {
    guard let value = try object.bool("value") else { throw .badMessage(key: "value", expected: "true or false") }
    return value
  }

  /// Appends the line with its line feed. `unknown` has none.
  public func append(to buffer: inout [UInt8]) {
    switch self {
    case .subscribe(let client, let role):
      buffer.json("{\"type\":\"subscribe\",\"client\":")
      buffer.json(string: client, limit: Wire.maximumClientName)
      buffer.json(",\"role\":")
      buffer.json(string: role.rawValue)
      buffer.json("}\n")
    case .focus(let value):
      buffer.json("{\"type\":\"focus\",\"value\":")
      buffer.json(value)
      buffer.json("}\n")
    case .ping: buffer.json("{\"type\":\"ping\"}\n")
    case .pong: buffer.json("{\"type\":\"pong\"}\n")
    case .send(let command):
      buffer.json("{\"type\":\"send\",\"command\":")
      buffer.json(command)
      buffer.json("}\n")
    case .status: buffer.json("{\"type\":\"status\"}\n")
    case .devices: buffer.json("{\"type\":\"devices\"}\n")
    case .reload: buffer.json("{\"type\":\"reload\"}\n")
    case .monitor(let raw):
      buffer.json("{\"type\":\"monitor\",\"raw\":")
      buffer.json(raw)
      buffer.json("}\n")
    case .record(let node):
      buffer.json("{\"type\":\"record\",\"node\":")
      buffer.json(string: node, limit: Wire.maximumName)
      buffer.json("}\n")
    case .emit(let value):
      buffer.json("{\"type\":\"emit\",\"value\":")
      buffer.json(value)
      buffer.json("}\n")
    case .unknown: break
    }
  }
}
