import Testing

@testable import ReaderIPC

private let longest = Command("custom:" + String(repeating: "a", count: 32)) ?? .next

private let goodLines: [(String, ClientMessage)] = [
  ("{\"type\":\"ping\"}\r", .ping),
  (" { \"type\" : \"ping\" } ", .ping),
  ("{\"type\":\"\\u0070ing\"}", .ping),
  ("{\"\\u0074ype\":\"ping\"}", .ping),
  ("{\"type\":\"ping\",\"x\":{\"type\":\"pong\",\"y\":[1,-2.5e+10,null,true,false,\"\\ud83d\\ude00\"]}}", .ping),
  ("{\"x\":1,\"x\":2,\"type\":\"ping\"}", .ping),
  ("{\"type\":\"teleport\",\"value\":12}", .unknown),
  ("{\"type\":\"\"}", .unknown),
  ("{\"type\":\"subscribe\",\"role\":\"reader\"}", .subscribe(client: "", role: .reader)),
  (
    "{\"type\":\"subscribe\",\"client\":\"" + String(repeating: "é", count: 500) + "\",\"role\":\"observer\"}",
    .subscribe(client: String(repeating: "é", count: 32), role: .observer)
  ),
  (
    "{\"type\":\"subscribe\",\"client\":\"x" + String(repeating: "é", count: 40) + "\",\"role\":\"observer\"}",
    .subscribe(client: "x" + String(repeating: "é", count: 31), role: .observer)
  ),
  ("{\"value\":true,\"type\":\"focus\",\"window\":7}", .focus(true)),
  ("{\"type\":\"monitor\"}", .monitor(raw: false)),
  ("{\"type\":\"send\",\"command\":\"custom:" + String(repeating: "a", count: 32) + "\"}", .send(longest)),
  (HostileLine.deep(16), .ping),
  ("{\"type\":\"ping\"" + String(repeating: " ", count: 4081) + "}", .ping),
  ("{\"type\":\"ping\",\"n\":" + String(repeating: "9", count: 400) + "}", .ping),
]

@Suite struct HostileLineTests {
  @Test(arguments: HostileLine.frames + HostileLine.messages) func isRefused(_ line: HostileLine) {
    // It stands anywhere in a buffer; offsets count from its own start.
    let padded = Array("xx".utf8) + line.bytes + Array("yy".utf8)
    let range = 2..<(2 + line.bytes.count)
    do throws(WireError) {
      let message = try ClientMessage(padded, range)
      Issue.record("\(line.name) was read as \(message)")
    } catch {
      switch (error, line.fault) {
      case (.badFrame(let fault, let offset), let expected?):
        #expect(fault == expected)
        #expect((0...line.bytes.count).contains(offset))
      case (.badMessage, nil): break
      default: Issue.record("\(line.name): \(error)")
      }
      #expect(error.code == (line.fault == nil ? .badMessage : .badFrame))
    }
  }

  @Test(arguments: goodLines) func isRead(_ text: String, _ message: ClientMessage) throws {
    let bytes = Array(text.utf8)
    #expect(try ClientMessage(bytes, 0..<bytes.count) == message)
  }

  @Test func numbersAreReadToTheirLimitsAndNotBeyond() throws {
    let bytes = Array(
      """
      {"a":18446744073709551615,"b":18446744073709551616,"c":-9223372036854775808,"d":-1,"e":1.0,"f":1e2,"g":-0,\
      "h":99999999999999999999999999}
      """.utf8)
    let object = try JSONObject(line: bytes, 0..<bytes.count)
    #expect(try object.integer("a", as: UInt64.self) == .max)
    #expect(try object.integer("b", as: UInt64.self) == nil)
    #expect(try object.integer("c", as: Int64.self) == .min)
    #expect(try object.integer("c", as: Int32.self) == nil)
    #expect(try object.integer("d", as: UInt64.self) == nil)
    #expect(try object.integer("d", as: Int.self) == -1)
    #expect(try object.integer("e", as: Int.self) == nil)
    #expect(try object.integer("f", as: Int.self) == nil)
    #expect(try object.integer("g", as: Int.self) == 0)
    #expect(try object.integer("h", as: UInt64.self) == nil)
    #expect(try object.integer("a", as: UInt8.self) == nil)
  }

  @Test func everyEscapeIsResolved() throws {
    let bytes = Array(#"{"s":"\"\\\/\b\f\n\r\t\u00e9\u20AC\uD83D\uDE00é😀"}"#.utf8)
    let object = try JSONObject(line: bytes, 0..<bytes.count)
    #expect(try object.string("s") == "\"\\/\u{8}\u{C}\n\r\té€😀é😀")
  }

  /// Bytes in any order end in a message or an error. Seeded, so a failure comes back.
  @Test(arguments: 1...8) func randomBytes(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func random(_ bound: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % bound
    }
    let words = ["{", "}", "[", "]", "\"", ":", ",", "\\", "\\u", "d83d", "type", "ping", "\"type\":", "1", "-", "e"]
    var understood = 0
    for _ in 0..<5000 {
      var bytes: [UInt8] = random(2) == 0 ? Array("{\"type\":\"ping\"".utf8) : []
      for _ in 0..<random(12) {
        if random(8) == 0 {
          bytes.append(UInt8(random(256)))
        } else {
          bytes += Array(words[Int(random(UInt64(words.count)))].utf8)
        }
      }
      if random(2) == 0 { bytes.append(UInt8(ascii: "}")) }
      if (try? ClientMessage(bytes, 0..<bytes.count)) != nil { understood += 1 }
      _ = try? ServerMessage(bytes, 0..<bytes.count)
    }
    #expect(understood > 0)
  }
}
