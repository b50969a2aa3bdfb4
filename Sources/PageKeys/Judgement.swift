import ReaderIPC

/// A role and why.
public struct Verdict: Sendable, Equatable {
  public var role: Role
  /// The number of the rule of `auto` that decided, 1 ... 8.
  public var rule: Int
  /// In words, such as "has both volume keys".
  public var reason: String
}

/// Judges one node of a device: the first rule that matches decides.
///
/// - Parameters:
///   - siblings: the other nodes of the same parent.
///   - settings: what profiles and configuration say about its remote.
public func judge(_ node: NodeDescription, siblings: [NodeDescription], settings: DeviceSettings) -> Verdict {
  if node.phys.hasPrefix("pagerd/") {
    return Verdict(role: .ignore, rule: 1, reason: "is made by pagerd itself")
  }
  if settings.isNamed, let role = settings.nodeRoles[node.name] ?? settings.role {
    return Verdict(role: role, rule: 2, reason: "a profile or the configuration says so")
  }
  let classes = DeviceClasses(node)
  let isKeyboard = classes.contains(.keyboard)
  let pointing = classes.intersection(.pointers)
  if !pointing.isEmpty, !isKeyboard {
    let names = pointing.udevNames.map { $0.dropFirst(9).lowercased() }.joined(separator: ", ")
    return Verdict(role: .ignore, rule: 3, reason: "is a pointer (\(names))")
  }
  let hasVolume = node.keys.contains(KeyCode.volumeUp) && node.keys.contains(KeyCode.volumeDown)
  let isInternal = node.bus == Bus.host || node.bus == Bus.virtual || node.isVirtual
  if hasVolume { return Verdict(role: .shared, rule: 5, reason: "has both volume keys") }
  if isInternal {
    let what = node.isVirtual ? "is made by a program" : "is on an internal or virtual bus"
    return Verdict(role: .ignore, rule: 4, reason: what + " and has no volume keys")
  }
  if classes.contains(.joystick) {
    let hasHat = node.absolutes.contains(anyOf: AbsoluteCode.hat0X...AbsoluteCode.hat3Y)
    let hasButtons = node.keys.contains(KeyCode.south) && node.keys.contains(KeyCode.east)
    if hasHat || hasButtons {
      return Verdict(role: .pageTurner, rule: 6, reason: hasHat ? "is a pad with a hat" : "is a pad with two buttons")
    }
  }
  if let obstacle = obstacleToTurning(node, siblings, settings, isKeyboard: isKeyboard) {
    return Verdict(role: .ignore, rule: 8, reason: obstacle)
  }
  return Verdict(role: .pageTurner, rule: 7, reason: "is a small remote with keys for both directions")
}

/// Why rule 7 does not hold; nil: it does.
private func obstacleToTurning(
  _ node: NodeDescription, _ siblings: [NodeDescription], _ settings: DeviceSettings, isKeyboard: Bool
) -> String? {
  guard node.bus == Bus.usb || node.bus == Bus.bluetooth else { return "is on neither USB nor Bluetooth" }
  if isKeyboard { return "is a keyboard without volume keys" }
  let count = node.keys.count
  if count > 16 { return "has \(count) keys" }
  if [KeyCode.power, KeyCode.sleep, KeyCode.wakeUp].contains(where: node.keys.contains) { return "has a power key" }
  if !node.switches.isEmpty { return "has a switch" }
  let hasBigSibling = siblings.contains {
    !DeviceClasses($0).isDisjoint(with: [.keyboard, .mouse])
  }
  if hasBigSibling { return "belongs to a keyboard or a mouse" }
  let commands = sendableCommands(of: node, settings)
  if !commands.contains(.next) || !commands.contains(.prev) { return "cannot turn in both directions" }
  return nil
}

/// The tap commands of what the node can send.
private func sendableCommands(of node: NodeDescription, _ settings: DeviceSettings) -> Set<Command> {
  let canTouch = TouchSource.canTouch(node)
  var taps: [Input: Command] = [:]
  for binding in DefaultBindings.bindings(for: .pageTurner, sticks: !canTouch) + settings.bindings {
    if case .tap(let input) = binding.trigger { taps[input] = binding.command }
  }
  var commands: Set<Command> = []
  for (input, command) in taps where node.canSend(input, canTouch: canTouch) { commands.insert(command) }
  return commands
}

extension NodeDescription {
  /// True if the capability bits allow the input.
  func canSend(_ input: Input, canTouch: Bool) -> Bool {
    switch input {
    case .key(let code): keys.contains(code)
    case .wheel(.up), .wheel(.down):
      relatives.contains(RelativeCode.wheel) || relatives.contains(RelativeCode.wheelHighResolution)
    case .wheel(.left), .wheel(.right):
      relatives.contains(RelativeCode.horizontalWheel)
        || relatives.contains(RelativeCode.horizontalWheelHighResolution)
    case .dial: relatives.contains(RelativeCode.dial)
    case .axis(let code, _): absolutes.contains(code) && !canTouch
    case .swipe, .touchTap: canTouch
    case .scan: miscellaneous.contains(MiscellaneousCode.scan)
    }
  }
}
