public import ReaderIPC

/// Learns what the buttons of one remote send, one command after the other.
///
///  1. press                         learned, the next command is asked for
///  2. the same press again          refused: it has a command already
///  3. a flick of several notches    one answer; what follows within 400 ms belongs to it
///  4. `skip()`                      the command stays without a button
///  5. all commands asked            `isDone`
public struct Learner: ~Copyable, Sendable {
  /// What came of a frame.
  public enum Answer: Sendable, Equatable {
    /// Nothing was pressed, or it belongs to the press before.
    case nothing
    case learned(Input, Command)
    /// The button has this command already.
    case refused(Input, Command)
  }

  private static let quietTime: UInt64 = 400_000

  private let nodes: [NodeDescription]
  private let questions: [Command]
  private var position = 0
  private var pipeline: RemotePipeline
  private var outcome = Outcome()
  private var quietUntil: UInt64 = 0
  /// In the order in which they were learned.
  public private(set) var learned: [(input: Input, command: Command)] = []

  /// - Parameter nodes: of one remote; a frame names its node by the position here.
  public init(nodes: [NodeDescription], questions: [Command] = [.next, .prev, .toggle]) {
    self.nodes = nodes
    self.questions = questions
    pipeline = RemotePipeline(settings: DeviceSettings())
    pipeline.reportsPresses = true
    for node in nodes { _ = pipeline.attach(node, role: .pageTurner, state: NodeState(node)) }
  }

  /// The command whose button is asked for; nil when all have been.
  public var question: Command? { position < questions.count ? questions[position] : nil }
  public var isDone: Bool { question == nil }
  /// Without these two there is nothing to turn pages with.
  public var canTurn: Bool { learned.contains { $0.command == .next } && learned.contains { $0.command == .prev } }

  /// Takes one frame, its SYN_REPORT included.
  public mutating func process(_ frame: [InputEvent], from node: Int) -> Answer {
    guard let question, let time = frame.last?.time else { return .nothing }
    // Nothing waits for a deadline here: only presses are looked at.
    pipeline.advance(to: time, into: &outcome)
    frame.withUnsafeBufferPointer { pipeline.process($0, from: node, routed: true, into: &outcome) }
    guard let input = outcome.presses.first else { return .nothing }
    let isQuiet = time < quietUntil
    quietUntil = time.after(Learner.quietTime)
    if isQuiet { return .nothing }
    if let other = learned.first(where: { $0.input == input }) { return .refused(input, other.command) }
    learned.append((input, question))
    position += 1
    return .learned(input, question)
  }

  /// Goes on without a button for this command: not every remote has one.
  public mutating func skip() {
    if !isDone { position += 1 }
  }

  /// A profile that says what was learned; it can be read again by `Configuration.add`.
  public var profile: String {
    var text = "# Written by pagerd learn.\n"
    text += "[device \"\(Learner.pattern(nodes))\"]\n"
    var seen: [String] = []
    for node in nodes where node.bus != 0 || node.vendor != 0 || node.product != 0 {
      let identifier = [node.bus, node.vendor, node.product].map(Learner.hex).joined(separator: ":")
      if !seen.contains(identifier) { seen.append(identifier) }
    }
    let lines =
      (seen.isEmpty ? [] : [("id", seen.joined(separator: " "))]) + [("role", Role.pageTurner.rawValue)]
      + learned.map { ($0.input.description, $0.command.description) }
    let width = lines.map { $0.0.count }.max() ?? 0
    for (name, value) in lines {
      text += name + String(repeating: " ", count: width - name.count) + " = " + value + "\n"
    }
    return text
  }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The remote's name as a pattern that means all of its nodes and itself, in quotes' spelling.
  private static func pattern(_ nodes: [NodeDescription]) -> String {
    var text = ""
    for scalar in RemoteIdentity.name(of: nodes).unicodeScalars {
      switch scalar {
      case "*", "?", "[", "\\": text += scalar == "\\" ? "\\\\\\\\" : "\\\\" + String(scalar)
      case "\"": text += "\\\""
      case _ where scalar.value < 0x20 || scalar.value == 0x7f || scalar.properties.isWhitespace && scalar != " ":
        text += "?"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return nodes.count > 1 ? text + "*" : text
  }
}

extension Input {
  /// In plain words: "the key VOLUMEUP", "a swipe to the left".
  public var words: String {
    switch self {
    case .key(let code):
      KeyNames.name(ofKey: code).hasPrefix("BTN_") ? "the button \(self)" : "the key \(self)"
    case .wheel(.up), .wheel(.down): "the wheel turned \(self == .wheel(.up) ? "up" : "down")"
    case .wheel(.left), .wheel(.right): "the wheel turned to the \(self == .wheel(.left) ? "left" : "right")"
    case .dial(let isRight): "the dial turned to the \(isRight ? "right" : "left")"
    case .axis(AbsoluteCode.hat0X, _), .axis(AbsoluteCode.hat0Y, _): "the cross pressed \(direction)"
    case .axis(AbsoluteCode.x, _), .axis(AbsoluteCode.y, _): "the stick pushed \(direction)"
    case .axis(let code, let isPositive):
      "the axis \(KeyNames.name(ofAbsolute: code)) moved \(isPositive ? "up" : "down")"
    case .swipe(.up), .swipe(.down): "a swipe \(self == .swipe(.up) ? "upwards" : "downwards")"
    case .swipe(.left), .swipe(.right): "a swipe to the \(self == .swipe(.left) ? "left" : "right")"
    case .touchTap: "a touch"
    case .scan(let usage): "the button with the number 0x\(String(usage, radix: 16))"
    }
  }

  /// What follows the dash of `hat-left` and `stick-up`.
  private var direction: String {
    description.split(separator: "-").last.map(String.init) ?? description
  }
}
