/// A command's line, all of it written but its numbers: presses repeat.
public struct CommandHead: Sendable {
  private let command: Command
  private let device: String
  private let gesture: Gesture
  /// The line up to its numbers, and room for them.
  private var bytes: [UInt8] = []
  private let count: Int

  private static let label: StaticString = ",\"time_us\":"
  private static let end: StaticString = "}\n"
  /// Two numbers of at most 20 digits, and what stands between and after them.
  private static let room = 64

  /// Allocates.
  public init(_ command: Command, device: String, gesture: Gesture) {
    self.command = command
    self.device = device
    self.gesture = gesture
    bytes.json("{\"type\":\"command\",\"command\":")
    bytes.json(command)
    bytes.json(",\"device\":")
    bytes.json(string: device, limit: Wire.maximumName)
    bytes.json(",\"gesture\":\"")
    bytes.json(gesture.word)
    bytes.json("\",\"seq\":")
    count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: CommandHead.room))
  }

  /// Appends the whole line at once, if it is this command's; with room in `buffer` it allocates nothing.
  public mutating func append(
    ifFor command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64,
    to buffer: inout [UInt8]
  ) -> Bool {
    guard self.command == command, self.gesture == gesture, self.device == device else { return false }
    append(seq: seq, timeMicroseconds: timeMicroseconds, to: &buffer)
    return true
  }

  /// Appends the whole line at once; with room in `buffer` it allocates nothing.
  public mutating func append(seq: UInt64, timeMicroseconds: UInt64, to buffer: inout [UInt8]) {
    let start = count
    bytes.withUnsafeMutableBufferPointer { line in
      var next = start
      CommandHead.put(seq, into: line, at: &next)
      CommandHead.put(CommandHead.label, into: line, at: &next)
      CommandHead.put(timeMicroseconds, into: line, at: &next)
      CommandHead.put(CommandHead.end, into: line, at: &next)
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: line[..<next]))
    }
  }

  @inline(__always)
  private static func put(_ text: StaticString, into line: UnsafeMutableBufferPointer<UInt8>, at next: inout Int) {
    text.withUTF8Buffer { bytes in
      for byte in bytes {
        line[next] = byte
        next += 1
      }
    }
  }

  @inline(__always)
  private static func put(_ number: UInt64, into line: UnsafeMutableBufferPointer<UInt8>, at next: inout Int) {
    var digits = 1
    var bound: UInt64 = 10
    while number >= bound, digits < 20 {
      digits += 1
      bound = digits < 20 ? bound &* 10 : .max
    }
    var rest = number
    var index = next + digits
    next = index
    while index > next - digits {
      index -= 1
      line[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}

extension Gesture {
  fileprivate var word: StaticString {
    switch self {
    case .tap: "tap"
    case .double: "double"
    case .hold: "hold"
    case .chord: "chord"
    case .repeat: "repeat"
    }
  }
}
