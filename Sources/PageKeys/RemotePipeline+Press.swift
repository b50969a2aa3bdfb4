public import ReaderIPC

extension RemotePipeline {
  /// Decides, once, what becomes of a press of a bound input, and begins its gesture.
  ///
  /// A press that another node has reported already goes where that one went, and calls nothing.
  mutating func decide(_ button: Int, _ context: Context, at time: UInt64, into outcome: inout Outcome) -> Disposition {
    let isTaken = context.isRouted && buttons[button].isTaken
    if context.isInvented { return isTaken ? .swallowed : .passed }
    if nodes.count > 1, let tap = buttons[button].tap {
      if let isSwallowed = twins.absorb(tap, from: context.node, at: time) { return isSwallowed ? .swallowed : .passed }
      twins.accept(tap, from: context.node, at: time, isSwallowed: isTaken)
    }
    guard isTaken else { return .passed }
    gestures.press(button, of: context.node, at: time, buttons, chords, into: &outcome)
    return .gesture
  }

  /// Lets only these commands be taken, as while they are emitted as keys: a press that could call no other passes, as
  /// if nobody took anything. nil: whoever takes them takes all. Presses under way go where they went.
  public mutating func limit(to commands: [Command]?) {
    guard commands != limit else { return }
    limit = commands
    applyLimit()
  }

  mutating func applyLimit() {
    for number in buttons.indices {
      guard let limit else {
        buttons[number].isTaken = true
        continue
      }
      let button = buttons[number]
      let called =
        [button.tap, button.double, button.hold]
        + chords.filter { $0.first == number || $0.second == number }.map(\.command)
      buttons[number].isTaken = called.contains { $0.map(limit.contains) ?? false }
    }
  }

  /// Begins the gesture of a contact that was still down after its debounce window.
  mutating func begin(_ button: Int, of node: Int, at time: UInt64, into outcome: inout Outcome) {
    if nodes.count > 1, let tap = buttons[button].tap {
      if twins.absorb(tap, from: node, at: time) != nil { return }
      twins.accept(tap, from: node, at: time, isSwallowed: true)
    }
    gestures.press(button, of: node, at: time, buttons, chords, into: &outcome)
  }

  /// A press that has no length: a notch, a swipe, a change of a latch key.
  mutating func click(_ button: Int, _ context: Context, at time: UInt64, into outcome: inout Outcome) {
    if decide(button, context, at: time, into: &outcome) == .gesture {
      gestures.release(button, of: context.node, at: time, buttons, into: &outcome)
    }
  }

  func report(_ input: Input, _ context: Context, into outcome: inout Outcome) {
    guard reportsPresses, !context.isInvented, outcome.presses.count < 64 else { return }
    outcome.presses.append(input)
  }
}
