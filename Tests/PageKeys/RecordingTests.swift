import PageKeys
import ReaderIPC
import TestSupport
import Testing

@Suite struct RecordingTests {
  static let head = "# EVEMU 1.3\nN: X\nI: 0003 046d c538 0111\nP: 00 00 00 00 00 00 00 00\n"

  @Test func allPartsAreRead() throws {
    let text =
      RecordingTests.head
      + "B: 00 13 00 10 00 00 00 00 00\nB: 01 02 00 00 00 00 00 00 00\nB: 01 00 00 00 00 00 00 0c 00\nB: 05 01\n"
      + "A: 00 -32768 32767 16 128 7\nA: 10 -1 1 0 0\nL: 00 1\nS: 00 1\n"
      + "E: 0.000001 0001 0073 1\t# EV_KEY\nE: 12.345678 0000 0000 -1\nE: 1.5 0000 0000 0\n"
    let recording = try Recording(evemu: text)
    #expect(recording.node.name == "X")
    #expect(recording.node.bus == 3 && recording.node.vendor == 0x46d && recording.node.product == 0xc538)
    #expect(recording.node.keys == [1, 114, 115])
    #expect(recording.node.switches == [0])
    #expect(recording.node.hasRepeat)
    #expect(recording.node.axes[0] == AxisInfo(minimum: -32768, maximum: 32767, fuzz: 16, flat: 128, resolution: 7))
    #expect(recording.node.axes[16] == AxisInfo(minimum: -1, maximum: 1))
    #expect(recording.events.map(\.time) == [1, 12_345_678, 1_500_000])
    #expect(recording.events[1].value == -1)
  }

  @Test(arguments: [
    ("", "recording: this is no evemu recording: it has neither a device nor an event"),
    ("hello", "recording, line 1: expected N:, I:, P:, B:, A:, L:, S: or E: at the beginning of the line"),
    ("X: 1", "recording, line 1: expected N:, I:, P:, B:, A:, L:, S: or E: at the beginning of the line"),
    ("N: a\nI: 1 2", "recording, line 2: expected I: and four hexadecimal numbers: bus, vendor, product, version"),
    ("I: 10000 0 0 0", "recording, line 1: expected I: and four hexadecimal numbers: bus, vendor, product, version"),
    ("B: 01 zz", "recording, line 1: expected bytes in hexadecimal"),
    ("B: 01 100", "recording, line 1: expected bytes in hexadecimal"),
    ("B:", "recording, line 1: expected B: and an event type in hexadecimal"),
    (
      "A: 40 0 1 0 0 0",
      "recording, line 1: expected A: and the axis (hexadecimal), minimum, maximum, fuzz, flat, resolution"
    ),
    ("A: 00 0 99999999999 0 0 0", "recording, line 1: expected numbers after the axis"),
    ("E: 1 2 3", "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"),
    (
      "E: x.1 0001 0001 1",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
    (
      "E: 1.1234567 0001 0001 1",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
    (
      "E: -1.0 0001 0001 1",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
    (
      "E: 99999999999999999.0 0001 0001 1",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
    (
      "E: 1.0 10000 0001 1",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
    (
      "E: 1.0 0001 0001 2147483648",
      "recording, line 1: expected E: and seconds.microseconds, type and code (hexadecimal), value"
    ),
  ])
  func faultsNameTheLine(_ text: String, _ expected: String) {
    do {
      _ = try Recording(evemu: text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func hostileBytesEndInAFaultOrInARecording() {
    var seed = Seed(1)
    let lines = [
      "N: X", "I: 3 1 1 1", "P: ff", "B: 01 ff ff", "B: 03 ff", "A: 00 0 255 0 0 0", "E: 0.1 0003 0000 5",
      "E: 0.2 0 0 0", "\u{0}", "é", ":", "E:",
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<(seed.next() % 12) {
        bytes += Array(lines[Int(seed.next() % UInt64(lines.count))].utf8)
        if seed.next() % 5 == 0, !bytes.isEmpty {
          bytes[Int(seed.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: seed.next())
        }
        bytes.append(10)
      }
      guard let recording = try? Recording(evemu: bytes) else { continue }
      _ = recording.replay(Configuration(), role: .pageTurner)
    }
    #expect((try? Recording(evemu: Array("N: ".utf8) + [UInt8](repeating: 65, count: 100_000))) == nil)
    #expect((try? Recording(evemu: Array("N: ".utf8) + [0xff, 0xfe])) != nil)
    let many = String(repeating: "B: 01 ff ff ff ff ff ff ff ff\n", count: 10_000)
    #expect((try? Recording(evemu: "N: x\n" + many))?.node.keys.count == CodeCount.key)
  }

  @Test func timesThatJumpBreakNothing() throws {
    let text =
      RecordingTests.head + "B: 01 00 00 00 00 00 00 00 00\nB: 01 00 00 00 00 00 00 0c 00\n"
      + "E: 1000000000.000000 0001 0073 1\nE: 1000000000.000000 0000 0000 0\n"
      + "E: 0.000000 0001 0073 0\nE: 0.000000 0000 0000 0\n"
      + "E: 1099511627775.0 0001 0072 1\nE: 1099511627775.0 0000 0000 0\n"
    var configuration = Configuration()
    try configuration.add("[device \"X\"]\nrepeat = 10ms/10ms\nhold VOLUMEDOWN = last\ndebounce = 5ms", file: "x")
    let fired = try Recording(evemu: text).replay(configuration, role: .pageTurner)
    #expect(fired.map(\.command) == [.prev, .last])
  }

  /// A recording that ends with a key down: its repeats end with it.
  @Test func aRecordingThatEndsWithAKeyDownEnds() throws {
    var configuration = Configuration()
    try configuration.add("[device \"X\"]\nrepeat = 400ms/150ms", file: "x")
    var recording = try Recording(evemu: RecordingTests.head)
    recording.node.keys = [115]
    recording.events = [
      InputEvent(type: 1, code: 115, value: 1, time: 0), InputEvent(type: 0, code: 0, value: 0, time: 0),
    ]
    #expect(recording.replay(configuration, role: .pageTurner).count == 1)
    recording.events += [
      InputEvent(type: 3, code: 40, value: 1, time: 800_000), InputEvent(type: 0, code: 0, value: 0, time: 800_000),
    ]
    #expect(recording.replay(configuration, role: .pageTurner).map(\.time) == [0, 400_000, 550_000, 700_000])
  }

  @Test func whatTheRecorderLostIsLost() throws {
    var recording = try Recording(evemu: RecordingTests.head)
    recording.node.keys = [114, 115]
    func event(_ type: UInt16, _ code: UInt16, _ value: Int32, _ time: UInt64) {
      recording.events.append(InputEvent(type: type, code: code, value: value, time: time))
    }
    event(1, 115, 1, 0)
    event(0, 0, 0, 0)
    event(0, 3, 0, 100)
    event(1, 114, 1, 100)
    event(0, 0, 0, 100)
    event(1, 115, 1, 900_000)
    event(0, 0, 0, 900_000)
    #expect(recording.replay(Configuration(), role: .pageTurner).map(\.time) == [0, 900_000])
  }

  @Test func afterTheLastEventTimeRunsOn() throws {
    var recording = try Recording(evemu: RecordingTests.head)
    recording.node.keys = [115]
    recording.events = [
      InputEvent(type: 1, code: 115, value: 1, time: 0), InputEvent(type: 0, code: 0, value: 0, time: 0),
    ]
    let hold = try Configuration.binding("hold VOLUMEUP=first")
    #expect(recording.replay(Configuration(), role: .pageTurner, bindings: [hold]).map(\.command) == [.first])
    recording.events.removeLast()
    #expect(
      recording.replay(Configuration(), role: .pageTurner, bindings: [hold]).map(\.command) == [.first],
      "a frame that was cut counts")
  }

  @Test func withoutARoleTheDeviceIsJudged() throws {
    var recording = try Recording(evemu: RecordingTests.head)
    recording.node.keys = [104, 109]
    recording.events = [
      InputEvent(type: 1, code: 109, value: 1, time: 0), InputEvent(type: 0, code: 0, value: 0, time: 0),
    ]
    #expect(recording.replay(Configuration()).map(\.command) == [.next])
    recording.node.bus = 0x11
    #expect(recording.replay(Configuration()).isEmpty)
    #expect(recording.replay(Configuration(), role: .ignore).isEmpty)
  }
}
