internal import EventLoop
internal import Glibc
internal import InputDaemon
internal import PageKeys
internal import ReaderIPC

/// One lesson: questions on the terminal, answers from a device.
final class Lesson {
  /// µs at the start in which nothing counts: the Enter that began the lesson is still on its way.
  private static let quietStart: UInt64 = 400_000
  /// µs after which a question that nobody answers is passed over: not every remote has three buttons, and not
  /// everybody has a keyboard at hand.
  private static let patience: UInt64 = 30_000_000

  private(set) var result = ExitCode.failure
  private let loop: EventLoop
  private let watcher: RawWatcher
  private let file: String?
  private let isDone: () -> Void
  /// All remotes among which the first press chooses.
  private var pupils: [Pupil] = []
  private var chosen: Pupil?
  private var began: UInt64 = 0
  private var timer: Timer?
  private var hasEnded = false

  /// One remote: its nodes, and what it has taught.
  private final class Pupil {
    let nodes: [RawWatcher.Node]
    var learner: Learner
    var frames: [[InputEvent]]

    init(_ nodes: [RawWatcher.Node]) {
      self.nodes = nodes
      learner = Learner(nodes: nodes.map(\.description))
      frames = [[InputEvent]](repeating: [], count: nodes.count)
    }

    var name: String { RemoteIdentity.name(of: nodes.map(\.description)) }
  }

  /// - Parameters:
  ///   - device: the name or the node of the only device that counts.
  ///   - file: where the profile goes.
  ///   - isDone: called once, when `result` stands.
  /// - Throws: what udev or the loop refuses; ENODEV when there is no such device.
  init(loop: EventLoop, device: String?, file: String?, isDone: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    self.file = file
    self.isDone = isDone
    watcher = try RawWatcher(loop: loop)
    var groups: [[RawWatcher.Node]] = []
    for var node in watcher.nodes {
      // Ranges are needed for sticks and swipes; a node that may not be opened is at least a set of keys.
      node.description = (try? watcher.description(of: node)) ?? node.description
      let identity = RemoteIdentity(node.description)
      let known = groups.firstIndex { identity != nil && RemoteIdentity($0[0].description) == identity }
      if let known { groups[known].append(node) } else { groups.append([node]) }
    }
    pupils = groups.map(Pupil.init)
    if let device {
      pupils = pupils.filter { pupil in
        pupil.name == device || pupil.nodes.contains { $0.name == device || $0.path == device }
      }
      guard let pupil = pupils.first else { throw SystemError(.open, errno: ENODEV, subject: device) }
      chosen = pupil
    }
  }

  deinit { timer?.invalidate() }

  var nodeCount: Int { pupils.reduce(0) { $0 + $1.nodes.count } }

  /// Opens the devices itself.
  ///
  /// - Returns: how many nodes could not be opened.
  func watch() -> Int {
    watcher.watch(pupils.flatMap(\.nodes)) { [unowned self] event, node in take(event, from: node.path) }.count
  }

  /// Asks the first question.
  func begin() throws(SystemError) {
    began = loop.now
    timer = loop.makeTimer { [unowned self] in passOver("Nothing came for half a minute.") }
    // Enter passes over a question; without a terminal there is nobody to press it.
    do throws(SystemError) {
      try loop.add(0, .readable) { [unowned self] _ in readAnswer() }
    } catch {
      guard error.errno == EPERM else { throw error }
    }
    Output.print("Teaching pagerd a device. Ctrl-C leaves everything as it was.")
    ask()
  }

  func abandon() {
    guard !hasEnded else { return }
    hasEnded = true
    Output.print("\nNothing was written.")
    result = .failure
    isDone()
  }

  // MARK: Questions

  private func ask() {
    timer?.deadline = loop.now + Lesson.patience
    let question = (chosen ?? pupils.first)?.learner.question
    guard let question else { return end() }
    let whose = chosen.map { " on \($0.name)" } ?? ", on the device itself"
    Output.print("Press the button \(Lesson.purpose(question))\(whose). (Enter: there is none)")
  }

  static func purpose(_ command: Command) -> String {
    switch command {
    case .next: "for the next page"
    case .prev: "for the previous page"
    case .toggle: "that shows or hides the reader's controls"
    default: "for \(command)"
    }
  }

  private func readAnswer() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(0, &bytes, bytes.count)
    guard count > 0 else {
      // Nobody is there (any more) to press Enter; the time-out passes over questions.
      if count == 0 || errno != EAGAIN { closeInput() }
      return
    }
    if bytes.prefix(count).contains(UInt8(ascii: "\n")) { passOver(nil) }
  }

  private func closeInput() {
    // Level-triggered, an ended input would wake the loop for ever.
    let null = open("/dev/null", O_RDONLY)
    if null > 0 {
      dup2(null, 0)
      close(null)
    }
  }

  private func passOver(_ why: String?) {
    guard !hasEnded, loop.now >= began + Lesson.quietStart else { return }
    if let why { Output.print(why) }
    guard let chosen else {
      for pupil in pupils { pupil.learner.skip() }
      return ask()
    }
    chosen.learner.skip()
    ask()
  }

  // MARK: Answers

  func take(_ event: InputEvent, from path: String) {
    guard !hasEnded, began > 0 else { return }
    for pupil in pupils where chosen == nil || chosen === pupil {
      guard let node = pupil.nodes.firstIndex(where: { $0.path == path }) else { continue }
      if pupil.frames[node].count < 512 { pupil.frames[node].append(event) }
      guard event.isFrameEnd else { return }
      let answer = pupil.learner.process(pupil.frames[node], from: node)
      pupil.frames[node].removeAll(keepingCapacity: true)
      // Early presses are looked at all the same, so that their releases are no presses of their own.
      handle(answer, of: pupil)
      return
    }
  }

  private func handle(_ answer: Learner.Answer, of pupil: Pupil) {
    switch answer {
    case .nothing: return
    case .learned(let input, _):
      if loop.now < began + Lesson.quietStart {
        // The Enter that started this. Nothing was asked yet.
        if let index = pupils.firstIndex(where: { $0 === pupil }) {
          let fresh = Pupil(pupil.nodes)
          pupils[index] = fresh
          if chosen === pupil { chosen = fresh }
        }
        return
      }
      if chosen == nil { Output.print("This is \(pupil.name).") }
      chosen = pupil
      Output.print("  I saw \(input.words).")
      ask()
    case .refused(let input, let command):
      Output.print("  I saw \(input.words), but that is the button \(Lesson.purpose(command)) already. Another one:")
      timer?.deadline = loop.now + Lesson.patience
    }
  }

  // MARK: The end

  private func end() {
    hasEnded = true
    timer?.deadline = nil
    if let chosen, chosen.learner.canTurn {
      result = write(chosen)
    } else {
      Output.print("There is no button for the next and for the previous page, so nothing was written.")
      result = .failure
    }
    isDone()
  }

  private func write(_ pupil: Pupil) -> ExitCode {
    let profile = Lesson.profile(pupil.learner.profile, isKeyboard: pupil.nodes.contains(where: \.isKeyboard))
    if file == "-" {
      Output.raw(profile)
      return .success
    }
    let folder = Invocation.defaultFolder + "/devices.d"
    let path = file ?? folder + "/" + Lesson.fileName(pupil.name)
    if file == nil {
      mkdir(Invocation.defaultFolder, 0o755)
      mkdir(folder, 0o755)
    }
    do throws(SystemError) {
      try TextFile.write(profile, to: path)
      Output.print("Written to \(path).")
      return .success
    } catch {
      Output.error("pagerd: \(error); here it is, to be put there by somebody who may:\n\n\(profile)")
      return error.isPermission ? .noRights : .failure
    }
  }

  /// A keyboard is shared: its other keys go on typing.
  static func profile(_ text: String, isKeyboard: Bool) -> String {
    guard isKeyboard else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix("role"), line.hasSuffix("= page-turner") else { return String(line) }
      return String(line.dropLast("page-turner".count)) + "shared"
    }
    return lines.joined(separator: "\n")
  }

  /// The device's name as a file's.
  static func fileName(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): text.unicodeScalars.append(Unicode.Scalar(byte + 32))
      default: if !text.hasSuffix("-"), !text.isEmpty { text += "-" }
      }
    }
    while text.hasSuffix("-") { text.removeLast() }
    return (text.isEmpty ? "device" : String(text.prefix(64))) + ".conf"
  }
}

extension RawWatcher.Node {
  /// It types letters.
  var isKeyboard: Bool { DeviceClasses(description).contains(.keyboard) }
}
