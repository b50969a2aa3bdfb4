extension RemotePipeline {
  /// Decides, once, what becomes of a press of a bound input, and begins its gesture.
  ///
  /// A press that another node has reported already goes where that one went, and calls nothing.
  mutating func decide(_ button: Int, _ context: Context, at time: UInt64, into outcome: inout Outcome) -> Disposition {
    if context.isInvented { return context.isRouted ? .swallowed : .passed }
    if nodes.count > 1, let tap = buttons[button].tap {
      if let isSwallowed = twins.absorb(tap, from: context.node, at: time) { return isSwallowed ? .swallowed : .passed }
      twins.accept(tap, from: context.node, at: time, isSwallowed: context.isRouted)
    }
    guard context.isRouted else { return .passed }
    gestures.press(button, of: context.node, at: time, buttons, chords, into: &outcome)
    return .gesture
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
