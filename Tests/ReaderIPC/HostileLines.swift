import Testing

@testable import ReaderIPC

/// A line that is no message, and what is wrong with it; no fault: the frame is good, the message is not.
struct HostileLine: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let fault: WireError.Fault?

  init(_ name: String, _ text: String, _ fault: WireError.Fault?) {
    self.init(name, bytes: Array(text.utf8), fault)
  }

  init(_ name: String, bytes: [UInt8], _ fault: WireError.Fault?) {
    self.name = name
    self.bytes = bytes
    self.fault = fault
  }

  var testDescription: String { name }

  static func around(_ middle: [UInt8]) -> [UInt8] {
    Array("{\"type\":\"ping\",\"x\":\"".utf8) + middle + Array("\"}".utf8)
  }

  static func deep(_ levels: Int) -> String {
    let lists = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
    return "{\"type\":\"ping\",\"x\":\(lists)}"
  }

  static let frames: [HostileLine] = [
    HostileLine("empty", "", .notAnObject),
    HostileLine("blanks", "  \t ", .notAnObject),
    HostileLine("a number", "17", .notAnObject),
    HostileLine("a list", "[{\"type\":\"ping\"}]", .notAnObject),
    HostileLine("a word", "ping", .notAnObject),
    HostileLine("a byte order mark", "\u{FEFF}{\"type\":\"ping\"}", .notAnObject),
    HostileLine("HTTP", "GET / HTTP/1.1\r", .notAnObject),
    HostileLine("cut after the brace", "{", .expectedKey),
    HostileLine("cut in a key", "{\"ty", .badString),
    HostileLine("cut after a key", "{\"type\"", .expectedColon),
    HostileLine("cut after the colon", "{\"type\":", .badValue),
    HostileLine("cut in a value", "{\"type\":\"pi", .badString),
    HostileLine("cut after a value", "{\"type\":\"ping\"", .expectedComma),
    HostileLine("cut in an escape", "{\"type\":\"ping\\", .badString),
    HostileLine("cut in a code point", "{\"type\":\"\\u00", .badEscape),
    HostileLine("no type", "{}", .noType),
    HostileLine("a type that is a number", "{\"type\":1}", .noType),
    HostileLine("a type that is null", "{\"type\":null}", .noType),
    HostileLine("two types", "{\"type\":\"ping\",\"type\":\"pong\"}", .duplicateKey),
    HostileLine("two types, one in escapes", "{\"type\":\"ping\",\"\\u0074ype\":\"pong\"}", .duplicateKey),
    HostileLine("two values", "{\"type\":\"focus\",\"value\":true,\"value\":false}", .duplicateKey),
    HostileLine("an object after the object", "{\"type\":\"ping\"}{\"type\":\"pong\"}", .trailing),
    HostileLine("a brace too many", "{\"type\":\"ping\"}}", .trailing),
    HostileLine("a comment", "{\"type\":\"ping\"} // hello", .trailing),
    HostileLine("a comma at the end", "{\"type\":\"ping\",}", .expectedKey),
    HostileLine("a comma at the start", "{,\"type\":\"ping\"}", .expectedKey),
    HostileLine("no comma", "{\"a\":1 \"type\":\"ping\"}", .expectedComma),
    HostileLine("a key without quotes", "{type:\"ping\"}", .expectedKey),
    HostileLine("single quotes", "{'type':'ping'}", .expectedKey),
    HostileLine("an equals sign", "{\"type\"=\"ping\"}", .expectedColon),
    HostileLine("a capital word", "{\"type\":\"focus\",\"value\":True}", .badValue),
    HostileLine("half a word", "{\"type\":\"focus\",\"value\":tru}", .badValue),
    HostileLine("NaN", "{\"type\":\"ping\",\"x\":NaN}", .badValue),
    HostileLine("a number with a zero before it", "{\"type\":\"ping\",\"x\":01}", .badNumber),
    HostileLine("a lone minus", "{\"type\":\"ping\",\"x\":-}", .badNumber),
    HostileLine("a point without digits", "{\"type\":\"ping\",\"x\":1.}", .badNumber),
    HostileLine("an exponent without digits", "{\"type\":\"ping\",\"x\":1e+}", .badNumber),
    HostileLine("a plus sign", "{\"type\":\"ping\",\"x\":+1}", .badValue),
    HostileLine("hexadecimal", "{\"type\":\"ping\",\"x\":0x10}", .expectedComma),
    HostileLine("a line feed in a string", "{\"type\":\"ping\",\"x\":\"a\nb\"}", .badString),
    HostileLine("a NUL in a string", "{\"type\":\"ping\",\"x\":\"a\0b\"}", .badString),
    HostileLine("a NUL outside", "{\"type\":\"ping\"\0}", .expectedComma),
    HostileLine("an unknown escape", "{\"type\":\"ping\",\"x\":\"\\x41\"}", .badEscape),
    HostileLine("a code point in Swift's way", "{\"type\":\"ping\",\"x\":\"\\u{41}\"}", .badEscape),
    HostileLine("a high surrogate alone", "{\"type\":\"ping\",\"x\":\"\\ud83d\"}", .loneSurrogate),
    HostileLine("a low surrogate alone", "{\"type\":\"ping\",\"x\":\"\\ude00\"}", .loneSurrogate),
    HostileLine("two high surrogates", "{\"type\":\"ping\",\"x\":\"\\ud83d\\ud83d\"}", .loneSurrogate),
    HostileLine("a high surrogate and a letter", "{\"type\":\"ping\",\"x\":\"\\ud83dx\"}", .loneSurrogate),
    HostileLine("a stray continuation", bytes: around([0x80]), .notUTF8),
    HostileLine("an overlong slash", bytes: around([0xC0, 0xAF]), .notUTF8),
    HostileLine("overlong in three bytes", bytes: around([0xE0, 0x9F, 0xBF]), .notUTF8),
    HostileLine("a surrogate in UTF-8", bytes: around([0xED, 0xA0, 0x80]), .notUTF8),
    HostileLine("overlong in four bytes", bytes: around([0xF0, 0x8F, 0xBF, 0xBF]), .notUTF8),
    HostileLine("beyond Unicode", bytes: around([0xF4, 0x90, 0x80, 0x80]), .notUTF8),
    HostileLine("a byte that UTF-8 never has", bytes: around([0xFF]), .notUTF8),
    HostileLine("Latin-1", bytes: around([0xE4]), .notUTF8),
    HostileLine("a sequence cut by the end", bytes: Array("{\"type\":\"ping\"}".utf8) + [0xE2, 0x82], .notUTF8),
    HostileLine("UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0x00], .notUTF8),
    HostileLine("a thousand levels of lists", deep(1001), .tooDeep),
    HostileLine("a thousand levels, never closed", String(repeating: "{\"a\":", count: 800), .tooDeep),
    HostileLine("four thousand brackets", "{\"x\":" + String(repeating: "[", count: 4000), .tooDeep),
    HostileLine("seventeen levels", deep(17), .tooDeep),
    HostileLine("a byte too long", "{\"type\":\"ping\"" + String(repeating: " ", count: 4082) + "}", .tooLong),
  ]

  static let messages: [HostileLine] = [
    HostileLine("a subscription without a role", "{\"type\":\"subscribe\",\"client\":\"a\"}", nil),
    HostileLine("an unknown role", "{\"type\":\"subscribe\",\"client\":\"a\",\"role\":\"king\"}", nil),
    HostileLine("a role that is a number", "{\"type\":\"subscribe\",\"client\":\"a\",\"role\":1}", nil),
    HostileLine("a client that is a list", "{\"type\":\"subscribe\",\"client\":[],\"role\":\"reader\"}", nil),
    HostileLine("focus without a value", "{\"type\":\"focus\"}", nil),
    HostileLine("focus with a number", "{\"type\":\"focus\",\"value\":1}", nil),
    HostileLine("focus with a text", "{\"type\":\"focus\",\"value\":\"true\"}", nil),
    HostileLine("an unknown command", "{\"type\":\"send\",\"command\":\"explode\"}", nil),
    HostileLine("a command in capitals", "{\"type\":\"send\",\"command\":\"Next\"}", nil),
    HostileLine("a custom command with a slash", "{\"type\":\"send\",\"command\":\"custom:../x\"}", nil),
    HostileLine("a custom command without a name", "{\"type\":\"send\",\"command\":\"custom:\"}", nil),
    HostileLine("emit with null", "{\"type\":\"emit\",\"value\":null}", nil),
    HostileLine("raw that is a number", "{\"type\":\"monitor\",\"raw\":1}", nil),
    HostileLine("record without a node", "{\"type\":\"record\"}", nil),
    HostileLine(
      "a node of 161 bytes", "{\"type\":\"record\",\"node\":\"" + String(repeating: "a", count: 161) + "\"}", nil),
  ]
}
