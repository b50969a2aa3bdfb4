extension RemotePipeline {
  // MARK: Wheels

  /// - Returns: whether the event goes to the clone.
  mutating func relative(_ event: InputEvent, _ context: Context, into outcome: inout Outcome) -> Bool {
    let node = context.node
    let layout = nodes[node].layout
    let isPositive = event.value > 0
    var count: Int32
    let input: Input
    let button: Int16
    switch event.code {
    case RelativeCode.wheel, RelativeCode.wheelHighResolution:
      let isHigh = event.code == RelativeCode.wheelHighResolution
      count = nodes[node].wheel.turn(event.value, isHigh: isHigh, at: event.time)
      let direction: Direction = isPositive ? .up : .down
      input = .wheel(direction)
      button = layouts[layout].wheel[Int(direction.rawValue)]
    case RelativeCode.horizontalWheel, RelativeCode.horizontalWheelHighResolution:
      let isHigh = event.code == RelativeCode.horizontalWheelHighResolution
      count = nodes[node].horizontalWheel.turn(event.value, isHigh: isHigh, at: event.time)
      let direction: Direction = isPositive ? .right : .left
      input = .wheel(direction)
      button = layouts[layout].wheel[Int(direction.rawValue)]
    case RelativeCode.dial:
      count = Int32(min(event.value.magnitude, UInt32(WheelSource.most)))
      input = .dial(isRight: isPositive)
      button = layouts[layout].dial[isPositive ? 1 : 0]
    default: return !context.swallowsRest
    }
    if context.isInvented { count = 0 }
    for _ in 0..<max(count, 0) {
      report(input, context, into: &outcome)
      if button >= 0 { click(Int(button), context, at: event.time, into: &outcome) }
    }
    return button >= 0
      ? !(context.isRouted && buttons[Int(button)].isTaken) : !context.swallowsRest
  }

  // MARK: Axes

  /// Takes an absolute axis' value; what the clone is to see of it is appended.
  mutating func absolute(_ event: InputEvent, _ context: Context, into outcome: inout Outcome) {
    let node = context.node
    if nodes[node].isTouch {
      nodes[node].touch.axis(event.code, event.value)
      let passes =
        nodes[node].touch.isDown ? nodes[node].touch.disposition == .passed : !context.swallowsRest
      note(event, passes, context)
      if passes { outcome.passed.append(event) }
    } else if Int(event.code) < CodeCount.abs, nodes[node].axes[Int(event.code)] != nil {
      deflect(event, context, into: &outcome)
    } else {
      note(event, !context.swallowsRest, context)
      if !context.swallowsRest { outcome.passed.append(event) }
    }
  }

  private mutating func note(_ event: InputEvent, _ passes: Bool, _ context: Context) {
    if SlotMirror.covers(event.code) {
      nodes[context.node].slots.note(event.code, event.value, passes: passes)
    } else if Int(event.code) < CodeCount.abs, nodes[context.node].axes[Int(event.code)] != nil {
      _ = nodes[context.node].axes[Int(event.code)]!.move(to: event.value, at: event.time)
      if passes { nodes[context.node].axes[Int(event.code)]!.clone = event.value }
    }
  }

  private mutating func deflect(_ event: InputEvent, _ context: Context, into outcome: inout Outcome) {
    let node = context.node
    let code = Int(event.code)
    let before = nodes[node].axes[code]!.disposition
    let move = nodes[node].axes[code]!.move(to: event.value, at: event.time)
    var passes: Bool
    var value = event.value
    switch move {
    case .none:
      let isThrown = nodes[node].axes[code]!.position != .rest
      passes = isThrown ? before == .passed : !context.swallowsRest
    case .began(let isPositive):
      passes = throwAxis(event, isPositive, context, into: &outcome) == .passed
    case .ended(let wasPositive):
      endThrow(event, wasPositive, before, context, into: &outcome)
      passes = before == .passed || !context.swallowsRest
      // The rest of the way back is swallowed: the clone is taken there at once.
      if before == .passed, context.swallowsRest { value = restValue(node, code) }
    case .flipped(let toPositive):
      endThrow(event, !toPositive, before, context, into: &outcome)
      let after = throwAxis(event, toPositive, context, into: &outcome)
      passes = after == .passed
      if before == .passed, after != .passed {
        value = restValue(node, code)
        passes = true
      }
    }
    guard passes, nodes[node].axes[code]!.clone != value else { return }
    nodes[node].axes[code]!.clone = value
    outcome.passed.append(InputEvent(type: event.type, code: event.code, value: value, time: event.time))
  }

  private func restValue(_ node: Int, _ code: Int) -> Int32 {
    Int32(clamping: nodes[node].axes[code]!.rest)
  }

  private mutating func throwAxis(
    _ event: InputEvent, _ isPositive: Bool, _ context: Context, into outcome: inout Outcome
  ) -> Disposition {
    let code = Int(event.code)
    let button = layouts[nodes[context.node].layout].axes[code * 2 + (isPositive ? 1 : 0)]
    report(.axis(event.code, isPositive: isPositive), context, into: &outcome)
    let disposition: Disposition
    nodes[context.node].axes[code]!.isAbsorbed = false
    if button >= 0, let same = samePush(as: Int(button), code, context, at: event.time) {
      disposition = same
      nodes[context.node].axes[code]!.isAbsorbed = true
    } else if button >= 0 {
      disposition = decide(Int(button), context, at: event.time, into: &outcome)
    } else {
      disposition = context.swallowsRest ? .swallowed : .passed
    }
    nodes[context.node].axes[code]!.throwTime = event.time
    nodes[context.node].axes[code]!.disposition = disposition
    return disposition
  }

  /// A push between two directions throws both axes of a stick, and some pads report their cross on two pairs of axes:
  /// that is one press. The first throw is it, the others go where it went.
  ///
  /// - Returns: nil for a push of its own.
  private func samePush(
    as button: Int, _ code: Int, _ context: Context, at time: UInt64
  ) -> Disposition? {
    guard !context.isInvented else { return nil }
    let node = nodes[context.node]
    for other in 0..<Int(AbsoluteCode.pressure) where other != code {
      guard let axis = node.axes[other], axis.position != .rest, !axis.isAbsorbed else { continue }
      let isPartner = other == Axis.partner(of: code)
      guard time.distance(from: axis.throwTime) <= (isPartner ? Axis.pushTime : Deduplicator.window) else { continue }
      let first = layouts[node.layout].axes[other * 2 + (axis.position == .positive ? 1 : 0)]
      guard first >= 0, isPartner || buttons[Int(first)].tap == buttons[button].tap else { continue }
      return axis.disposition == .passed ? .passed : .swallowed
    }
    return nil
  }

  private mutating func endThrow(
    _ event: InputEvent, _ wasPositive: Bool, _ before: Disposition, _ context: Context, into outcome: inout Outcome
  ) {
    let code = Int(event.code)
    nodes[context.node].axes[code]!.disposition = .up
    let button = layouts[nodes[context.node].layout].axes[code * 2 + (wasPositive ? 1 : 0)]
    guard before == .gesture, button >= 0 else { return }
    if context.isInvented {
      gestures.drop(Int(button), of: context.node, buttons)
    } else {
      gestures.release(Int(button), of: context.node, at: event.time, buttons, into: &outcome)
    }
  }

  /// Takes the clone's thrown axes back to rest: the device is gone.
  mutating func returnAxes(_ node: Int, at time: UInt64, into outcome: inout Outcome) {
    for code in nodes[node].axes.indices {
      guard let axis = nodes[node].axes[code], axis.position != .rest, axis.disposition == .passed else { continue }
      let value = restValue(node, code)
      nodes[node].axes[code]!.clone = value
      outcome.passed.append(InputEvent(type: EventType.abs, code: UInt16(code), value: value, time: time))
    }
  }

  // MARK: Touch

  mutating func beginTouch(_ frame: UnsafeBufferPointer<InputEvent>, _ context: Context) {
    guard nodes[context.node].touch.begins(frame) else { return }
    let isBound = layouts[nodes[context.node].layout].hasTouch
    let swallows = context.isRouted && (isBound || context.role == .pageTurner)
    nodes[context.node].touch.begin(swallows ? (context.isInvented ? .swallowed : .gesture) : .passed)
    if context.isInvented { nodes[context.node].touch.isCancelled = true }
  }

  mutating func endTouch(_ context: Context, at time: UInt64, into outcome: inout Outcome) {
    let node = context.node
    guard let input = nodes[node].touch.endFrame() else { return }
    let disposition = nodes[node].touch.disposition
    // A swallowed touch leaves no trace for the one that will be passed.
    if disposition != .passed, !context.swallowsRest { nodes[node].catchUp(at: time, into: &outcome.passed) }
    guard !context.isInvented, !nodes[node].touch.isCancelled, disposition == .gesture else { return }
    report(input, context, into: &outcome)
    let layout = nodes[node].layout
    let button: Int16
    if case .swipe(let direction) = input {
      button = layouts[layout].swipe[Int(direction.rawValue)]
    } else {
      // The touch button's own binding is a tap's.
      let tap = layouts[layout].touchTap
      button = tap >= 0 ? tap : layouts[layout].keys[Int(KeyCode.touch)]
    }
    guard button >= 0 else { return }
    let routed = Context(node: node, role: context.role, isRouted: true, isInvented: false)
    click(Int(button), routed, at: time, into: &outcome)
  }
}
