import EventLoop
import ReaderClient
import ReaderIPC
import Testing

@testable import InputDaemon

/// Server and client library together, on one loop whose time stands still.
@Suite struct EndToEndTests {
  private final class App {
    var commands: [Command] = []
    var others: [ReaderClient.Event] = []
    private(set) var client: ReaderClient!

    init(
      _ bed: ServerBed, role: ClientRole = .reader, paths: [String]? = nil, focus: Bool = false
    ) throws {
      client = ReaderClient(
        loop: bed.loop, name: "app", role: role, paths: { [paths = paths ?? [bed.path]] in paths },
        handler: { [unowned self] event in
          if case .command(let command) = event {
            self.commands.append(command.command)
          } else {
            self.others.append(event)
          }
        })
      client.hasFocus = focus
      client.start()
      try bed.settle()
    }

    deinit { client.stop() }
  }

  @Test func aClaimedReaderIsTurnedAndKeptAlive() throws {
    let bed = try ServerBed()
    let app = try App(bed, focus: true)
    #expect(app.others == [.connected(server: "pagerd test"), .active(true, devices: ["Clicker"])])
    try bed.pass(seconds: 30)
    #expect(app.others.count == 2, "its pongs keep it served")
    for command in Command.standard { try bed.press(command) }
    #expect(app.commands == Command.standard)
  }

  @Test func aRestartOfPagerdCostsNoClaim() throws {
    let bed = try ServerBed()
    let front = try App(bed, focus: true)
    let back = try App(bed)
    try bed.press(.next)
    bed.server.shutDown()
    try bed.pass(seconds: 1)
    #expect(!front.client.isGreeted)
    #expect(front.others.contains(.disconnected(.bye("shutdown"))))
    try bed.restart()
    try bed.pass(seconds: 3)
    #expect(front.client.isActive)
    #expect(!back.client.isActive)
    try bed.press(.prev)
    #expect(front.commands == [.next, .prev])
    #expect(back.commands == [])
  }

  /// Whoever comes, goes, claims and sleeps: each press reaches exactly one, and never one that may not have it.
  @Test(arguments: 1...4) func everyPressReachesExactlyOne(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let bed = try ServerBed()
    let anchor = try App(bed, role: .background)
    var apps: [App] = []
    var delivered = 0
    for _ in 0..<500 {
      switch random.next() % 5 {
      case 0 where apps.count < 12:
        apps.append(try App(bed, role: random.next() % 4 == 0 ? .background : .reader))
      case 1 where !apps.isEmpty:
        let gone = apps.remove(at: Int(random.next() % UInt64(apps.count)))
        delivered += gone.commands.count
        gone.client.stop()
      case 2, 3: apps.randomElement(using: &random)?.client.hasFocus = random.next() % 2 == 0
      default: try bed.pass(seconds: 0.3)
      }
      try bed.settle()
      let before = apps.map(\.commands.count)
      try bed.press(.next)
      let grown = zip(apps, before).filter { $0.commands.count > $1 }
      #expect(grown.count <= 1)
      for (app, _) in grown { #expect(app.client.isActive) }
    }
    for app in apps { delivered += app.commands.count }
    #expect(delivered + anchor.commands.count == 500)
    #expect(anchor.others.contains(.missed(1)) == false)
  }
}
