import PageKeys
import ReaderIPC
import Testing

@Suite struct LearnerTests {
  private func frame(_ events: [(UInt16, UInt16, Int32)], _ time: UInt64) -> [InputEvent] {
    (events + [(0, 0, 0)]).map { InputEvent(type: $0.0, code: $0.1, value: $0.2, time: time) }
  }

  @Test func aPedalIsLearned() throws {
    var pedal = Rig.keyboard("My \"Pedal\" [2] *\\")
    pedal.vendor = 0x1a86
    pedal.product = 0xe026
    var learner = Learner(nodes: [pedal])
    #expect(learner.question == .next)
    #expect(learner.process(frame([(1, 48, 1)], 0), from: 0) == .learned(.key(48), .next))
    #expect(learner.process(frame([(1, 48, 0)], 100_000), from: 0) == .nothing)
    // crosspoint-reader 3303: the same button twice is refused.
    #expect(learner.process(frame([(1, 48, 1)], 1_000_000), from: 0) == .refused(.key(48), .next))
    #expect(learner.question == .prev)
    #expect(learner.process(frame([(1, 48, 0)], 1_100_000), from: 0) == .nothing)
    #expect(learner.process(frame([(1, 30, 1)], 2_000_000), from: 0) == .learned(.key(30), .prev))
    #expect(learner.canTurn == true)
    // recalbox 1119: nobody is trapped by a button that the remote does not have.
    learner.skip()
    #expect(learner.isDone == true)
    #expect(learner.process(frame([(1, 46, 1)], 3_000_000), from: 0) == .nothing)
    learner.skip()

    var configuration = Configuration()
    try configuration.add(learner.profile, file: "learned.conf")
    let settings = configuration.settings(for: [pedal])
    #expect(settings.role == .pageTurner)
    #expect(settings.bindings == [Binding(.tap(.key(48)), .next), Binding(.tap(.key(30)), .prev)])
    var other = pedal
    other.name = "My \"Pedal\" 2 x\\"
    #expect(!configuration.settings(for: [other]).isNamed)
  }

  @Test func aFlickIsOneAnswer() {
    var learner = Learner(nodes: [Rig.keyboard()])
    #expect(learner.process(frame([(2, 8, -2)], 0), from: 0) == .learned(.wheel(.down), .next))
    #expect(learner.process(frame([(2, 8, -1)], 100_000), from: 0) == .nothing)
    #expect(learner.process(frame([(2, 8, -1)], 480_000), from: 0) == .nothing)
    #expect(learner.process(frame([(2, 8, 1)], 900_000), from: 0) == .learned(.wheel(.up), .prev))
  }

  @Test func aRingIsLearned() {
    var learner = Learner(nodes: [TouchTests.pen()])
    let down: [(UInt16, UInt16, Int32)] = [(1, KeyCode.touch, 1), (1, KeyCode.toolPen, 1), (3, 0, 3000), (3, 1, 2000)]
    #expect(learner.process(frame(down, 0), from: 0) == .nothing)
    #expect(learner.process(frame([(3, 0, 1000)], 100_000), from: 0) == .nothing)
    let up: [(UInt16, UInt16, Int32)] = [(1, KeyCode.touch, 0), (1, KeyCode.toolPen, 0)]
    #expect(learner.process(frame(up, 200_000), from: 0) == .learned(.swipe(.left), .next))
    #expect(learner.profile.contains("swipe-left = next"))
  }

  @Test func aPadIsLearned() throws {
    var pad = AxisTests.pad(AxisTests.byte, [0, 1, 5])
    pad.setAxis(0x11, AxisTests.hat)
    var learner = Learner(nodes: [pad], questions: [.next, .prev, .toggle, .first])
    #expect(learner.process(frame([(3, 5, 255)], 0), from: 0) == .learned(.axis(5, isPositive: true), .next))
    #expect(learner.process(frame([(3, 5, 128)], 100_000), from: 0) == .nothing)
    #expect(
      learner.process(frame([(3, 0x11, -1)], 900_000), from: 0) == .learned(.axis(0x11, isPositive: false), .prev))
    #expect(learner.process(frame([(3, 0, 0)], 1_900_000), from: 0) == .learned(.axis(0, isPositive: false), .toggle))
    #expect(learner.process(frame([(1, 0x130, 1)], 2_900_000), from: 0) == .learned(.key(0x130), .first))
    var configuration = Configuration()
    try configuration.add(learner.profile, file: "x")
    let settings = configuration.settings(for: [pad])
    #expect(settings.bindings.map(\.command) == [.next, .prev, .toggle, .first])
    #expect(settings.bindings.map(\.trigger) == learner.learned.map { .tap($0.input) })
  }

  @Test func aScanCodeIsLearned() {
    var learner = Learner(nodes: [ScanTests.remote()])
    #expect(learner.process(frame([(4, 4, 0x70052)], 0), from: 0) == .learned(.scan(0x70052), .next))
    #expect(learner.process(frame([(4, 4, 0x70052)], 30_000), from: 0) == .nothing)
    #expect(learner.profile.contains("scan 0x70052 = next"))
  }

  @Test func aRemoteOfSeveralNodesHasOneProfile() throws {
    var nodes = ["X Keyboard", "X Mouse"].map { Rig.keyboard($0) }
    nodes[1].product = 7
    var learner = Learner(nodes: nodes)
    _ = learner.process(frame([(1, 30, 1)], 0), from: 1)
    var configuration = Configuration()
    try configuration.add(learner.profile, file: "x")
    for node in nodes { #expect(configuration.settings(for: [node]).role == .pageTurner) }
  }

  @Test func ghostsTeachNothing() {
    var learner = Learner(nodes: [Rig.keyboard()])
    #expect(learner.process(frame([(1, 30, 1), (1, 48, 1), (1, 46, 1), (1, 32, 1)], 0), from: 0) == .nothing)
  }

  @Test(arguments: [
    (Input.key(115), "the key VOLUMEUP"), (.key(0x110), "the button BTN_LEFT"),
    (.wheel(.down), "the wheel turned down"),
    (.wheel(.right), "the wheel turned to the right"), (.dial(isRight: false), "the dial turned to the left"),
    (.axis(0x11, isPositive: false), "the cross pressed up"), (.axis(0, isPositive: true), "the stick pushed right"),
    (.axis(5, isPositive: true), "the axis ABS_RZ moved up"), (.swipe(.left), "a swipe to the left"),
    (.swipe(.up), "a swipe upwards"), (.touchTap, "a touch"), (.scan(0x70052), "the button with the number 0x70052"),
  ])
  func inputsHaveWords(_ input: Input, _ words: String) {
    #expect(input.words == words)
  }
}
