import CKernelShims
import Glibc

/// Every shared recording, played by evemu as its device, with the commands that must come out.
extension Scenarios {
  private struct Recording {
    var file: String
    var bindings: [String]
    var commands: [String]
    var isAuto: Bool
    var name = ""
    var axes: [(code: UInt16, rest: Int32)] = []
  }

  static func recordings(_ world: World) throws {
    var folder = Daemon.root.split(separator: "/").dropLast().map(String.init)
    folder.append("shared/traces")
    let traces = "/" + folder.joined(separator: "/")
    let table = Files.read(traces + "/expected.tsv") ?? ""
    world.check("the shared recordings are there", !table.isEmpty, traces)
    var left = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return describe(
        Recording(
          file: fields[0], bindings: fields[1] == "-" ? [] : fields[1].split(separator: " ").map(String.init),
          commands: fields[2] == "-" ? [] : fields[2].split(separator: " ").map(String.init),
          isAuto: fields[3].hasPrefix("role auto")), traces)
    }
    // All at once, but no two of one name.
    while !left.isEmpty {
      var batch: [Recording] = []
      var rest: [Recording] = []
      for recording in left {
        if batch.contains(where: { $0.name == recording.name }) {
          rest.append(recording)
        } else {
          batch.append(recording)
        }
      }
      try play(batch, traces, world)
      left = rest
    }
  }

  private static func describe(_ recording: Recording, _ traces: String) -> Recording {
    var recording = recording
    for line in (Files.read(traces + "/" + recording.file) ?? "").split(separator: "\n") {
      if line.hasPrefix("N: ") { recording.name = String(line.dropFirst(3)) }
      let words = line.split(separator: " ")
      if line.hasPrefix("A: "), words.count > 3, let code = UInt16(words[1], radix: 16), let low = Int32(words[2]),
        let high = Int32(words[3])
      {
        recording.axes.append((code, low / 2 + high / 2 + (low % 2 + high % 2) / 2))
      }
    }
    return recording
  }

  private static func play(_ batch: [Recording], _ traces: String, _ world: World) throws {
    world.configure(
      batch.filter { !$0.isAuto }.map { recording in
        "[device \"\(recording.name)\"]\nrole = page-turner\n"
          + recording.bindings.map { $0.replacing("=", with: " = ") + "\n" }.joined()
      }.joined())
    var nodes: [String] = []
    var makers: [Process] = []
    for recording in batch {
      let log = "/run/tmp/evemu-\(recording.file)"
      makers.append(try Process(["/usr/bin/evemu-device", traces + "/" + recording.file], log: log, in: world))
      try world.require("\(recording.file): evemu makes the device", detail: { Files.read(log) ?? "" }) {
        Files.read(log)?.contains("/dev/input/event") == true
      }
      let said = Files.read(log) ?? ""
      nodes.append(
        "/dev/input/event"
          + said[(said.firstRange(of: "/dev/input/event")?.upperBound ?? said.endIndex)...].prefix { $0.isNumber })
    }
    for (recording, node) in zip(batch, nodes) {
      try world.require("\(recording.file): its node opens") { access(node, R_OK | W_OK) == 0 }
      // A pad rests in the middle; without that its first throw to 0 is no change.
      let isTouch = try Observer(node, in: world)
      guard isTouch.capabilities(.key)[Int(Key.touch / 8)] & (1 << (Key.touch % 8)) == 0 else { continue }
      isTouch.write(recording.axes.map { Event(.absolute, $0.code, $0.rest) })
    }
    let daemon = try Daemon(in: world, label: "pagerd-\(batch.count)")
    let reader = try Subscriber(daemon, in: world)
    try reader.claim(world)
    for recording in batch where !recording.isAuto { try daemon.reach("held", recording.name) }
    let players = try zip(batch, nodes).map { recording, node in
      try Process(
        ["/bin/sh", "-c", "exec /usr/bin/evemu-play \(node) < \(traces)/\(recording.file)"],
        log: "/run/tmp/play-\(recording.file)", in: world)
    }
    try world.require("evemu plays to the end", seconds: 60) { players.allSatisfy { $0.exitCode != nil } }
    func commands(of recording: Recording) -> [String] {
      reader.commands.filter { $0.device == recording.name }.map(\.command)
    }
    _ = world.wait(seconds: 5) { batch.allSatisfy { commands(of: $0).count >= $0.commands.count } }
    // Nothing may follow: a hold, a pair of scan codes that closes late.
    world.pass(milliseconds: 1200)
    for recording in batch {
      world.equal(recording.file, commands(of: recording), recording.commands, daemon.tail)
    }
    world.equal("no command from any other device", reader.commands.count, batch.map(\.commands.count).reduce(0, +))
    let clones = InputNode.all().filter { $0.phys.hasPrefix("pagerd/") }
    let sources = try nodes.map { try Observer($0, in: world).kernelDown }
    for clone in clones {
      let pressed = try Observer(clone.path, in: world).kernelDown
      world.check(
        "\(clone.name): nothing is pressed on the clone that is not on the device",
        pressed.isEmpty || sources.contains { pressed.isSubset(of: $0) }, "\(pressed), devices \(sources)")
    }
    daemon.process.end()
    for maker in makers { maker.signal(SIGTERM) }
    try world.require("the devices go") { makers.allSatisfy { $0.exitCode != nil } }
  }
}
