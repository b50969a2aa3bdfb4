internal import PageKeys
internal import ReaderIPC

/// What the command line asks for.
enum Invocation: Sendable, Equatable {
  case run(folder: String)
  case devices(json: Bool)
  case status(json: Bool)
  case monitor(raw: Bool, json: Bool)
  case learn(device: String?, file: String?)
  case record(node: String, file: String?)
  case replay(file: String, role: Role?, bindings: [String], json: Bool)
  case subscribe(role: ClientRole, exec: String?, json: Bool)
  case send(Command)
  case emit(Bool)
  case check(files: [String], folder: String)
  case reload
  case doctor(json: Bool)
  case help(Topic?)
  case version
}

/// The commands, in the order in which help lists them.
enum Topic: String, Sendable, CaseIterable {
  case run, devices, status, monitor, learn, record, replay, subscribe, send, emit, check, reload, doctor
}

/// What is wrong with a command line.
enum ArgumentError: Error, Sendable, Equatable {
  case unknownCommand(String, nearest: String?)
  case unknownOption(String, topic: Topic, nearest: String?)
  case missingValue(option: String)
  case badValue(String, option: String, expected: String)
  case missing(String, topic: Topic)
  case tooMuch(String, topic: Topic)
}

/// The words of a command line, taken apart: `--name value`, `--name=value`, `--` ends the options.
struct Arguments {
  private let topic: Topic
  private var options: [(name: String, value: String?)] = []
  private(set) var words: [String] = []

  /// The options of a command that take a value, and those that do not.
  private static func options(of topic: Topic) -> (valued: [String], plain: [String]) {
    switch topic {
    case .run: (["--config"], [])
    case .devices, .status, .doctor: ([], ["--json"])
    case .monitor: ([], ["--raw", "--json"])
    case .learn, .record: (["--output"], [])
    case .replay: (["--role", "--bind"], ["--json"])
    case .subscribe: (["--role", "--exec"], ["--json"])
    case .check: (["--config"], [])
    case .send, .emit, .reload: ([], [])
    }
  }

  init(_ arguments: some Sequence<String>, topic: Topic) throws(ArgumentError) {
    self.topic = topic
    let (valued, plain) = Arguments.options(of: topic)
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        words.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if plain.contains(word) {
        options.append((word, nil))
      } else if valued.contains(parts[0]) {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw .missingValue(option: parts[0]) }
        options.append((parts[0], value))
      } else {
        let known = valued + plain + ["--help", "--version"]
        throw .unknownOption(word, topic: topic, nearest: Spelling.nearest(parts[0], in: known))
      }
    }
  }

  func has(_ option: String) -> Bool { options.contains { $0.name == option } }
  func values(_ option: String) -> [String] { options.filter { $0.name == option }.compactMap(\.value) }
  func value(_ option: String) -> String? { values(option).last }

  mutating func next(_ what: String) throws(ArgumentError) -> String {
    guard !words.isEmpty else { throw .missing(what, topic: topic) }
    return words.removeFirst()
  }

  func end() throws(ArgumentError) {
    if let word = words.first { throw .tooMuch(word, topic: topic) }
  }
}

extension Invocation {
  static let defaultFolder = "/etc/pagerd"

  init(_ arguments: [String]) throws(ArgumentError) {
    guard let first = arguments.first else {
      self = .run(folder: Invocation.defaultFolder)
      return
    }
    if first == "--help" || first == "-h" || first == "help" {
      self = .help(arguments.dropFirst().first.flatMap(Topic.init(rawValue:)))
      return
    }
    if first == "--version" || first == "-V" {
      self = .version
      return
    }
    guard first.hasPrefix("-") || Topic(rawValue: first) != nil else {
      throw .unknownCommand(first, nearest: Spelling.nearest(first, in: Topic.allCases.map(\.rawValue)))
    }
    let topic = Topic(rawValue: first) ?? .run
    let rest = first.hasPrefix("-") ? arguments[...] : arguments.dropFirst()
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      self = .help(topic)
    } else if options.contains("--version") {
      self = .version
    } else {
      self = try Invocation(topic, Arguments(rest, topic: topic))
    }
  }

  private init(_ topic: Topic, _ given: consuming Arguments) throws(ArgumentError) {
    var arguments = given
    let json = arguments.has("--json")
    switch topic {
    case .run: self = .run(folder: arguments.value("--config") ?? Invocation.defaultFolder)
    case .devices: self = .devices(json: json)
    case .status: self = .status(json: json)
    case .monitor: self = .monitor(raw: arguments.has("--raw"), json: json)
    case .learn:
      let device = arguments.words.isEmpty ? nil : try arguments.next("a device")
      self = .learn(device: device, file: arguments.value("--output"))
    case .record: self = .record(node: try arguments.next("a device or its node"), file: arguments.value("--output"))
    case .replay:
      var role: Role?
      if let text = arguments.value("--role"), text != "auto" {
        role = Role(rawValue: text)
        guard role != nil else {
          throw .badValue(text, option: "--role", expected: "page-turner, shared, ignore or auto")
        }
      }
      self = .replay(
        file: try arguments.next("a recording"), role: role, bindings: arguments.values("--bind"), json: json)
    case .subscribe:
      let text = arguments.value("--role") ?? ClientRole.background.rawValue
      guard let role = ClientRole(rawValue: text), role != .reader else {
        throw .badValue(text, option: "--role", expected: "background or observer")
      }
      self = .subscribe(role: role, exec: arguments.value("--exec"), json: json)
    case .send:
      let text = try arguments.next("a command")
      guard let command = Command(text) else {
        throw .badValue(text, option: "send", expected: Invocation.commandList)
      }
      self = .send(command)
    case .emit:
      let text = try arguments.next("on or off")
      guard text == "on" || text == "off" else { throw .badValue(text, option: "emit", expected: "on or off") }
      self = .emit(text == "on")
    case .check:
      self = .check(files: arguments.words, folder: arguments.value("--config") ?? Invocation.defaultFolder)
      return
    case .reload: self = .reload
    case .doctor: self = .doctor(json: json)
    }
    try arguments.end()
  }

  static var commandList: String {
    Command.standard.map(\.description).joined(separator: ", ") + " or custom:NAME (a-z, 0-9, -; at most 32)"
  }
}
