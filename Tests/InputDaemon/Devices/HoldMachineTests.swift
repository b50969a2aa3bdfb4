import Testing

@testable import InputDaemon

@Suite("Hold machine")
struct HoldMachineTests {
  /// One thing that the machine is told, and what it must answer.
  enum Step: Sendable {
    case announced(UInt64)
    case update(wanted: Bool, clear: Bool, at: UInt64, HoldMachine.Action)
    case tried(HoldMachine.Attempt, at: UInt64, HoldMachine.Action)
    case retire(HoldMachine.Action)
    case deadline(UInt64?)
    case phase(HoldMachine.Phase)
  }

  struct Timeline: Sendable, CustomTestStringConvertible {
    let number: Int
    let steps: [Step]
    var testDescription: String { "timeline \(number)" }
  }

  static let second: UInt64 = 1_000_000
  static let toHeld: [Step] = [
    .announced(0), .update(wanted: true, clear: true, at: 500_000, .take), .tried(.held, at: 500_000, .none),
    .phase(.held),
  ]
  static let toBusy: [Step] = [
    .announced(0), .update(wanted: true, clear: true, at: second, .take), .tried(.busy, at: second, .none),
    .phase(.busy), .deadline(second * 3 / 2),
  ]
  static let toWaiting: [Step] = [
    .announced(0), .update(wanted: true, clear: false, at: second, .take), .tried(.keyDown, at: second, .watch),
    .phase(.waitingForKey),
  ]

  static let timelines: [Timeline] = [
    Timeline(number: 1, steps: [.update(wanted: true, clear: true, at: second * 9, .none), .deadline(nil)]),
    Timeline(
      number: 2,
      steps: [
        .announced(second), .update(wanted: true, clear: true, at: second + 499_999, .none),
        .deadline(second + 500_000),
      ]),
    Timeline(number: 3, steps: toHeld + [.deadline(nil)]),
    Timeline(
      number: 4,
      steps: toWaiting + [
        .deadline(nil), .update(wanted: true, clear: false, at: second * 2, .none),
        .update(wanted: true, clear: true, at: second * 3, .take), .tried(.held, at: second * 3, .none), .phase(.held),
      ]),
    Timeline(
      number: 5,
      steps: toWaiting + [.update(wanted: false, clear: false, at: second * 2, .unwatch), .phase(.ready)]),
    Timeline(
      number: 6,
      steps: toBusy + [
        .update(wanted: true, clear: true, at: second * 3 / 2 - 1, .none),
        .update(wanted: true, clear: true, at: second * 3 / 2, .take),
        .tried(.busy, at: second * 3 / 2, .none), .deadline(second * 5 / 2),
        .update(wanted: true, clear: true, at: second * 5 / 2, .take), .tried(.busy, at: second * 5 / 2, .none),
        .deadline(second * 9 / 2),
      ]),
    Timeline(
      number: 7,
      steps: toBusy + [.update(wanted: false, clear: true, at: second, .none), .phase(.ready), .deadline(nil)]),
    Timeline(
      number: 8,
      steps: toHeld + [.update(wanted: false, clear: true, at: second, .giveBack), .phase(.ready)]),
    Timeline(
      number: 9,
      steps: toHeld + [
        .update(wanted: false, clear: false, at: second, .none), .phase(.held),
        .update(wanted: false, clear: true, at: second * 2, .giveBack), .phase(.ready),
      ]),
    Timeline(
      number: 10,
      steps: toHeld + [
        .update(wanted: false, clear: false, at: second, .none), .update(wanted: true, clear: false, at: second, .none),
        .update(wanted: true, clear: true, at: second, .none), .phase(.held),
      ]),
    Timeline(
      number: 11,
      steps: toHeld + [
        .retire(.giveBack), .phase(.retired), .update(wanted: true, clear: true, at: second * 9, .none), .retire(.none),
      ]),
    Timeline(
      number: 12,
      steps: [
        .announced(0), .update(wanted: true, clear: true, at: second, .take), .tried(.gone, at: second, .none),
        .phase(.ready), .deadline(nil), .update(wanted: true, clear: true, at: second * 2, .none),
      ]),
    Timeline(
      number: 13,
      steps: [
        .announced(0), .update(wanted: true, clear: true, at: second, .take), .tried(.failed, at: second, .none),
        .phase(.busy), .deadline(second * 3 / 2),
      ]),
    Timeline(
      number: 14,
      steps: toHeld + [
        .announced(second * 5), .update(wanted: false, clear: true, at: second * 6, .giveBack),
        .update(wanted: true, clear: true, at: second * 6, .take),
      ]),
    Timeline(
      number: 15,
      steps: toWaiting + [
        .update(wanted: true, clear: true, at: second * 2, .take), .tried(.busy, at: second * 2, .unwatch),
        .phase(.busy),
      ]),
    Timeline(number: 16, steps: toWaiting + [.retire(.unwatch), .phase(.retired)]),
  ]

  @Test("Every timeline", arguments: timelines)
  func timeline(_ timeline: Timeline) {
    var machine = HoldMachine()
    for step in timeline.steps {
      switch step {
      case .announced(let time): machine.cloneAnnounced(at: time)
      case .update(let wanted, let clear, let time, let expected):
        let action = machine.update(isWanted: wanted, noKeyDown: clear, at: time)
        #expect(action == expected)
      case .tried(let attempt, let time, let expected):
        let action = machine.tried(attempt, at: time)
        #expect(action == expected)
      case .retire(let expected):
        let action = machine.retire()
        #expect(action == expected)
      case .deadline(let expected): #expect(machine.nextDeadline == expected)
      case .phase(let expected): #expect(machine.phase == expected)
      }
    }
  }
}
