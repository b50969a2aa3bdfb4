import Glibc
import ReaderIPC
import TestSupport
import Testing

/// The bytes of a fixture.
func fixture(_ name: String) throws -> [UInt8] {
  let file = try #require(fopen("\(TestPaths.root)/Tests/Fixtures/\(name)", "r"), "\(name) is missing")
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65536)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  return bytes
}

private let clientMessages: [(String, ClientMessage)] = [
  ("subscribe-reader", .subscribe(client: "reader", role: .reader)),
  ("subscribe-background", .subscribe(client: "pagerd subscribe", role: .background)),
  ("subscribe-observer", .subscribe(client: "über \"x\"", role: .observer)),
  ("focus-true", .focus(true)),
  ("focus-false", .focus(false)),
  ("ping", .ping),
  ("pong", .pong),
  ("send-next", .send(.next)),
  ("send-prev-chapter", .send(.prevChapter)),
  ("send-custom", .send(Command("custom:lamp-2") ?? .next)),
  ("status", .status),
  ("devices", .devices),
  ("reload", .reload),
  ("monitor", .monitor(raw: false)),
  ("monitor-raw", .monitor(raw: true)),
  ("record", .record(node: "/dev/input/event5")),
  ("emit-on", .emit(true)),
  ("emit-off", .emit(false)),
]

private func command(
  _ text: String, _ device: String, _ gesture: Gesture, _ seq: UInt64, _ time: UInt64
) -> ServerMessage {
  .command(
    PageCommand(
      command: Command(text) ?? .next, device: device, gesture: gesture, seq: seq, timeMicroseconds: time))
}

private let serverMessages: [(String, ServerMessage)] = [
  ("hello", .hello(protocol: 1, server: "pagerd 0.1.0")),
  ("active", .active(true, devices: ["AB Shutter3", "Tab\there"])),
  ("active-false", .active(false, devices: [])),
  ("command-tap", command("next", "AB Shutter3", .tap, 17, 81_234_567)),
  ("command-hold", command("next-chapter", "Ring \\ \"R1\"", .hold, 1, 0)),
  ("command-double", command("custom:lamp", "翻页器", .double, .max, .max)),
  ("command-chord", command("toggle", "", .chord, 2, 3)),
  ("command-repeat", command("prev", "a\u{1}b\u{7F}", .repeat, 2, 3)),
  ("command-send", command("back", "send", .tap, 4, 5)),
  ("ping", .ping),
  ("pong", .pong),
  ("error", .error(code: "bad-frame", message: "expected a JSON object, at byte 0")),
  ("error-no-reader", .error(code: "no-reader", message: "nobody takes commands now")),
  ("bye", .bye(reason: "shutdown")),
  (
    "status",
    .status(
      StatusReport(
        server: "pagerd 0.1.0", isRouting: true, isEmitting: false, clients: 2,
        devices: [
          DeviceStatus(
            name: "AB Shutter3", nodes: ["/dev/input/event5", "/dev/input/event6"], role: .pageTurner, state: .held,
            batteryPercent: 80),
          DeviceStatus(name: "AT keyboard", nodes: ["/dev/input/event0"], role: .ignore, state: .ignored),
        ]))
  ),
  (
    "devices",
    .devices(
      StatusReport(
        server: "pagerd 0.1.0", isRouting: false, isEmitting: true, clients: 1,
        devices: [
          DeviceStatus(
            name: "Presenter", nodes: ["/dev/input/event7"], role: .shared, state: .busy, seat: "seat1",
            detail: "keyd has it")
        ], omitted: 3))
  ),
  ("reload", .reload(errors: [])),
  ("reload-errors", .reload(errors: ["/etc/pagerd/pagerd.conf:3:7: expected a role"])),
  ("monitor", .monitor(raw: true)),
  (
    "event",
    .event(
      RawEvent(type: 1, code: 115, value: .min, timeMicroseconds: 81_234_567), device: "AB Shutter3",
      node: "/dev/input/event5")
  ),
  ("record", .record(node: "/dev/input/event5")),
  ("record-line", .recordLine("N: AB Shutter3")),
  ("emit", .emit(true)),
]

@Suite struct GoldenTests {
  @Test(arguments: clientMessages) func client(_ name: String, _ message: ClientMessage) throws {
    let golden = try fixture("wire/client/\(name).json")
    var written: [UInt8] = []
    message.append(to: &written)
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
    #expect(try ClientMessage(golden, 0..<(golden.count - 1)) == message)
  }

  @Test(arguments: serverMessages) func server(_ name: String, _ message: ServerMessage) throws {
    let golden = try fixture("wire/server/\(name).json")
    var written: [UInt8] = []
    message.append(to: &written)
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
    #expect(try ServerMessage(golden, 0..<(golden.count - 1)) == message)
  }

  /// No file is left over, and none is missing: every message is written down.
  @Test func everyFileIsTested() throws {
    for (folder, names) in [("client", clientMessages.map(\.0)), ("server", serverMessages.map(\.0))] {
      var found: Set<String> = []
      let directory = try #require(opendir("\(TestPaths.root)/Tests/Fixtures/wire/\(folder)"))
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasSuffix(".json") { found.insert(String(name.dropLast(5))) }
      }
      #expect(found == Set(names))
    }
  }
}
