extension ServerMessage {
  /// Reads one line.
  ///
  /// - Parameter range: the line in `bytes`, its line feed left out.
  /// - Throws: badFrame, badMessage. An unknown type or key is not an error, nor is a command of a later version:
  ///   that is `unknown`.
  public init(_ bytes: [UInt8], _ range: Range<Int>) throws(WireError) {
    let object = try JSONObject(line: bytes, range)
    guard let type = try object.string("type") else { throw .badFrame(.noType, offset: 0) }
    switch type {
    case "hello":
      self = .hello(
        protocol: try object.need("protocol", "a number", try object.integer("protocol", as: Int.self)),
        server: try object.needString("server"))
    case "active":
      self = .active(
        try object.needBool("value"),
        devices: try object.need("devices", "a list of names", try object.strings("devices")))
    case "command":
      guard let command = Command(try object.needString("command")),
        let gesture = Gesture(rawValue: try object.needString("gesture"))
      else {
        self = .unknown
        return
      }
      self = .command(
        PageCommand(
          command: command, device: try object.needString("device"), gesture: gesture,
          seq: try object.need("seq", "a number", try object.integer("seq", as: UInt64.self)),
          timeMicroseconds: try object.needTime()))
    case "ping": self = .ping
    case "pong": self = .pong
    case "error":
      self = .error(code: try object.needString("code"), message: try object.needString("message"))
    case "bye": self = .bye(reason: try object.needString("reason"))
    case "status": self = .status(try StatusReport(object))
    case "devices": self = .devices(try StatusReport(object))
    case "reload":
      self = .reload(errors: try object.need("errors", "a list of texts", try object.strings("errors")))
    case "monitor": self = .monitor(raw: try object.needBool("raw"))
    case "event":
      let event = RawEvent(
        type: try object.need("kind", "a number", try object.integer("kind", as: UInt16.self)),
        code: try object.need("code", "a number", try object.integer("code", as: UInt16.self)),
        value: try object.need("value", "a number", try object.integer("value", as: Int32.self)),
        timeMicroseconds: try object.needTime())
      self = .event(event, device: try object.needString("device"), node: try object.needString("node"))
    case "record": self = .record(node: try object.needString("node"))
    case "record-line": self = .recordLine(try object.needString("text"))
    case "emit": self = .emit(try object.needBool("value"))
    default: self = .unknown
    }
  }
}

extension JSONObject {
  fileprivate func need<Value>(_ key: String, _ expected: String, _ value: Value?) throws(WireError) -> Value {
    guard let value else { throw .badMessage(key: key, expected: expected) }
    return value
  }

  fileprivate func needString(_ key: StaticString) throws(WireError) -> String {
    try need(key.description, "a string", try string(key))
  }

  fileprivate func needBool(_ key: StaticString) throws(WireError) -> Bool {
    try need(key.description, "true or false", try bool(key))
  }

  fileprivate func needTime() throws(WireError) -> UInt64 {
    try need("time_us", "a number", try integer("time_us", as: UInt64.self))
  }
}

extension StatusReport {
  fileprivate init(_ object: JSONObject) throws(WireError) {
    var devices: [DeviceStatus] = []
    for device in try object.need("devices", "a list of devices", try object.objects("devices")) {
      // A role or state of a later version is nothing that this one could show.
      guard let role = DeviceRole(rawValue: try device.needString("role")),
        let state = DeviceState(rawValue: try device.needString("state"))
      else { continue }
      devices.append(
        DeviceStatus(
          name: try device.needString("name"),
          nodes: try device.need("nodes", "a list of nodes", try device.strings("nodes")), role: role, state: state,
          seat: try device.string("seat") ?? "seat0", detail: try device.string("detail"),
          batteryPercent: try device.integer("battery", as: Int.self)))
    }
    self.init(
      server: try object.needString("server"), isRouting: try object.needBool("routing"),
      isEmitting: try object.needBool("emitting"),
      clients: try object.need("clients", "a number", try object.integer("clients", as: Int.self)),
      devices: devices, omitted: try object.integer("omitted", as: Int.self) ?? 0)
  }
}
