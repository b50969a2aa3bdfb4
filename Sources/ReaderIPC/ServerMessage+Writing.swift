extension ServerMessage {
  /// Appends the line with its line feed, never more than `Wire.maximumLine` bytes. `unknown` has none.
  public func append(to buffer: inout [UInt8]) {
    switch self {
    case .hello(let version, let server):
      buffer.json("{\"type\":\"hello\",\"protocol\":")
      buffer.json(Int64(version))
      buffer.json(",\"server\":")
      buffer.json(string: server, limit: Wire.maximumName)
      buffer.json("}\n")
    case .active(let value, let devices):
      ServerMessage.appendActive(value, devices: devices, to: &buffer)
    case .command(let command):
      ServerMessage.appendCommand(
        command.command, device: command.device, gesture: command.gesture, seq: command.seq,
        timeMicroseconds: command.timeMicroseconds, to: &buffer)
    case .ping: buffer.json("{\"type\":\"ping\"}\n")
    case .pong: buffer.json("{\"type\":\"pong\"}\n")
    case .error(let code, let message):
      buffer.json("{\"type\":\"error\",\"code\":")
      buffer.json(string: code, limit: Wire.maximumName)
      buffer.json(",\"message\":")
      buffer.json(string: message, limit: 512)
      buffer.json("}\n")
    case .bye(let reason):
      buffer.json("{\"type\":\"bye\",\"reason\":")
      buffer.json(string: reason, limit: Wire.maximumName)
      buffer.json("}\n")
    case .status(let report):
      buffer.json("{\"type\":\"status\"")
      report.append(to: &buffer, isDetailed: false)
    case .devices(let report):
      buffer.json("{\"type\":\"devices\"")
      report.append(to: &buffer, isDetailed: true)
    case .reload(let errors):
      let end = buffer.count + Wire.maximumLine - 16
      buffer.json("{\"type\":\"reload\",\"value\":")
      buffer.json(errors.isEmpty)
      buffer.json(",\"errors\":")
      buffer.json(strings: errors, limit: 512, end: end)
      buffer.json("}\n")
    case .monitor(let raw):
      buffer.json("{\"type\":\"monitor\",\"raw\":")
      buffer.json(raw)
      buffer.json("}\n")
    case .event(let event, let device, let node):
      ServerMessage.appendEvent(event, device: device, node: node, to: &buffer)
    case .record(let node):
      buffer.json("{\"type\":\"record\",\"node\":")
      buffer.json(string: node, limit: Wire.maximumName)
      buffer.json("}\n")
    case .recordLine(let text):
      buffer.json("{\"type\":\"record-line\",\"text\":")
      buffer.json(string: text, limit: 512)
      buffer.json("}\n")
    case .emit(let value):
      buffer.json("{\"type\":\"emit\",\"value\":")
      buffer.json(value)
      buffer.json("}\n")
    case .unknown: break
    }
  }

  /// The line of a command. Whoever writes the same command again and again keeps a `CommandHead`.
  public static func appendCommand(
    _ command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64,
    to buffer: inout [UInt8]
  ) {
    var head = CommandHead(command, device: device, gesture: gesture)
    head.append(seq: seq, timeMicroseconds: timeMicroseconds, to: &buffer)
  }

  /// The line of `active`: the first 16 names, fewer when they do not fit.
  public static func appendActive(_ value: Bool, devices: some Sequence<String>, to buffer: inout [UInt8]) {
    let end = buffer.count + Wire.maximumLine - 16
    buffer.json("{\"type\":\"active\",\"value\":")
    buffer.json(value)
    buffer.json(",\"devices\":")
    buffer.json(strings: devices.prefix(Wire.maximumNames), limit: Wire.maximumName, end: end)
    buffer.json("}\n")
  }

  /// The line of one raw event; with room in `buffer` it allocates nothing.
  public static func appendEvent(_ event: RawEvent, device: String, node: String, to buffer: inout [UInt8]) {
    buffer.json("{\"type\":\"event\",\"device\":")
    buffer.json(string: device, limit: Wire.maximumName)
    buffer.json(",\"node\":")
    buffer.json(string: node, limit: Wire.maximumName)
    buffer.json(",\"kind\":")
    buffer.json(UInt64(event.type))
    buffer.json(",\"code\":")
    buffer.json(UInt64(event.code))
    buffer.json(",\"value\":")
    buffer.json(Int64(event.value))
    buffer.json(",\"time_us\":")
    buffer.json(event.timeMicroseconds)
    buffer.json("}\n")
  }
}

extension StatusReport {
  /// The rest of the line after its type. What cannot fit is counted in `omitted`; ignored devices go first.
  fileprivate func append(to buffer: inout [UInt8], isDetailed: Bool) {
    let end = buffer.count + Wire.maximumLine - 80
    buffer.json(",\"server\":")
    buffer.json(string: server, limit: Wire.maximumName)
    buffer.json(",\"routing\":")
    buffer.json(isRouting)
    buffer.json(",\"emitting\":")
    buffer.json(isEmitting)
    buffer.json(",\"clients\":")
    buffer.json(Int64(clients))
    buffer.json(",\"devices\":[")
    var written = 0
    for device in devices.filter({ $0.role != .ignore }) + devices.filter({ $0.role == .ignore }) {
      let before = buffer.count
      if written > 0 { buffer.json(",") }
      device.append(to: &buffer, isDetailed: isDetailed)
      if buffer.count > end {
        buffer.removeLast(buffer.count - before)
        break
      }
      written += 1
    }
    buffer.json("],\"omitted\":")
    buffer.json(Int64(omitted + devices.count - written))
    buffer.json("}\n")
  }
}

extension DeviceStatus {
  fileprivate func append(to buffer: inout [UInt8], isDetailed: Bool) {
    buffer.json("{\"name\":")
    buffer.json(string: name, limit: Wire.maximumName)
    buffer.json(",\"nodes\":")
    buffer.json(strings: nodes.prefix(Wire.maximumNames), limit: Wire.maximumName, end: .max)
    buffer.json(",\"role\":")
    buffer.json(string: role.rawValue)
    buffer.json(",\"state\":")
    buffer.json(string: state.rawValue)
    if isDetailed {
      buffer.json(",\"seat\":")
      buffer.json(string: seat, limit: Wire.maximumName)
      if let detail {
        buffer.json(",\"detail\":")
        buffer.json(string: detail, limit: 256)
      }
    }
    if let batteryPercent {
      buffer.json(",\"battery\":")
      buffer.json(Int64(batteryPercent))
    }
    buffer.json("}")
  }
}
