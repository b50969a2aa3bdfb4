import ReaderIPC

/// Presses of bound buttons -> taps, doubles, holds, chords and repeats.
///
/// Timelines (hold 500 ms, double 300 ms from press to press; `P` press, `R` release, `=` what fires and when):
///
///  1. tap only                 P0 =tap@0  R…
///  2. tap only, repeat 400/150 P0 =tap@0  =repeat@400 =repeat@550 …  R: never again
///  3. hold                     P0 R100 =tap@100
///  4. hold                     P0 =hold@500 R900: nothing
///  5. hold                     P0 R500 =hold@500 (a deadline on the event's time comes first)
///  6. double                   P0 R50 =tap@300
///  7. double                   P0 R50 P200 =double@200 R250: nothing
///  8. double                   P0 R50 =tap@300 P300 (too late: a first press of its own)
///  9. double                   P0 =tap@300 (still down: no second press can come) R900: nothing
/// 10. double, repeat 400/150   P0 =tap@300 =repeat@400 =repeat@550
/// 11. double and hold          P0 R350 =tap@350; P0 =hold@500
/// 12. chord A+B                PA0 PB80 =chord@80 RA RB: nothing
/// 13. chord A+B                PA0 RA60 =tap@60 PB80 RB90 =tap@90
/// 14. chord and hold           PA0 =hold@500 PB600 RB650 =tap@650
/// 15. chord, repeat 400/150    PA0 =tap@400 =repeat@550
/// 16. cancelled                P0 R50 cancel: nothing; P0 cancel R900: nothing
/// 17. two page buttons held    PA0 PB100 =panic@5100 (once)
struct GestureMachine: Sendable {
  struct Times: Sendable {
    var hold: UInt64
    var double: UInt64
    var repeating: DeviceSettings.Repeat?
  }

  static let panicTime: UInt64 = 5_000_000

  private enum Phase: Sendable {
    /// Nothing is left to decide; the release ends it.
    case settled
    /// Down, and not yet known what it is.
    case deciding
    /// Up, and a second press would make it a double.
    case waitingForSecond
    /// Down, and turning again at this time.
    case repeating(next: UInt64)
  }

  private struct Press: Sendable {
    let node: Int
    let button: Int
    let begin: UInt64
    var isDown: Bool
    var phase: Phase
    /// The latest time at which it is decided, if time decides it.
    var deadline: UInt64?
  }

  private let times: Times
  private var presses: [Press] = []
  private var panicDeadline: UInt64?
  private var panicIsOver = false
  /// More fingers than anybody has; a press beyond acts at once and is not followed.
  private static let most = 64

  init(times: Times) {
    self.times = times
    presses.reserveCapacity(GestureMachine.most)
  }

  // MARK: Events

  mutating func press(
    _ button: Int, of node: Int, at time: UInt64, _ buttons: [Button], _ chords: [Chord], into outcome: inout Outcome
  ) {
    let meaning = buttons[button]
    if meaning.hasChord, let index = partner(of: button, chords) {
      outcome.fire(index.command, .chord, time)
      settle(index.press)
      add(Press(node: node, button: button, begin: time, isDown: true, phase: .settled), buttons)
      return
    }
    if let double = meaning.double, let first = firstTap(of: meaning, buttons, before: time) {
      presses.remove(at: first)
      outcome.fire(double, .double, time)
      add(Press(node: node, button: button, begin: time, isDown: true, phase: .settled), buttons)
      return
    }
    guard meaning.actsAtOnce else {
      let press = Press(node: node, button: button, begin: time, isDown: true, phase: .deciding)
      add(press, buttons)
      return
    }
    if let tap = meaning.tap { outcome.fire(tap, .tap, time) }
    var press = Press(node: node, button: button, begin: time, isDown: true, phase: .settled)
    if let repeating = times.repeating, meaning.tap != nil, !meaning.isLatch {
      press.phase = .repeating(next: time.after(repeating.delay))
    }
    add(press, buttons)
  }

  mutating func release(
    _ button: Int, of node: Int, at time: UInt64, _ buttons: [Button], into outcome: inout Outcome
  ) {
    guard let index = presses.firstIndex(where: { $0.isDown && $0.button == button && $0.node == node }) else { return }
    // A deadline that lies before the release, or on it, comes first.
    while let deadline = presses[index].deadline, deadline <= time, outcome.fired.count < Outcome.mostFired {
      comeDue(index, buttons, into: &outcome)
    }
    let press = presses[index]
    guard case .deciding = press.phase else {
      remove(index, buttons)
      return
    }
    if buttons[button].double != nil, time < press.begin.after(times.double) {
      presses[index].isDown = false
      presses[index].phase = .waitingForSecond
      presses[index].deadline = press.begin.after(times.double)
      updatePanic(buttons)
    } else {
      if let tap = buttons[button].tap { outcome.fire(tap, .tap, time) }
      remove(index, buttons)
    }
  }

  /// Ends a press without a command: its release was made up after an overflow.
  mutating func drop(_ button: Int, of node: Int, _ buttons: [Button]) {
    guard let index = presses.firstIndex(where: { $0.isDown && $0.button == button && $0.node == node }) else { return }
    remove(index, buttons)
  }

  /// Ends all that is in progress without a command; releases find nothing to decide.
  mutating func cancel() {
    presses.removeAll { !$0.isDown }
    for index in presses.indices { settle(index) }
  }

  /// Ends what a node has in progress: a tap that only waited for its second counts, a cut press does not.
  mutating func end(_ node: Int, at time: UInt64, _ buttons: [Button], into outcome: inout Outcome) {
    var index = 0
    while index < presses.count {
      guard presses[index].node == node else {
        index += 1
        continue
      }
      if case .waitingForSecond = presses[index].phase, let tap = buttons[presses[index].button].tap {
        outcome.fire(tap, .tap, min(time, presses[index].deadline ?? time))
      }
      presses.remove(at: index)
    }
    updatePanic(buttons)
  }

  // MARK: Time

  /// The earliest deadline: of all nodes, or of one node.
  func nextDeadline(of node: Int?) -> UInt64? {
    var earliest: UInt64?
    for press in presses where node == nil || press.node == node { earliest = earlier(earliest, press.deadline) }
    if let panicDeadline, node == nil || presses.allSatisfy({ $0.node == node }) {
      earliest = earlier(earliest, panicDeadline)
    }
    return earliest
  }

  /// The earliest deadline apart from those of repeats, which never end by themselves.
  var nextFiniteDeadline: UInt64? {
    var earliest: UInt64?
    for press in presses {
      if case .repeating = press.phase { continue }
      earliest = earlier(earliest, press.deadline)
    }
    return earlier(earliest, panicDeadline)
  }

  /// Lets the deadlines up to and including `time` come due, in their order.
  mutating func comeDue(_ time: UInt64, of node: Int?, _ buttons: [Button], into outcome: inout Outcome) {
    if let deadline = panicDeadline, deadline <= time, node == nil || presses.allSatisfy({ $0.node == node }) {
      panicDeadline = nil
      panicIsOver = true
      outcome.isPanic = true
    }
    while true {
      var earliest = -1
      for index in presses.indices where node == nil || presses[index].node == node {
        guard let deadline = presses[index].deadline, deadline <= time else { continue }
        if earliest < 0 || deadline < presses[earliest].deadline! { earliest = index }
      }
      guard earliest >= 0 else { return }
      if outcome.fired.count >= Outcome.mostFired, case .repeating = presses[earliest].phase {
        // Too many at once: turns that nobody waits for any more.
        repeatAgain(earliest, at: time)
      } else {
        comeDue(earliest, buttons, into: &outcome)
      }
    }
  }

  /// Lets one press' deadline come due; the press may be gone afterwards.
  private mutating func comeDue(_ index: Int, _ buttons: [Button], into outcome: inout Outcome) {
    let press = presses[index]
    guard let deadline = press.deadline else { return }
    let meaning = buttons[press.button]
    switch press.phase {
    case .settled:
      presses[index].deadline = nil
    case .deciding:
      if let hold = meaning.hold {
        outcome.fire(hold, .hold, deadline)
        settle(index)
      } else {
        if let tap = meaning.tap { outcome.fire(tap, .tap, deadline) }
        settle(index)
        startRepeating(index, meaning, after: deadline)
      }
    case .waitingForSecond:
      if let tap = meaning.tap { outcome.fire(tap, .tap, deadline) }
      presses.remove(at: index)
    case .repeating:
      if let tap = meaning.tap { outcome.fire(tap, .repeat, deadline) }
      repeatAgain(index, at: deadline)
    }
  }

  // MARK: Parts

  private mutating func add(_ press: Press, _ buttons: [Button]) {
    guard presses.count < GestureMachine.most else { return }
    var press = press
    press.deadline = deadline(of: press, buttons[press.button])
    presses.append(press)
    updatePanic(buttons)
  }

  private mutating func remove(_ index: Int, _ buttons: [Button]) {
    presses.remove(at: index)
    updatePanic(buttons)
  }

  private mutating func settle(_ index: Int) {
    presses[index].phase = .settled
    presses[index].deadline = nil
  }

  private func deadline(of press: Press, _ meaning: Button) -> UInt64? {
    switch press.phase {
    case .settled: return nil
    case .repeating(let next): return next
    case .waitingForSecond: return press.begin.after(times.double)
    case .deciding:
      if meaning.hold != nil { return press.begin.after(times.hold) }
      if meaning.double != nil, !meaning.hasChord { return press.begin.after(times.double) }
      guard let repeating = times.repeating, meaning.tap != nil else { return nil }
      return press.begin.after(repeating.delay)
    }
  }

  private mutating func startRepeating(_ index: Int, _ meaning: Button, after time: UInt64) {
    guard let repeating = times.repeating, meaning.tap != nil, !meaning.isLatch else { return }
    let first = presses[index].begin.after(repeating.delay)
    let next = first > time ? first : time.after(repeating.interval)
    presses[index].phase = .repeating(next: next)
    presses[index].deadline = next
  }

  private mutating func repeatAgain(_ index: Int, at time: UInt64) {
    let next = time.after(max(times.repeating?.interval ?? .max, 1))
    presses[index].phase = .repeating(next: next)
    // At the end of time nothing repeats: the deadline could not move on.
    presses[index].deadline = next == .max ? nil : next
  }

  private func partner(of button: Int, _ chords: [Chord]) -> (press: Int, command: Command)? {
    for index in presses.indices where presses[index].isDown {
      guard case .deciding = presses[index].phase else { continue }
      for chord in chords where chord.joins(presses[index].button, button) { return (index, chord.command) }
    }
    return nil
  }

  /// The press of the same input, on whichever node, whose second press this is.
  private func firstTap(of meaning: Button, _ buttons: [Button], before time: UInt64) -> Int? {
    for index in presses.indices {
      guard case .waitingForSecond = presses[index].phase, let deadline = presses[index].deadline,
        time < deadline
      else { continue }
      let first = buttons[presses[index].button]
      if first.input == meaning.input || (first.tap == meaning.tap && first.double == meaning.double) { return index }
    }
    return nil
  }

  /// Two different page buttons, both down: the second of them began the panic hold.
  private mutating func updatePanic(_ buttons: [Button]) {
    guard presses.count > 1 else {
      panicDeadline = nil
      panicIsOver = false
      return
    }
    var first: UInt64?
    var second: UInt64?
    var firstButton = -1
    for press in presses where press.isDown && buttons[press.button].isHeldByFinger {
      if press.button == firstButton { continue }
      if first == nil {
        first = press.begin
        firstButton = press.button
      } else {
        second = earlier(second, max(press.begin, first!))
      }
    }
    guard let second else {
      panicDeadline = nil
      panicIsOver = false
      return
    }
    if !panicIsOver { panicDeadline = second.after(GestureMachine.panicTime) }
  }
}
