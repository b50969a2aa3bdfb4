import PageKeys
import Testing

@testable import InputDaemon

@Suite("What an overflow leaves")
struct OverflowTailTests {
  static func key(_ code: UInt16, _ value: Int32) -> InputEvent {
    InputEvent(type: EventType.key, code: code, value: value, time: 0)
  }
  static let end = InputEvent(type: EventType.syn, code: 0, value: 0, time: 0)
  static let dropped = InputEvent(type: EventType.syn, code: 3, value: 0, time: 0)

  /// The tail's events; the keys down before the gap; how libevdev says they differ now; the gap's own changes.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let queue: [InputEvent]
    var before: [UInt16] = []
    var differences: [InputEvent] = []
    let tail: [InputEvent]
    let gap: [InputEvent]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "nothing after it", queue: [], tail: [], gap: []),
    Case(name: "a release in the gap", queue: [], before: [30], differences: [key(30, 0)], tail: [], gap: [key(30, 0)]),
    Case(name: "a press in the gap", queue: [], differences: [key(30, 1)], tail: [], gap: [key(30, 1)]),
    Case(name: "the rest of a torn frame is void", queue: [key(30, 0), end], tail: [], gap: []),
    Case(
      name: "a whole press after it is real", queue: [end, key(114, 1), end, key(114, 0), end],
      tail: [key(114, 1), end, key(114, 0), end], gap: []),
    Case(
      name: "a press after it that is still down is real", queue: [end, key(114, 1), end], differences: [key(114, 1)],
      tail: [key(114, 1), end], gap: []),
    Case(
      name: "a release after it belongs to a press in the gap", queue: [end, key(114, 0), end],
      tail: [key(114, 0), end], gap: [key(114, 1)]),
    Case(
      name: "a release after it belongs to a press before the gap", queue: [end, key(114, 0), end], before: [114],
      differences: [key(114, 0)], tail: [key(114, 0), end], gap: []),
    Case(
      name: "released in the gap, pressed again after it", queue: [end, key(114, 1), end], before: [114],
      tail: [key(114, 1), end], gap: [key(114, 0)]),
    Case(
      name: "autorepeat tells nothing", queue: [end, key(30, 2), end], before: [30], tail: [key(30, 2), end], gap: []),
    Case(
      name: "a second overflow voids what came before it", queue: [end, key(114, 1), end, dropped, end],
      differences: [key(114, 1)], tail: [], gap: [key(114, 1)]),
    Case(
      name: "an axis that the tail moves is the tail's matter",
      queue: [end, InputEvent(type: EventType.abs, code: 0, value: 9, time: 0), end],
      differences: [
        InputEvent(type: EventType.abs, code: 0, value: 9, time: 0),
        InputEvent(type: EventType.abs, code: 1, value: 4, time: 0),
      ],
      tail: [InputEvent(type: EventType.abs, code: 0, value: 9, time: 0), end],
      gap: [InputEvent(type: EventType.abs, code: 1, value: 4, time: 0)]),
  ]

  @Test("What is real and what is invented", arguments: cases)
  func split(_ example: Case) {
    var tail = OverflowTail()
    for event in example.queue { tail.add(event) }
    #expect(tail.events == example.tail)
    #expect(tail.gap(from: KeyBits(example.before), differences: example.differences) == example.gap)
  }
}
