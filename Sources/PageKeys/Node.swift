/// Everything that is remembered of one node.
struct Node: Sendable {
  let role: Role
  let layout: Int
  let isTouch: Bool
  var isAttached = true

  /// What became of each key that is down.
  private(set) var keys = [Disposition](repeating: .up, count: CodeCount.key)
  private(set) var downCount = 0
  private let latches: CodeSet

  /// By button; empty where nothing is debounced.
  var cells: [DebounceCell] = []
  var openCells = 0

  /// The time of a ghost report of which a part is still to come.
  var ghostTime: UInt64?

  var wheel = WheelSource()
  var horizontalWheel = WheelSource()
  /// By code; nil where the axis is missing or belongs to touch slots.
  var axes: [Axis?]
  var slots: SlotMirror
  var touch: TouchSource
  var scans: ScanSource

  let switches: CodeSet
  var deviceSwitches = CodeSet()
  var cloneSwitches = CodeSet()

  init(
    _ description: NodeDescription, role: Role, layout: Layout, number: Int, isTouch: Bool, state: NodeState,
    latches: CodeSet, buttons: Int
  ) {
    self.role = role
    self.layout = number
    self.isTouch = isTouch
    self.latches = latches
    if buttons > 0 { cells = [DebounceCell](repeating: DebounceCell(), count: buttons) }
    let hasSecondStick =
      description.absolutes.contains(AbsoluteCode.rx) && description.absolutes.contains(AbsoluteCode.rx + 1)
    axes = [Axis?](repeating: nil, count: CodeCount.abs)
    for code in 0..<AbsoluteCode.slot where description.absolutes.contains(code) {
      var info = description.axes[Int(code)] ?? AxisInfo(minimum: 0, maximum: 0)
      info.value = state.axes[Int(code)]
      axes[Int(code)] = Axis(code, info, hasSecondStick: hasSecondStick)
    }
    let hasSlots = description.absolutes.contains(AbsoluteCode.slot)
    let slot = state.axes[Int(AbsoluteCode.slot)] ?? 0
    slots = SlotMirror(isPresent: hasSlots, slot: slot)
    touch = TouchSource(description, isPresent: isTouch)
    scans = ScanSource(
      layout, hasKeys: !description.keys.isEmpty,
      canScan: description.miscellaneous.contains(MiscellaneousCode.scan))
    switches = description.switches
    deviceSwitches = state.switchesOn
    cloneSwitches = state.switchesOn
    for code in state.keysDown.codes { set(code, .swallowed) }
  }

  mutating func set(_ code: UInt16, _ disposition: Disposition) {
    let index = Int(code)
    let before = keys[index]
    guard before != disposition else { return }
    keys[index] = disposition
    if latches.contains(code) { return }
    if before == .up { downCount += 1 } else if disposition == .up { downCount -= 1 }
  }

  /// Adds the release of every key that the clone has down.
  mutating func releaseKeys(at time: UInt64, into events: inout [InputEvent]) {
    for code in 0..<UInt16(CodeCount.key) where keys[Int(code)] == .passed {
      events.append(InputEvent(type: EventType.key, code: code, value: 0, time: time))
      set(code, .up)
    }
  }

  /// Adds what brings axes and switches of the clone to the device's values, except those in a swallowed gesture.
  mutating func catchUp(at time: UInt64, into events: inout [InputEvent]) {
    let isTouchSwallowed = touch.isDown && touch.disposition != .passed
    for code in axes.indices {
      guard let axis = axes[code], let value = axis.device, axis.clone != value else { continue }
      if isTouch ? isTouchSwallowed : axis.position != .rest && axis.disposition != .passed { continue }
      axes[code]!.clone = value
      events.append(InputEvent(type: EventType.abs, code: UInt16(code), value: value, time: time))
    }
    if !isTouchSwallowed { slots.catchUp(at: time, into: &events) }
    for code in 0..<UInt16(CodeCount.sw) where switches.contains(code) {
      let isOn = deviceSwitches.contains(code)
      guard isOn != cloneSwitches.contains(code) else { continue }
      setCloneSwitch(code, isOn)
      events.append(InputEvent(type: EventType.sw, code: code, value: isOn ? 1 : 0, time: time))
    }
  }

  mutating func setCloneSwitch(_ code: UInt16, _ isOn: Bool) {
    if isOn { cloneSwitches.insert(code) } else { cloneSwitches.remove(code) }
  }

  /// Takes the device's state as it is now; gestures know nothing of it.
  mutating func take(_ state: NodeState) {
    for code in 0..<UInt16(CodeCount.key) {
      let isDown = state.keysDown.contains(code)
      if isDown != (keys[Int(code)] != .up) { set(code, isDown ? .swallowed : .up) }
    }
    for index in cells.indices { cells[index].reset(false) }
    openCells = 0
    wheel.reset()
    horizontalWheel.reset()
    for code in axes.indices where axes[code] != nil { axes[code]!.reset(to: state.axes[code]) }
    touch.reset()
    scans.reset()
    deviceSwitches = state.switchesOn
  }
}
