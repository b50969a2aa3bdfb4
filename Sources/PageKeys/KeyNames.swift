/// Names of events as `linux/input-event-codes.h` has them; those of keys without `KEY_`, those of buttons with `BTN_`.
public enum KeyNames {
  /// The key or button of this name: `VOLUMEUP`, `BTN_LEFT`; `KEY_VOLUMEUP` is understood too.
  public static func key(_ name: String) -> UInt16? {
    code(name, in: KeyNameTable.keys)
      ?? (name.hasPrefix("KEY_") ? code(String(name.dropFirst(4)), in: KeyNameTable.keys) : nil)
  }

  /// The absolute axis of this name, such as `ABS_HAT0X`.
  public static func absolute(_ name: String) -> UInt16? { code(name, in: KeyNameTable.absolutes) }

  /// The relative axis of this name, such as `REL_WHEEL`.
  public static func relative(_ name: String) -> UInt16? { code(name, in: KeyNameTable.relatives) }

  /// The switch of this name, such as `SW_LID`.
  public static func switchCode(_ name: String) -> UInt16? { code(name, in: KeyNameTable.switches) }

  /// A key's name, or its number where it has none: `VOLUMEUP`, `KEY_0x2ef`.
  public static func name(ofKey code: UInt16) -> String { name(of: code, in: KeyNameTable.keys, else: "KEY_") }

  /// An absolute axis' name: `ABS_X`.
  public static func name(ofAbsolute code: UInt16) -> String {
    name(of: code, in: KeyNameTable.absolutes, else: "ABS_")
  }

  /// The name of any event's code, for people who watch: `VOLUMEUP`, `REL_WHEEL`, `MSC_SCAN`.
  public static func name(of event: InputEvent) -> String {
    switch event.type {
    case EventType.syn: event.code == 0 ? "SYN_REPORT" : event.code == 3 ? "SYN_DROPPED" : "SYN_\(event.code)"
    case EventType.key: name(ofKey: event.code)
    case EventType.rel: name(of: event.code, in: KeyNameTable.relatives, else: "REL_")
    case EventType.abs: name(ofAbsolute: event.code)
    case EventType.msc: name(of: event.code, in: KeyNameTable.miscellaneous, else: "MSC_")
    case EventType.sw: name(of: event.code, in: KeyNameTable.switches, else: "SW_")
    case EventType.led: name(of: event.code, in: KeyNameTable.leds, else: "LED_")
    default: "EV_\(event.type)_\(event.code)"
    }
  }

  /// All names of keys and buttons, for finding the nearest.
  static var keys: [String] { names(in: KeyNameTable.keys) }
  static var absolutes: [String] { names(in: KeyNameTable.absolutes) }
  static var switches: [String] { names(in: KeyNameTable.switches) }

  private static func name(of code: UInt16, in table: StaticString, else prefix: String) -> String {
    table.withUTF8Buffer { bytes in
      var entries = Entries(bytes: bytes)
      while let entry = entries.next() {
        if entry.code == code { return String(decoding: bytes[entry.name], as: UTF8.self) }
      }
      return prefix + "0x" + String(code, radix: 16)
    }
  }

  private static func code(_ name: String, in table: StaticString) -> UInt16? {
    guard !name.isEmpty else { return nil }
    return table.withUTF8Buffer { bytes in
      var entries = Entries(bytes: bytes)
      let wanted = name.utf8
      while let entry = entries.next() {
        if entry.name.count == wanted.count, bytes[entry.name].elementsEqual(wanted) { return entry.code }
      }
      return nil
    }
  }

  private static func names(in table: StaticString) -> [String] {
    table.withUTF8Buffer { bytes in
      var entries = Entries(bytes: bytes)
      var names: [String] = []
      while let entry = entries.next() { names.append(String(decoding: bytes[entry.name], as: UTF8.self)) }
      return names
    }
  }

  /// Walks over `NAME=HEX NAME=HEX …`.
  private struct Entries {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func next() -> (name: Range<Int>, code: UInt16)? {
      guard position < bytes.count else { return nil }
      let start = position
      while bytes[position] != UInt8(ascii: "=") { position += 1 }
      let name = start..<position
      position += 1
      var code: UInt16 = 0
      while position < bytes.count, bytes[position] != UInt8(ascii: " ") {
        let byte = bytes[position]
        code = code << 4 | UInt16(byte <= UInt8(ascii: "9") ? byte - 48 : byte - 87)
        position += 1
      }
      position += 1
      return (name, code)
    }
  }
}
