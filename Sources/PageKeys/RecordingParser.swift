/// Reads evemu's text format; hostile text ends in an error, never in a crash or in memory without bound.
struct RecordingParser {
  /// More than an hour of the chattiest device.
  static let mostEvents = 4_000_000
  static let longestLine = 4096

  private var node = NodeDescription(name: "")
  private var events: [InputEvent] = []
  private var hasName = false
  private var line = 0
  /// The next byte of each bitmap, by event type; 256: the properties.
  private var positions: [Int: Int] = [:]

  static func parse(_ bytes: [UInt8]) throws(PageKeysError) -> Recording {
    var parser = RecordingParser()
    var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      parser.line += 1
      guard end - start <= longestLine else { throw parser.fault("the line is longer than \(longestLine) bytes") }
      try parser.read(bytes[start..<end])
      start = end + 1
    }
    guard parser.hasName || !parser.events.isEmpty else {
      parser.line = 0
      throw parser.fault("this is no evemu recording: it has neither a device nor an event")
    }
    return Recording(node: parser.node, events: parser.events)
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(PageKeysError) {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { bytes.removeFirst() }
    guard let kind = bytes.first, kind != UInt8(ascii: "#") else { return }
    guard bytes.count >= 2, bytes[bytes.startIndex + 1] == UInt8(ascii: ":") else {
      throw fault("expected N:, I:, P:, B:, A:, L:, S: or E: at the beginning of the line")
    }
    let rest = bytes[(bytes.startIndex + 2)...]
    switch kind {
    case UInt8(ascii: "N"): name(rest)
    case UInt8(ascii: "I"): try identity(rest)
    case UInt8(ascii: "P"): try bitmap(256, rest)
    case UInt8(ascii: "B"): try capability(rest)
    case UInt8(ascii: "A"): try axis(rest)
    case UInt8(ascii: "L"), UInt8(ascii: "S"): break  // The state of LEDs and switches is nothing that was pressed.
    case UInt8(ascii: "E"): try event(rest)
    default: throw fault("expected N:, I:, P:, B:, A:, L:, S: or E: at the beginning of the line")
    }
  }

  private mutating func name(_ rest: ArraySlice<UInt8>) {
    var rest = rest
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    node.name = String(decoding: rest, as: UTF8.self)
    hasName = true
  }

  private mutating func identity(_ rest: ArraySlice<UInt8>) throws(PageKeysError) {
    let words = words(rest)
    guard words.count >= 4, let bus = number(words[0], radix: 16, UInt16.self),
      let vendor = number(words[1], radix: 16, UInt16.self), let product = number(words[2], radix: 16, UInt16.self),
      let version = number(words[3], radix: 16, UInt16.self)
    else { throw fault("expected I: and four hexadecimal numbers: bus, vendor, product, version") }
    node.bus = bus
    node.vendor = vendor
    node.product = product
    node.version = version
  }

  private mutating func capability(_ rest: ArraySlice<UInt8>) throws(PageKeysError) {
    let words = words(rest)
    guard let first = words.first, let type = number(first, radix: 16, UInt8.self) else {
      throw fault("expected B: and an event type in hexadecimal")
    }
    try bitmap(Int(type), first.endIndex < rest.endIndex ? rest[first.endIndex...] : [])
  }

  private mutating func bitmap(_ map: Int, _ rest: ArraySlice<UInt8>) throws(PageKeysError) {
    var position = positions[map] ?? 0
    for word in words(rest) {
      guard let byte = number(word, radix: 16, UInt8.self) else { throw fault("expected bytes in hexadecimal") }
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 && position < 96 { set(map, UInt16(position * 8 + bit)) }
      position = min(position + 1, 96)
    }
    positions[map] = position
  }

  private mutating func set(_ map: Int, _ code: UInt16) {
    func add(_ codes: inout CodeSet, below count: Int) { if Int(code) < count { codes.insert(code) } }
    switch map {
    case 0: if code == EventType.rep { node.hasRepeat = true }
    case Int(EventType.key): add(&node.keys, below: CodeCount.key)
    case Int(EventType.rel): add(&node.relatives, below: CodeCount.rel)
    case Int(EventType.abs): add(&node.absolutes, below: CodeCount.abs)
    case Int(EventType.msc): add(&node.miscellaneous, below: CodeCount.msc)
    case Int(EventType.sw): add(&node.switches, below: CodeCount.sw)
    case Int(EventType.led): add(&node.leds, below: CodeCount.led)
    case Int(EventType.snd): add(&node.sounds, below: CodeCount.snd)
    case Int(EventType.ff): add(&node.forceFeedback, below: CodeCount.ff)
    case 256: add(&node.properties, below: CodeCount.property)
    default: break
    }
  }

  private mutating func axis(_ rest: ArraySlice<UInt8>) throws(PageKeysError) {
    let words = words(rest)
    guard words.count >= 5, let code = number(words[0], radix: 16, UInt16.self), Int(code) < CodeCount.abs else {
      throw fault("expected A: and the axis (hexadecimal), minimum, maximum, fuzz, flat, resolution")
    }
    var values: [Int32] = []
    for word in words[1...].prefix(5) {
      guard let value = number(word, radix: 10, Int32.self) else { throw fault("expected numbers after the axis") }
      values.append(value)
    }
    let info = AxisInfo(
      minimum: values[0], maximum: values[1], fuzz: values[2], flat: values[3],
      resolution: values.count > 4 ? values[4] : 0)
    node.setAxis(code, info)
  }

  private mutating func event(_ rest: ArraySlice<UInt8>) throws(PageKeysError) {
    let words = words(rest)
    guard words.count >= 4, let time = time(words[0]), let type = number(words[1], radix: 16, UInt16.self),
      let code = number(words[2], radix: 16, UInt16.self), let value = number(words[3], radix: 10, Int32.self)
    else { throw fault("expected E: and seconds.microseconds, type and code (hexadecimal), value") }
    guard events.count < RecordingParser.mostEvents else {
      throw fault("more than \(RecordingParser.mostEvents) events")
    }
    events.append(InputEvent(type: type, code: code, value: value, time: time))
  }

  /// Seconds and, after the point, up to six digits of microseconds.
  private func time(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard let point = word.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let digits = word[(point + 1)...]
    guard let seconds = number(word[..<point], radix: 10, UInt64.self), seconds < 1 << 40,
      (1...6).contains(digits.count),
      let fraction = number(digits, radix: 10, UInt64.self)
    else { return nil }
    var micros = fraction
    for _ in digits.count..<6 { micros *= 10 }
    return seconds * 1_000_000 + micros
  }

  private func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private func number<Number: FixedWidthInteger>(
    _ word: ArraySlice<UInt8>, radix: Int, _: Number.Type
  ) -> Number? {
    guard (1...20).contains(word.count) else { return nil }
    return Number(String(decoding: word, as: UTF8.self), radix: radix)
  }

  private func fault(_ message: String) -> PageKeysError {
    .recording(RecordingFault(line: line, message: message))
  }
}
