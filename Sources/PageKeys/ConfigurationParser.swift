import ReaderIPC

/// Reads configuration files and profiles line by line.
struct ConfigurationParser {
  /// No file that a person wrote is longer.
  static let longest = 1 << 20

  private enum Section {
    case none
    case device(DeviceSection, line: Int, column: Int)
    case emit
    case pagerd
  }

  private let file: String
  private var line = 0
  private var end = 1
  private var section = Section.none
  private var result: Configuration

  static func parse(
    _ text: String, file: String, onto start: Configuration
  ) throws(PageKeysError) -> Configuration {
    var parser = ConfigurationParser(file: file, result: start)
    guard text.utf8.count <= longest else { throw parser.fault(at: 1, "", "a file of at most 1 MiB") }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      parser.line += 1
      try parser.read(line)
    }
    try parser.closeSection()
    return parser.result
  }

  static func binding(_ text: String) throws(PageKeysError) -> Binding {
    var parser = ConfigurationParser(file: "--bind", result: Configuration())
    parser.line = 1
    let words = try parser.words(of: text[...])
    let (left, right) = try parser.split(words)
    let change = try parser.bindingLine(left, right)
    guard case .binding(let binding) = change else { throw parser.fault(at: 1, text, "KEY=COMMAND") }
    return binding
  }

  private init(file: String, result: Configuration) {
    self.file = file
    self.result = result
  }

  // MARK: Lines

  private mutating func words(of text: Substring) throws(PageKeysError) -> [ConfigurationWord] {
    let (words, openQuote) = ConfigurationScanner.words(of: text)
    end = text.count + 1
    if let openQuote { throw fault(at: openQuote, "\"", "a second \" on the same line") }
    return words
  }

  private mutating func read(_ text: Substring) throws(PageKeysError) {
    let text = line == 1 && text.first == "\u{FEFF}" ? text.dropFirst() : text
    let words = try words(of: text)
    guard let first = words.first else { return }
    if first.text == "[", !first.isQuoted {
      try closeSection()
      section = try header(words)
      return
    }
    switch section {
    case .none: throw fault(at: first, "a section: [device \"NAME\"], [emit] or [pagerd]")
    case .device(var device, let start, let column):
      try deviceLine(words, &device)
      section = .device(device, line: start, column: column)
    case .emit: try emitLine(words)
    case .pagerd: try pagerdLine(words)
    }
  }

  private mutating func closeSection() throws(PageKeysError) {
    guard case .device(let device, let start, let column) = section else { return }
    guard device.hasCondition else {
      line = start
      throw fault(at: column, "", "a name in the brackets, or id, uniq, phys or property below them")
    }
    result.sections.append(device)
  }

  private func header(_ words: [ConfigurationWord]) throws(PageKeysError) -> Section {
    guard words.count > 1 else { throw fault(at: end, "", "device, emit or pagerd") }
    let name = words[1]
    var section: Section
    var next = 2
    switch name.text {
    case "device":
      var device = DeviceSection()
      if words.count > 2, words[2].isQuoted {
        device.name = Glob(words[2].text)
        next = 3
      } else if words.count > 2, words[2].text != "]" {
        throw fault(at: words[2], "the device's name in quotes")
      }
      section = .device(device, line: line, column: words[0].column)
    case "emit": section = .emit
    case "pagerd": section = .pagerd
    default: throw fault(at: name, "device, emit or pagerd", ["device", "emit", "pagerd"])
    }
    guard words.count > next, words[next].text == "]" else {
      throw words.count > next ? fault(at: words[next], "]") : fault(at: end, "", "]")
    }
    if words.count > next + 1 { throw fault(at: words[next + 1], "nothing after ]") }
    return section
  }

  /// What stands left and right of the `=`.
  private func split(
    _ words: [ConfigurationWord]
  ) throws(PageKeysError) -> (left: [ConfigurationWord], right: [ConfigurationWord]) {
    guard let sign = words.firstIndex(where: { $0.text == "=" && !$0.isQuoted }) else {
      throw fault(at: end, "", "= and what the line gives")
    }
    guard sign > 0 else { throw fault(at: words[sign], "a word before =") }
    let right = Array(words[(sign + 1)...])
    guard !right.isEmpty else { throw fault(at: end, "", "something after =") }
    return (Array(words[..<sign]), right)
  }

  // MARK: Device sections

  private static let deviceWords = [
    "id", "uniq", "phys", "property", "role", "repeat", "debounce", "hold-time", "double-time", "wake-press", "latch",
    "pass", "swallow", "hold", "double", "scan", "axis",
  ]

  private func deviceLine(_ words: [ConfigurationWord], _ device: inout DeviceSection) throws(PageKeysError) {
    if words[0].text == "latch", words.count > 1, words[1].text != "=" {
      for word in words[1...] { device.changes.append(.latch(try key(word))) }
      return
    }
    let (left, right) = try split(words)
    switch left[0].text {
    case "id": for word in try several(left, right) { device.identifiers.append(try identifier(word)) }
    case "uniq": device.uniqs.append(Glob(try text(left, right).lowercased()))
    case "phys": device.physes.append(Glob(try text(left, right)))
    case "property":
      guard left.count == 2 else { throw fault(at: left.last!, "property NAME = VALUE") }
      device.properties.append((left[1].text, Glob(joined(right))))
    case "role": device.changes.append(.role(try role(try one(left, right))))
    case "repeat": device.changes.append(.repeating(try repeating(try one(left, right))))
    case "debounce": device.changes.append(.debounce(try time(try one(left, right), atMost: 1_000_000)))
    case "hold-time": device.changes.append(.holdTime(try time(try one(left, right), atMost: 10_000_000, atLeast: 1)))
    case "double-time":
      device.changes.append(.doubleTime(try time(try one(left, right), atMost: 10_000_000, atLeast: 1)))
    case "wake-press":
      let word = try one(left, right)
      device.changes.append(.wakePress(word.text == "off" ? nil : try command(word)))
    case "latch": for word in try several(left, right) { device.changes.append(.latch(try key(word))) }
    case "pass": for word in try several(left, right) { device.changes.append(.pass(try key(word))) }
    case "swallow":
      for word in try several(left, right) {
        if let code = KeyNames.switchCode(word.text) {
          device.changes.append(.swallowSwitch(code))
        } else {
          device.changes.append(.swallow(try key(word)))
        }
      }
    default: device.changes.append(try bindingLine(left, right))
    }
  }

  private func bindingLine(
    _ left: [ConfigurationWord], _ right: [ConfigurationWord]
  ) throws(PageKeysError) -> DeviceSection.Change {
    let trigger = try trigger(left)
    if right.count > 1 { throw fault(at: right[1], "the end of the line") }
    return .binding(Binding(trigger, right[0].text == "none" ? nil : try command(right[0])))
  }

  private func trigger(_ words: [ConfigurationWord]) throws(PageKeysError) -> Trigger {
    switch words[0].text {
    case "hold":
      guard words.count > 1 else { throw fault(after: words[0], "a key to hold") }
      return .hold(try input(Array(words[1...])))
    case "double":
      guard words.count > 1 else { throw fault(after: words[0], "a key to press twice") }
      return .double(try input(Array(words[1...])))
    default: break
    }
    let isChord = words[0].text != "axis" && words.contains { $0.text.contains("+") }
    guard isChord else { return .tap(try input(words)) }
    let parts = chordParts(words)
    guard parts.count == 2 else { throw fault(at: words[0], "two keys: KEY+KEY") }
    let (one, other) = (try input([parts[0]]), try input([parts[1]]))
    guard one != other else { throw fault(at: parts[1], "another key than the first") }
    return .chord(one, other)
  }

  private func chordParts(_ words: [ConfigurationWord]) -> [ConfigurationWord] {
    var parts: [ConfigurationWord] = []
    for word in words {
      var column = word.column
      for part in word.text.split(separator: "+", omittingEmptySubsequences: false) {
        if !part.isEmpty { parts.append(ConfigurationWord(text: String(part), column: column)) }
        column += part.count + 1
      }
    }
    return parts
  }

  private func input(_ words: [ConfigurationWord]) throws(PageKeysError) -> Input {
    let first = words[0]
    switch first.text {
    case "axis":
      guard words.count > 1 else { throw fault(after: first, "an axis with its sign, such as ABS_Y-") }
      guard let input = Input(axis: words[1].text) else {
        let signs = KeyNames.absolutes.flatMap { [$0 + "-", $0 + "+"] }
        throw fault(at: words[1], "an axis with its sign, such as ABS_Y-", signs)
      }
      if words.count > 2 { throw fault(at: words[2], "=") }
      return input
    case "scan":
      guard words.count > 1 else { throw fault(after: first, "a HID usage, such as 0x70052") }
      guard let input = Input(scan: words[1].text) else { throw fault(at: words[1], "a HID usage, such as 0x70052") }
      if words.count > 2 { throw fault(at: words[2], "=") }
      return input
    default:
      guard let input = Input(word: first.text) else {
        let words = ConfigurationParser.deviceWords + Input.named.map(\.description) + KeyNames.keys
        throw fault(at: first, "a key, a gesture or a setting", words)
      }
      if words.count > 1 { throw fault(at: words[1], "=") }
      return input
    }
  }

  // MARK: Other sections

  private mutating func emitLine(_ words: [ConfigurationWord]) throws(PageKeysError) {
    let (left, right) = try split(words)
    if left.count > 1 { throw fault(at: left[1], "=") }
    let command = try command(left[0])
    var keys: [UInt16] = []
    for part in chordParts(right) { keys.append(try key(part)) }
    guard !keys.isEmpty, keys.count <= 8 else { throw fault(at: right[0], "a key, or up to eight joined by +") }
    result.emitted.removeAll { $0.command == command }
    result.emitted.append(.init(command: command, keys: keys))
  }

  private mutating func pagerdLine(_ words: [ConfigurationWord]) throws(PageKeysError) {
    let (left, right) = try split(words)
    guard left[0].text == "activity" else { throw fault(at: left[0], "activity", ["activity"]) }
    let word = try one(left, right)
    switch word.text {
    case "on": result.keepsAwake = true
    case "off": result.keepsAwake = false
    default: throw fault(at: word, "on or off", ["on", "off"])
    }
  }

  // MARK: Values

  private func one(
    _ left: [ConfigurationWord], _ right: [ConfigurationWord]
  ) throws(PageKeysError) -> ConfigurationWord {
    if left.count > 1 { throw fault(at: left[1], "=") }
    if right.count > 1 { throw fault(at: right[1], "the end of the line") }
    return right[0]
  }

  private func several(
    _ left: [ConfigurationWord], _ right: [ConfigurationWord]
  ) throws(PageKeysError) -> [ConfigurationWord] {
    if left.count > 1 { throw fault(at: left[1], "=") }
    return right
  }

  private func text(_ left: [ConfigurationWord], _ right: [ConfigurationWord]) throws(PageKeysError) -> String {
    if left.count > 1 { throw fault(at: left[1], "=") }
    return joined(right)
  }

  private func joined(_ words: [ConfigurationWord]) -> String { words.map(\.text).joined(separator: " ") }

  private func role(_ word: ConfigurationWord) throws(PageKeysError) -> Role? {
    if word.text == "auto" { return nil }
    guard let role = Role(rawValue: word.text) else {
      let words = ["auto"] + Role.allCases.map(\.rawValue)
      throw fault(at: word, "auto, page-turner, shared or ignore", words)
    }
    return role
  }

  private func command(_ word: ConfigurationWord) throws(PageKeysError) -> Command {
    guard let command = Command(word.text) else {
      let words = Command.standard.map(\.description) + ["none"]
      if word.text.hasPrefix("custom:") { throw fault(at: word, "custom: and 1 to 32 of a-z, 0-9 and -") }
      throw fault(at: word, "a command (next, prev, next-chapter, …, custom:NAME)", words)
    }
    return command
  }

  private func key(_ word: ConfigurationWord) throws(PageKeysError) -> UInt16 {
    guard case .key(let code)? = Input(word: word.text) else { throw fault(at: word, "a key", KeyNames.keys) }
    return code
  }

  private func identifier(_ word: ConfigurationWord) throws(PageKeysError) -> DeviceSection.Identifier {
    let parts = word.text.split(separator: ":", omittingEmptySubsequences: false)
    var numbers: [UInt16?] = []
    for part in parts {
      if part == "*" {
        numbers.append(nil)
      } else if (1...4).contains(part.utf8.count), let number = UInt16(part, radix: 16) {
        numbers.append(number)
      } else {
        throw fault(at: word, "BUS:VENDOR:PRODUCT in hexadecimal, such as 0005:248a:8266")
      }
    }
    switch numbers.count {
    case 2: return .init(bus: nil, vendor: numbers[0], product: numbers[1])
    case 3: return .init(bus: numbers[0], vendor: numbers[1], product: numbers[2])
    default: throw fault(at: word, "BUS:VENDOR:PRODUCT in hexadecimal, such as 0005:248a:8266")
    }
  }

  private func repeating(_ word: ConfigurationWord) throws(PageKeysError) -> DeviceSettings.Repeat? {
    if word.text == "off" { return nil }
    let expected = "off, or the delay and the interval, such as 400ms/150ms"
    let parts = word.text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let delay = ConfigurationParser.time(parts[0]),
      let interval = ConfigurationParser.time(parts[1]), (10_000...60_000_000).contains(interval),
      (1_000...60_000_000).contains(delay)
    else { throw fault(at: word, expected, ["off"]) }
    return .init(delay: delay, interval: interval)
  }

  private func time(
    _ word: ConfigurationWord, atMost longest: UInt64, atLeast shortest: UInt64 = 0
  ) throws(PageKeysError) -> UInt64 {
    if word.text == "off", shortest == 0 { return 0 }
    guard let time = ConfigurationParser.time(word.text[...]), (shortest...longest).contains(time) else {
      throw fault(at: word, "a time up to \(longest / 1000)ms, such as 20ms", shortest == 0 ? ["off"] : [])
    }
    return time
  }

  /// `20ms`, `1s`, `0`; in microseconds.
  private static func time(_ text: Substring) -> UInt64? {
    if text == "0" { return 0 }
    let isMilliseconds = text.hasSuffix("ms")
    guard isMilliseconds || text.hasSuffix("s") else { return nil }
    let digits = text.dropLast(isMilliseconds ? 2 : 1)
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = UInt64(digits)
    else { return nil }
    return number * (isMilliseconds ? 1_000 : 1_000_000)
  }

  // MARK: Faults

  private func fault(at word: ConfigurationWord, _ expected: String, _ words: [String] = []) -> PageKeysError {
    let nearest = NearestWord.of(word.text, in: words)
    return .configuration(
      ConfigurationFault(
        file: file, line: line, column: word.column, found: String(word.text.prefix(80)), expected: expected,
        nearest: nearest))
  }

  private func fault(after word: ConfigurationWord, _ expected: String) -> PageKeysError {
    fault(at: word.column + word.text.count + 1, "", expected)
  }

  private func fault(at column: Int, _ found: String, _ expected: String) -> PageKeysError {
    .configuration(
      ConfigurationFault(file: file, line: line, column: column, found: found, expected: expected, nearest: nil))
  }
}
