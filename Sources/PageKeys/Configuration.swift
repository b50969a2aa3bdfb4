public import ReaderIPC

/// What all profiles and configuration files say together.
public struct Configuration: Sendable, Equatable {
  /// Routed presses keep the screen awake.
  public var keepsAwake = true
  /// For programs that do not speak the socket: the keys pressed together for each command.
  public var emitted: [Emission] = []
  var sections: [DeviceSection] = []

  public struct Emission: Sendable, Equatable {
    public var command: Command
    /// Linux key codes, pressed in this order and released in the reverse.
    public var keys: [UInt16]

    public init(command: Command, keys: [UInt16]) {
      self.command = command
      self.keys = keys
    }
  }

  public init() {}

  /// How many `[device]` sections there are.
  public var deviceCount: Int { sections.count }

  /// Adds a file on top of what was there: the later wins.
  ///
  /// - Parameter file: its name, for messages.
  /// - Throws: `PageKeysError.configuration`; what was there before stays as it was.
  public mutating func add(_ text: String, file: String) throws(PageKeysError) {
    self = try ConfigurationParser.parse(text, file: file, onto: self)
  }

  /// What is said about a remote with these nodes: every section that names one of them holds for all, only that a
  /// node which is named itself has the role that stands there.
  public func settings(for nodes: [NodeDescription]) -> DeviceSettings {
    var settings = DeviceSettings()
    // People know the remote by its one name, which need not be any node's.
    let remote = RemoteIdentity.name(of: nodes)
    for section in sections {
      let named = nodes.filter { section.matches($0, of: remote) }
      if named.isEmpty { continue }
      settings.isNamed = true
      for change in section.changes {
        if case .role(let role) = change {
          for node in named { settings.nodeRoles[node.name] = .some(role) }
          // To ignore one node is no word about the others.
          if role == .ignore, named.count < nodes.count { continue }
        }
        change.apply(to: &settings)
      }
    }
    return settings
  }

  /// One `KEY=COMMAND` as `--bind` takes it, with all the words that a profile has: `hold VOLUMEUP=first`.
  ///
  /// - Throws: `PageKeysError.configuration`, the file called `--bind`.
  public static func binding(_ text: String) throws(PageKeysError) -> Binding {
    try ConfigurationParser.binding(text)
  }
}

/// One `[device]` section: which nodes it means, and what it says about them.
struct DeviceSection: Sendable, Equatable {
  struct Identifier: Sendable, Equatable {
    /// nil: any.
    var bus: UInt16?
    var vendor: UInt16?
    var product: UInt16?
  }

  var name: Glob?
  /// Of the conditions of one kind any may hold, of the kinds all must.
  var identifiers: [Identifier] = []
  var uniqs: [Glob] = []
  var physes: [Glob] = []
  var properties: [(name: String, value: Glob)] = []
  var changes: [Change] = []

  var hasCondition: Bool {
    name != nil || !identifiers.isEmpty || !uniqs.isEmpty || !physes.isEmpty || !properties.isEmpty
  }

  func matches(_ node: NodeDescription, of remote: String) -> Bool {
    guard hasCondition else { return false }
    if let name, !name.matches(node.name), !name.matches(remote) { return false }
    let knows = identifiers.contains {
      ($0.bus ?? node.bus) == node.bus && ($0.vendor ?? node.vendor) == node.vendor
        && ($0.product ?? node.product) == node.product
    }
    if !identifiers.isEmpty, !knows { return false }
    let uniq = node.uniq.lowercased()
    if !uniqs.isEmpty, !uniqs.contains(where: { $0.matches(uniq) || $0.matches(node.uniq) }) { return false }
    if !physes.isEmpty, !physes.contains(where: { $0.matches(node.phys) }) { return false }
    return properties.allSatisfy { property in node.udev[property.name].map(property.value.matches) ?? false }
  }

  static func == (one: DeviceSection, other: DeviceSection) -> Bool {
    one.name == other.name && one.identifiers == other.identifiers && one.uniqs == other.uniqs
      && one.physes == other.physes && one.changes == other.changes
      && one.properties.elementsEqual(other.properties) { $0.name == $1.name && $0.value == $1.value }
  }

  /// One line of a section.
  enum Change: Sendable, Equatable {
    case role(Role?)
    case binding(Binding)
    case repeating(DeviceSettings.Repeat?)
    case debounce(UInt64)
    case holdTime(UInt64)
    case doubleTime(UInt64)
    case wakePress(Command?)
    case latch(UInt16)
    case pass(UInt16)
    case swallow(UInt16)
    case swallowSwitch(UInt16)

    func apply(to settings: inout DeviceSettings) {
      switch self {
      case .role(let role): settings.role = role
      case .binding(let binding): settings.bindings.append(binding)
      case .repeating(let repeating): settings.repeating = repeating
      case .debounce(let time): settings.debounce = time
      case .holdTime(let time): settings.holdTime = time
      case .doubleTime(let time): settings.doubleTime = time
      case .wakePress(let command): settings.wakePress = command
      case .latch(let code): settings.latches.insert(code)
      case .pass(let code):
        settings.passes.insert(code)
        settings.swallows.remove(code)
      case .swallow(let code):
        settings.swallows.insert(code)
        settings.passes.remove(code)
      case .swallowSwitch(let code): settings.swallowedSwitches.insert(code)
      }
    }
  }
}
