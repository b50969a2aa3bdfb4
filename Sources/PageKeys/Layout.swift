/// Finds the button of an input by plain indexing; -1 where there is none.
struct Layout: Sendable {
  var keys = [Int16](repeating: -1, count: CodeCount.key)
  var wheel = [Int16](repeating: -1, count: 4)
  var dial = [Int16](repeating: -1, count: 2)
  var swipe = [Int16](repeating: -1, count: 4)
  var touchTap: Int16 = -1
  /// By code * 2, the positive direction one further.
  var axes = [Int16](repeating: -1, count: CodeCount.abs * 2)
  var scans: [(usage: UInt32, button: Int16)] = []

  let role: Role
  let hasSticks: Bool
  var hasTouch: Bool { touchTap >= 0 || swipe.contains { $0 >= 0 } }

  /// Compiles default bindings and settings; the buttons are appended to those of other layouts.
  init(
    role: Role, sticks: Bool, settings: DeviceSettings, buttons: inout [Button], chords: inout [Chord]
  ) {
    self.role = role
    hasSticks = sticks
    let start = buttons.count
    var found: [Input: Int] = [:]
    var joined: [(Input, Input)] = []
    var commands: [Trigger: Binding] = [:]
    var order: [Trigger] = []
    for binding in DefaultBindings.bindings(for: role, sticks: sticks) + settings.bindings {
      let trigger = binding.trigger.inOrder
      if commands[trigger] == nil { order.append(trigger) }
      commands[trigger] = binding
    }
    func button(_ input: Input) -> Int {
      if let number = found[input] { return number }
      var button = Button(input)
      if case .key(let code) = input { button.isLatch = settings.latches.contains(code) }
      buttons.append(button)
      found[input] = buttons.count - 1
      return buttons.count - 1
    }
    for trigger in order {
      guard let command = commands[trigger]?.command else { continue }
      switch trigger {
      case .tap(let input): buttons[button(input)].tap = command
      case .double(let input): buttons[button(input)].double = command
      case .hold(let input): buttons[button(input)].hold = command
      case .chord(let one, let other):
        let (first, second) = (button(one), button(other))
        guard first != second else { continue }
        buttons[first].hasChord = true
        buttons[second].hasChord = true
        joined.append((one, other))
        chords.append(Chord(first: first, second: second, command: command))
      }
    }
    for number in start..<buttons.count where number <= Int(Int16.max) {
      place(buttons[number].input, Int16(number))
    }
  }

  private mutating func place(_ input: Input, _ number: Int16) {
    switch input {
    case .key(let code): if Int(code) < keys.count { keys[Int(code)] = number }
    case .wheel(let direction): wheel[Int(direction.rawValue)] = number
    case .dial(let isRight): dial[isRight ? 1 : 0] = number
    case .axis(let code, let isPositive):
      if Int(code) < CodeCount.abs { axes[Int(code) * 2 + (isPositive ? 1 : 0)] = number }
    case .swipe(let direction): swipe[Int(direction.rawValue)] = number
    case .touchTap: touchTap = number
    case .scan(let usage): scans.append((usage, number))
    }
  }
}

extension Trigger {
  /// A chord means the same in either order.
  fileprivate var inOrder: Trigger {
    guard case .chord(let one, let other) = self, other.description < one.description else { return self }
    return .chord(other, one)
  }
}
