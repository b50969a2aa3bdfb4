/// A command's line, all of it written but its numbers: presses repeat.
public struct CommandHead: Sendable {
  private let command: Command
  private let device: String
  private let gesture: Gesture
  /// The line up to its numbers, and room for them.
  @usableFromInline var bytes: [UInt8] = []
  private let count: Int
  /// Where the line that was written last ends.
  @usableFromInline var end = 0
  private var seqWidth = DecimalWidth()
  private var timeWidth = DecimalWidth()

  private static let label: StaticString = ",\"time_us\":"
  private static let ending: StaticString = "}\n"
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

  /// Writes the whole line in place, if it is this command's. Allocates nothing.
  public mutating func write(
    ifFor command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64
  ) -> Bool {
    guard self.command == command, self.gesture == gesture, self.device == device else { return false }
    write(seq: seq, timeMicroseconds: timeMicroseconds)
    return true
  }

  /// Writes the whole line in place. Allocates nothing.
  public mutating func write(seq: UInt64, timeMicroseconds: UInt64) {
    let (start, seqDigits, timeDigits) = (count, seqWidth.digits(of: seq), timeWidth.digits(of: timeMicroseconds))
    bytes.withUnsafeMutableBufferPointer { line in
      var next = start
      CommandHead.put(seq, seqDigits, into: line, at: &next)
      CommandHead.put(CommandHead.label, into: line, at: &next)
      CommandHead.put(timeMicroseconds, timeDigits, into: line, at: &next)
      CommandHead.put(CommandHead.ending, into: line, at: &next)
      end = next
    }
  }

  /// Lends the line that was written last.
  @inlinable
  public mutating func withLine<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let count = end
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }

  /// Writes the whole line and appends it; with room in `buffer` it allocates nothing.
  public mutating func append(seq: UInt64, timeMicroseconds: UInt64, to buffer: inout [UInt8]) {
    write(seq: seq, timeMicroseconds: timeMicroseconds)
    withLine { buffer.append(contentsOf: $0) }
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
  private static func put(
    _ number: UInt64, _ digits: Int, into line: UnsafeMutableBufferPointer<UInt8>, at next: inout Int
  ) {
    // From the right, two digits with each division.
    var rest = number
    var index = next + digits
    next = index
    while rest >= 10 {
      let hundreds = rest / 100
      let pair = UInt32(truncatingIfNeeded: rest &- hundreds &* 100)
      // The tens of a number below 100.
      let tens = (pair &* 103) >> 10
      line[index &- 1] = UInt8(truncatingIfNeeded: pair &- tens &* 10 &+ 48)
      line[index &- 2] = UInt8(truncatingIfNeeded: tens &+ 48)
      index &-= 2
      rest = hundreds
    }
    if index > next &- digits { line[index &- 1] = UInt8(truncatingIfNeeded: rest &+ 48) }
  }
}

/// How many digits a number has. Numbers that follow one another mostly have as many.
private struct DecimalWidth: Sendable {
  private var digits = 1
  /// The numbers with so many digits.
  private var least: UInt64 = 0
  private var most: UInt64 = 9

  @inline(__always)
  mutating func digits(of number: UInt64) -> Int {
    if number < least || number > most { measure(number) }
    return digits
  }

  private mutating func measure(_ number: UInt64) {
    digits = 1
    least = 0
    most = 9
    while number > most {
      digits += 1
      least = most + 1
      let (product, overflows) = least.multipliedReportingOverflow(by: 10)
      most = overflows ? .max : product - 1
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
