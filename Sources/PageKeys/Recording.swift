/// One device and what it sent, as the evemu 1.3 text format holds it.
public struct Recording: Sendable, Equatable {
  public var node: NodeDescription
  /// In their order; times as they stand in the text, in microseconds.
  public var events: [InputEvent]

  public init(node: NodeDescription, events: [InputEvent] = []) {
    self.node = node
    self.events = events
  }

  /// - Throws: `PageKeysError.recording`.
  public init(evemu text: String) throws(PageKeysError) {
    self = try RecordingParser.parse(Array(text.utf8))
  }

  /// - Throws: `PageKeysError.recording`.
  public init(evemu bytes: [UInt8]) throws(PageKeysError) {
    self = try RecordingParser.parse(bytes)
  }

  /// The recording's head as evemu 1.3 text; `line(_:since:)` for each event follows.
  public var head: String {
    var text = "# EVEMU 1.3\n"
    let name = node.name.map { $0.isNewline ? " " : String($0) }.joined()
    text +=
      "N: \(name)\nI: \(hex(node.bus, 4)) \(hex(node.vendor, 4)) \(hex(node.product, 4)) \(hex(node.version, 4))\n"
    text += mask("P:", node.properties, CodeCount.property)
    var types = CodeSet([EventType.syn])
    let sets = capabilities
    for (type, set, _) in sets where !set.isEmpty { types.insert(type) }
    if node.hasRepeat { types.insert(EventType.rep) }
    text += mask("B: 00", types, 0x20)
    for (type, set, count) in sets { text += mask("B: " + hex(type, 2), set, count) }
    for (code, info) in node.axes.enumerated() {
      guard let info else { continue }
      text +=
        "A: \(hex(UInt16(code), 2)) \(info.minimum) \(info.maximum) \(info.fuzz) \(info.flat) \(info.resolution)\n"
    }
    return text
  }

  private var capabilities: [(UInt16, CodeSet, Int)] {
    [
      (EventType.key, node.keys, CodeCount.key), (EventType.rel, node.relatives, CodeCount.rel),
      (EventType.abs, node.absolutes, CodeCount.abs), (EventType.msc, node.miscellaneous, CodeCount.msc),
      (EventType.sw, node.switches, CodeCount.sw + 7), (EventType.led, node.leds, CodeCount.led),
      (EventType.snd, node.sounds, CodeCount.snd), (EventType.ff, node.forceFeedback, CodeCount.ff),
    ]
  }

  /// The whole recording as evemu 1.3 text, times relative to the first event.
  public var evemu: String {
    let origin = events.first?.time ?? 0
    return events.reduce(into: head) { $0 += Recording.line($1, since: origin) }
  }

  /// One event as a line of evemu 1.3, line break included; times relative to `origin`.
  public static func line(_ event: InputEvent, since origin: UInt64) -> String {
    let time = event.time >= origin ? event.time - origin : 0
    let micros = String(time % 1_000_000)
    let padded = String(repeating: "0", count: 6 - micros.utf8.count) + micros
    return "E: \(time / 1_000_000).\(padded) \(hex(event.type, 4)) \(hex(event.code, 4)) \(event.value)\n"
  }

  /// Bytes in ascending order, eight a line, as evemu writes them.
  private func mask(_ mark: String, _ set: CodeSet, _ count: Int) -> String {
    let bytes = (count + 7) / 8
    var text = ""
    for start in stride(from: 0, to: max(bytes, 8), by: 8) {
      text += mark
      for byte in start..<(start + 8) {
        var value: UInt16 = 0
        for bit in 0..<8 where set.contains(UInt16(byte * 8 + bit)) { value |= 1 << UInt16(bit) }
        text += " " + hex(value, 2)
      }
      text += "\n"
    }
    return text
  }
}

/// A number in hexadecimal with leading zeros.
private func hex(_ number: UInt16, _ digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
}
