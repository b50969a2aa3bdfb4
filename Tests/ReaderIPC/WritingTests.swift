import Testing

@testable import ReaderIPC

@Suite struct WritingTests {
  /// Whatever the device is called: the line has at most 4096 bytes, and says the same when it is read.
  @Test(arguments: [
    "AB Shutter3", "", String(repeating: "\u{1}", count: 300), String(repeating: "é", count: 200),
    String(repeating: "😀", count: 100), "a\"b\\c\n", "e\u{301}", "\u{FFFD}", String(repeating: "\u{7F}", count: 5000),
  ])
  func namesStayWithinTheLine(_ name: String) throws {
    let device = DeviceStatus(name: name, nodes: [name], role: .shared, state: .held, detail: name)
    let report = StatusReport(
      server: "pagerd", isRouting: true, isEmitting: true, clients: 1, devices: Array(repeating: device, count: 64))
    let messages: [ServerMessage] = [
      .active(true, devices: Array(repeating: name, count: 40)), .status(report), .devices(report),
      .reload(errors: Array(repeating: name, count: 100)), .error(code: name, message: name), .recordLine(name),
      .command(PageCommand(command: .next, device: name, gesture: .tap, seq: 1, timeMicroseconds: 2)),
      .event(RawEvent(type: 1, code: 2, value: 3, timeMicroseconds: 4), device: name, node: name),
    ]
    for message in messages {
      var line: [UInt8] = []
      message.append(to: &line)
      #expect(line.count <= Wire.maximumLine)
      #expect(line.last == UInt8(ascii: "\n"))
      #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
      switch try ServerMessage(line, 0..<(line.count - 1)) {
      case .active(_, let devices):
        #expect(devices.count <= 16)
        for device in devices {
          #expect(name.unicodeScalars.starts(with: device.unicodeScalars) && device.utf8.count <= 160)
        }
      case .status(let read), .devices(let read):
        #expect(read.omitted + read.devices.count == 64)
        #expect(!read.devices.isEmpty)
      case .command(let command): #expect(name.unicodeScalars.starts(with: command.device.unicodeScalars))
      default: break
      }
    }
  }

  @Test func ignoredDevicesAreTheFirstToBeLeftOut() throws {
    let ignored = DeviceStatus(name: String(repeating: "i", count: 150), nodes: [], role: .ignore, state: .ignored)
    let held = DeviceStatus(name: "held", nodes: [], role: .shared, state: .held)
    let report = StatusReport(
      server: "pagerd", isRouting: true, isEmitting: false, clients: 0,
      devices: Array(repeating: ignored, count: 40) + [held])
    var line: [UInt8] = []
    ServerMessage.status(report).append(to: &line)
    guard case .status(let read) = try ServerMessage(line, 0..<(line.count - 1)) else {
      Issue.record("no status")
      return
    }
    #expect(read.devices.first == held)
    #expect(read.omitted > 0)
  }

  @Test func aBufferWithRoomKeepsItsStorage() {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(4096)
    let before = buffer.withUnsafeBufferPointer { $0.baseAddress }
    for seq in 0..<10 {
      ServerMessage.appendCommand(
        .next, device: "AB Shutter3", gesture: .tap, seq: UInt64(seq), timeMicroseconds: 81_234_567, to: &buffer)
    }
    #expect(buffer.withUnsafeBufferPointer { $0.baseAddress } == before)
  }

  @Test(arguments: [0, 9, 10, 99, 100, 81_234_567, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max])
  func aHeadTakesEveryNumber(_ number: UInt64) {
    var head = CommandHead(.next, device: "a", gesture: .tap)
    var lines: [UInt8] = []
    head.append(seq: number, timeMicroseconds: 7, to: &lines)
    let isItsOwn = head.write(ifFor: .next, device: "a", gesture: .tap, seq: 7, timeMicroseconds: number)
    let isOthers = [
      head.write(ifFor: .prev, device: "a", gesture: .tap, seq: 1, timeMicroseconds: 1),
      head.write(ifFor: .next, device: "b", gesture: .tap, seq: 1, timeMicroseconds: 1),
      head.write(ifFor: .next, device: "a", gesture: .hold, seq: 1, timeMicroseconds: 1),
    ]
    #expect(isItsOwn && !isOthers.contains(true))
    head.withLine { lines.append(contentsOf: $0) }
    let start = #"{"type":"command","command":"next","device":"a","gesture":"tap","seq":"#
    let expected = "\(start)\(number),\"time_us\":7}\n\(start)7,\"time_us\":\(number)}\n"
    #expect(String(decoding: lines, as: UTF8.self) == expected)
  }

  @Test(
    arguments: Command.standard + ["a-1", "0123456789-abcdefghijklmnopqrstu"].compactMap { Command("custom:\($0)") })
  func everyCommandTravels(_ command: Command) throws {
    var line: [UInt8] = []
    ClientMessage.send(command).append(to: &line)
    #expect(try ClientMessage(line, 0..<(line.count - 1)) == .send(command))
  }

  @Test func aCommandOrGestureOfALaterVersionIsIgnored() throws {
    for line in [
      #"{"type":"command","command":"fly","device":"a","gesture":"tap","seq":1,"time_us":2}"#,
      #"{"type":"command","command":"next","device":"a","gesture":"wink","seq":1,"time_us":2}"#,
      #"{"type":"weather"}"#,
    ] {
      let bytes = Array(line.utf8)
      #expect(try ServerMessage(bytes, 0..<bytes.count) == .unknown)
    }
  }
}
