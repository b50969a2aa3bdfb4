extension RemotePipeline {
  /// Takes the events of one frame in their order.
  mutating func run(
    _ frame: UnsafeBufferPointer<InputEvent>, _ context: Context, into outcome: inout Outcome
  ) {
    let node = context.node
    var isGhost = frame.count > RemotePipeline.ghostKeys && RemotePipeline.isGhost(frame, nodes[node])
    if let time = nodes[node].ghostTime {
      if time == frame[0].time { isGhost = true }
      nodes[node].ghostTime = nil
    }
    let pairsScans = nodes[node].scans.isEnabled && !frame.contains { $0.type == EventType.key }
    let isTouch = nodes[node].isTouch
    if isTouch { beginTouch(frame, context) }
    // A scan code stands before its key and goes where that goes.
    var scan = -1
    var hasSwallowed = false
    for index in frame.indices {
      let event = frame[index]
      var passes: Bool
      switch event.type {
      case EventType.key:
        passes = key(event, context, isGhost: isGhost, into: &outcome)
        if scan >= 0 {
          if passes { outcome.passed.append(frame[scan]) }
          scan = -1
        }
      case EventType.rel:
        passes = relative(event, context, into: &outcome)
      case EventType.abs:
        absolute(event, context, into: &outcome)
        hasSwallowed = true
        continue
      case EventType.msc:
        if event.code == MiscellaneousCode.scan {
          if pairsScans {
            if pairScan(event, context, into: &outcome) { outcome.passed.append(event) } else { hasSwallowed = true }
          } else {
            if scan >= 0, !context.swallowsRest { outcome.passed.append(frame[scan]) }
            scan = index
          }
        } else if !context.swallowsRest {
          outcome.passed.append(event)
        }
        continue
      case EventType.sw:
        passes = flip(event, context)
      case EventType.syn:
        guard event.code == 0 else {
          // The separator of old multi-touch frames means something only between passed positions.
          passes = event.code == 2 && !outcome.passed.isEmpty
          break
        }
        if scan >= 0, !context.swallowsRest { outcome.passed.append(frame[scan]) }
        scan = -1
        if isTouch { endTouch(context, at: event.time, into: &outcome) }
        // A time stamp or a serial number alone says nothing.
        if hasSwallowed, !outcome.passed.isEmpty, !outcome.passed.contains(where: { $0.type != EventType.msc }) {
          outcome.passed.removeAll(keepingCapacity: true)
        }
        if !outcome.passed.isEmpty { outcome.passed.append(event) }
        // The kernel cuts a long report: what follows with the same time belongs to it.
        if isGhost, event.value == 1 { nodes[node].ghostTime = event.time }
        continue
      default:
        // LEDs, sounds and repeat times are what somebody told the device; the clone has been told itself.
        passes = false
      }
      if passes {
        outcome.passed.append(event)
      } else {
        hasSwallowed = true
      }
    }
    if let last = outcome.passed.last, !last.isFrameEnd { finish(at: last.time, &outcome) }
  }

  /// Ends the frame of the clone, if there is anything in it.
  func finish(at time: UInt64, _ outcome: inout Outcome) {
    guard !outcome.passed.isEmpty else { return }
    outcome.passed.append(InputEvent(type: EventType.syn, code: 0, value: 0, time: time))
  }

  // MARK: Keys

  /// A report that changes this many keys at once was made by no finger.
  private static let ghostKeys = 4

  private static func isGhost(_ frame: UnsafeBufferPointer<InputEvent>, _ node: borrowing Node) -> Bool {
    var changes = 0
    var presses = 0
    for event in frame where event.type == EventType.key && Int(event.code) < CodeCount.key {
      let isUp = node.keys[Int(event.code)] == .up
      if event.value == 1, isUp {
        changes += 1
        presses += 1
      } else if event.value == 0, !isUp {
        changes += 1
      }
    }
    return changes >= ghostKeys && presses >= 2
  }

  /// - Returns: whether the event goes to the clone.
  private mutating func key(
    _ event: InputEvent, _ context: Context, isGhost: Bool, into outcome: inout Outcome
  ) -> Bool {
    let node = context.node
    let code = event.code
    guard Int(code) < CodeCount.key, event.value != 2 else { return false }
    let isDown = event.value != 0
    let before = nodes[node].keys[Int(code)]
    if nodes[node].isTouch, TouchSource.isTouchKey(code) {
      if code == KeyCode.touch { nodes[node].touch.button(isDown) }
      guard isDown else { return release(code, before, context) }
      guard before == .up else { return before == .passed }
      let passes =
        nodes[node].touch.isDown ? nodes[node].touch.disposition == .passed : !context.swallowsRest
      nodes[node].set(code, passes ? .passed : .swallowed)
      return passes
    }
    let button = settings.passes.contains(code) ? -1 : layouts[nodes[node].layout].keys[Int(code)]
    if button >= 0 {
      if buttons[Int(button)].isLatch { return latch(event, Int(button), before, context, into: &outcome) }
      if !nodes[node].cells.isEmpty {
        return debounced(event, Int(button), before, context, isGhost: isGhost, into: &outcome)
      }
    }
    guard isDown else {
      if before == .gesture {
        if context.isInvented {
          gestures.drop(Int(button), of: node, buttons)
        } else {
          gestures.release(Int(button), of: node, at: event.time, buttons, into: &outcome)
        }
      }
      return release(code, before, context)
    }
    guard before == .up else { return before == .passed }
    if !isGhost { report(.key(code), context, into: &outcome) }
    let disposition =
      button >= 0 && !isGhost
      ? decide(Int(button), context, at: event.time, into: &outcome)
      : swallows(code, isBound: button >= 0, context) ? .swallowed : .passed
    nodes[node].set(code, disposition)
    return disposition == .passed
  }

  /// A release goes where its press went; one without a press is nobody's.
  private mutating func release(_ code: UInt16, _ before: Disposition, _ context: Context) -> Bool {
    nodes[context.node].set(code, .up)
    return before == .up ? !context.swallowsRest : before == .passed
  }

  /// Mutating, as `nextDeadline` is, so that the compiler makes no copy of the pipeline to ask it.
  private mutating func swallows(_ code: UInt16, isBound: Bool, _ context: Context) -> Bool {
    guard context.isRouted, !settings.passes.contains(code) else { return false }
    if isBound || settings.swallows.contains(code) { return true }
    let isAlwaysPassed = code == KeyCode.power || code == KeyCode.sleep || code == KeyCode.wakeUp
    return context.role == .pageTurner && !isAlwaysPassed
  }

  /// A key that toggles: each change is one press. The clone sees its release only if it saw its press.
  private mutating func latch(
    _ event: InputEvent, _ button: Int, _ before: Disposition, _ context: Context, into outcome: inout Outcome
  ) -> Bool {
    let isDown = event.value != 0
    let isTaken = context.isRouted && buttons[button].isTaken
    guard isDown == (before == .up) || !isDown else { return before == .passed }
    report(.key(event.code), context, into: &outcome)
    if !context.isInvented { click(button, context, at: event.time, into: &outcome) }
    if isDown {
      nodes[context.node].set(event.code, isTaken ? .swallowed : .passed)
      return !isTaken
    }
    nodes[context.node].set(event.code, .up)
    return before == .up ? !isTaken : before == .passed
  }

  private mutating func debounced(
    _ event: InputEvent, _ button: Int, _ before: Disposition, _ context: Context, isGhost: Bool,
    into outcome: inout Outcome
  ) -> Bool {
    let node = context.node
    let isDown = event.value != 0
    guard isDown == (before == .up) else { return before == .up ? !context.swallowsRest : before == .passed }
    if context.isInvented || isGhost {
      if nodes[node].cells[button].windowEnd != nil {
        nodes[node].openCells -= 1
        openWindows -= 1
      }
      nodes[node].cells[button].reset(isDown)
      if !isDown {
        if before == .gesture { gestures.drop(button, of: node, buttons) }
        return release(event.code, before, context)
      }
      let disposition: Disposition = swallows(event.code, isBound: true, context) ? .swallowed : .passed
      nodes[node].cells[button].disposition = disposition
      nodes[node].set(event.code, disposition)
      return disposition == .passed
    }
    if isDown { nodes[node].cells[button].wasRouted = context.isRouted && buttons[button].isTaken }
    let wasOpen = nodes[node].cells[button].windowEnd != nil
    let edge = nodes[node].cells[button].edge(isDown, at: event.time, window: settings.debounce)
    if !wasOpen, nodes[node].cells[button].windowEnd != nil {
      nodes[node].openCells += 1
      openWindows += 1
    }
    switch edge {
    case .none: break
    case .press:
      report(.key(event.code), context, into: &outcome)
      nodes[node].cells[button].disposition = decide(button, context, at: event.time, into: &outcome)
    case .release:
      if nodes[node].cells[button].disposition == .gesture {
        gestures.release(button, of: node, at: event.time, buttons, into: &outcome)
      }
    }
    let disposition = nodes[node].cells[button].disposition
    nodes[node].set(event.code, isDown ? disposition : .up)
    return disposition == .passed
  }

  // MARK: Scan codes

  private mutating func pairScan(
    _ event: InputEvent, _ context: Context, into outcome: inout Outcome
  ) -> Bool {
    if context.isInvented { return !context.swallowsRest }
    let node = context.node
    let usage = UInt32(bitPattern: event.value)
    let meaning = nodes[node].scans.frame(usage, at: event.time)
    switch meaning {
    case .press, .click: break
    case .release(let pair):
      openWindows -= 1
      if !pair.isEcho, pair.disposition == .gesture, pair.button >= 0 {
        gestures.release(Int(pair.button), of: node, at: event.time, buttons, into: &outcome)
      }
      return pair.disposition == .passed
    case .doubt(let pair): return pair.disposition == .passed
    }
    let button = nodes[node].scans.button(of: usage)
    report(.scan(usage), context, into: &outcome)
    let disposition: Disposition =
      button >= 0
      ? decide(Int(button), context, at: event.time, into: &outcome) : context.swallowsRest ? .swallowed : .passed
    var pair = ScanSource.Pair(usage: usage, button: button, disposition: disposition, begin: event.time)
    if case .click = meaning {
      pair.isEcho = true
      if disposition == .gesture {
        gestures.release(Int(button), of: node, at: event.time, buttons, into: &outcome)
      }
    }
    let open = nodes[node].scans.open.count
    nodes[node].scans.add(pair)
    openWindows += nodes[node].scans.open.count - open
    return disposition == .passed
  }

  // MARK: Switches

  private mutating func flip(_ event: InputEvent, _ context: Context) -> Bool {
    guard Int(event.code) < CodeCount.sw else { return false }
    let isOn = event.value != 0
    if isOn {
      nodes[context.node].deviceSwitches.insert(event.code)
    } else {
      nodes[context.node].deviceSwitches.remove(event.code)
    }
    if context.isRouted, settings.swallowedSwitches.contains(event.code) { return false }
    nodes[context.node].setCloneSwitch(event.code, isOn)
    return true
  }
}
