/// Turns a terminal's bytes into events, one byte at a time, whatever the bytes are.
///
/// A pure state machine: no clock, no descriptor. Times are microseconds of one clock that never goes back.
///
/// What happens to a lone ESC, and to sequences that never end:
/// 1. ESC, then nothing for 50 ms: the Escape key.
/// 2. ESC, then a character: Alt and that character. 3. ESC ESC: Escape, and a new sequence begins.
/// 4. ESC [ or ESC O, then nothing for 50 ms: Alt and that character.
/// 5. A control sequence with parameters, then nothing for 200 ms: dropped.
/// 6. A control sequence that breaks off with ESC, CAN, SUB or a byte that cannot stand in it: dropped, the rest counts.
/// 7. One longer than 64 bytes: skipped up to its final byte.
/// 8. A string (OSC, DCS, APC, PM, SOS) ends with ST or BEL; after 1024 bytes the rest is skipped;
///    nothing for 1 s: dropped.
/// 9. A paste ends with its end mark; beyond the limit the rest is skipped; nothing for 2 s: what there is counts.
/// 10. Bytes that are not UTF-8: each becomes U+FFFD, the next valid one counts.
public struct InputDecoder: Sendable {
  /// The most bytes of a paste that are kept.
  public static let pasteLimit = 64 * 1024
  static let parameterLimit = 64
  static let stringLimit = 1024

  private enum State: Sendable {
    case ground
    case utf8(value: UInt32, missing: Int, minimum: UInt32)
    case escape
    case singleShift
    case control
    case controlSkipped
    case mouseBytes(count: Int)
    case string(introducer: UInt8)
    case stringEscape(introducer: UInt8)
    case paste
  }

  private var state = State.ground
  private var hasAlt = false
  /// Parameters of a sequence, or the text of a string or a paste.
  private var buffer: [UInt8] = []
  private var isTruncated = false
  /// When what has begun is given up, in microseconds; nil when nothing has begun.
  public private(set) var nextDeadline: UInt64?

  public init() {
    buffer.reserveCapacity(Self.parameterLimit)
  }

  /// Takes bytes that were read at `now`, appends the events that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>, at now: UInt64, into events: inout [TerminalEvent]) {
    for byte in bytes {
      take(byte, into: &events)
    }
    let patience: UInt64? =
      switch state {
      case .ground: nil
      case .escape, .singleShift: 50_000
      case .control: buffer.isEmpty ? 50_000 : 200_000
      case .controlSkipped, .mouseBytes, .utf8: 200_000
      case .string, .stringEscape: 1_000_000
      case .paste: 2_000_000
      }
    nextDeadline = patience.map { now &+ $0 }
  }

  /// Gives up what has begun if its time is over.
  public mutating func advance(to now: UInt64, into events: inout [TerminalEvent]) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    nextDeadline = nil
    switch state {
    case .ground, .controlSkipped, .mouseBytes, .string, .stringEscape:
      break
    case .utf8:
      emit("\u{FFFD}", into: &events)
    case .escape:
      events.append(.key(.escape, hasAlt ? .alt : []))
    case .singleShift:
      events.append(.key(.character("O"), .alt))
    case .control:
      if buffer.isEmpty { events.append(.key(.character("["), .alt)) }
    case .paste:
      finishPaste(into: &events)
    }
    reset()
  }

  private mutating func reset() {
    state = .ground
    hasAlt = false
    isTruncated = false
    if buffer.capacity > 4096 { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
  }

  private mutating func take(_ byte: UInt8, into events: inout [TerminalEvent]) {
    switch state {
    case .ground:
      takeGround(byte, into: &events)
    case .utf8(let value, let missing, let minimum):
      takeContinuation(byte, value: value, missing: missing, minimum: minimum, into: &events)
    case .escape:
      takeEscape(byte, into: &events)
    case .singleShift:
      let key = Self.letterKeys[byte]
      reset()
      if let key { events.append(.key(key, [])) } else { retake(byte, into: &events) }
    case .control:
      takeControl(byte, into: &events)
    case .controlSkipped:
      if byte == 0x1B || (0x40...0x7E).contains(byte) || byte == 0x18 || byte == 0x1A {
        reset()
        if byte == 0x1B { state = .escape }
      }
    case .mouseBytes(let count):
      buffer.append(byte)
      if count == 2 {
        if let event = ControlSequence.oldMouse(buffer) { events.append(.mouse(event)) }
        reset()
      } else {
        state = .mouseBytes(count: count + 1)
      }
    case .string(let introducer):
      takeString(byte, introducer: introducer, into: &events)
    case .stringEscape(let introducer):
      finishString(introducer: introducer, into: &events)
      if byte != UInt8(ascii: "\\") {
        state = .escape
        takeEscape(byte, into: &events)
      }
    case .paste:
      takePaste(byte, into: &events)
    }
  }

  /// A byte that does not continue what had begun: it counts by itself, unless it only ends it.
  private mutating func retake(_ byte: UInt8, into events: inout [TerminalEvent]) {
    if byte == 0x18 || byte == 0x1A { return }
    takeGround(byte, into: &events)
  }

  private mutating func takeGround(_ byte: UInt8, into events: inout [TerminalEvent]) {
    switch byte {
    case 0x1B:
      state = .escape
    case 0x0D, 0x0A:
      emit(.enter, into: &events)
    case 0x09:
      emit(.tab, into: &events)
    case 0x7F, 0x08:
      emit(.backspace, into: &events)
    case 0x00:
      events.append(.key(.character(" "), hasAlt ? [.control, .alt] : .control))
      hasAlt = false
    case 0x01...0x1A:
      events.append(.key(.character(Unicode.Scalar(byte + 0x60)), hasAlt ? [.control, .alt] : .control))
      hasAlt = false
    case 0x1C...0x1F:
      events.append(.key(.character(Unicode.Scalar(byte + 0x40)), hasAlt ? [.control, .alt] : .control))
      hasAlt = false
    case 0x20..<0x7F:
      emit(Unicode.Scalar(byte), into: &events)
    case 0xC2...0xDF:
      state = .utf8(value: UInt32(byte & 0x1F), missing: 1, minimum: 0x80)
    case 0xE0...0xEF:
      state = .utf8(value: UInt32(byte & 0x0F), missing: 2, minimum: 0x800)
    case 0xF0...0xF4:
      state = .utf8(value: UInt32(byte & 0x07), missing: 3, minimum: 0x1_0000)
    default:
      emit("\u{FFFD}", into: &events)
    }
  }

  private mutating func takeContinuation(
    _ byte: UInt8, value: UInt32, missing: Int, minimum: UInt32, into events: inout [TerminalEvent]
  ) {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      emit("\u{FFFD}", into: &events)
      takeGround(byte, into: &events)
      return
    }
    let grown = value << 6 | UInt32(byte & 0x3F)
    if missing > 1 {
      state = .utf8(value: grown, missing: missing - 1, minimum: minimum)
      return
    }
    state = .ground
    let scalar = grown >= minimum ? Unicode.Scalar(grown) : nil
    // C1 controls are no keys.
    emit(scalar.map { (0x80..<0xA0).contains($0.value) ? "\u{FFFD}" : $0 } ?? "\u{FFFD}", into: &events)
  }

  private mutating func emit(_ scalar: Unicode.Scalar, into events: inout [TerminalEvent]) {
    emit(.character(scalar), into: &events)
  }

  private mutating func emit(_ key: TerminalEvent.Key, into events: inout [TerminalEvent]) {
    events.append(.key(key, hasAlt ? .alt : []))
    hasAlt = false
  }

  private mutating func takeEscape(_ byte: UInt8, into events: inout [TerminalEvent]) {
    switch byte {
    case UInt8(ascii: "["):
      hasAlt = false
      state = .control
    case UInt8(ascii: "O"):
      hasAlt = false
      state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      hasAlt = false
      state = .string(introducer: byte)
    case 0x1B:
      events.append(.key(.escape, []))
      state = .escape
    case 0x18, 0x1A:
      reset()
    default:
      state = .ground
      hasAlt = true
      takeGround(byte, into: &events)
    }
  }

  private mutating func takeControl(_ byte: UInt8, into events: inout [TerminalEvent]) {
    switch byte {
    case 0x20..<0x40:
      if buffer.count >= Self.parameterLimit {
        state = .controlSkipped
      } else {
        buffer.append(byte)
      }
    case 0x40...0x7E:
      finishControl(final: byte, into: &events)
    default:
      reset()
      retake(byte, into: &events)
    }
  }

  private mutating func finishControl(final: UInt8, into events: inout [TerminalEvent]) {
    if final == UInt8(ascii: "M"), buffer.isEmpty {
      state = .mouseBytes(count: 0)
      return
    }
    // The Linux console's F1...F5: ESC [ [ A
    if final == UInt8(ascii: "["), buffer.isEmpty {
      buffer.append(final)
      return
    }
    let sequence = ControlSequence(parameters: buffer, final: final)
    if sequence.isPasteStart {
      reset()
      state = .paste
      return
    }
    if let event = sequence.event { events.append(event) }
    reset()
  }

  private mutating func takeString(_ byte: UInt8, introducer: UInt8, into events: inout [TerminalEvent]) {
    switch byte {
    case 0x07:
      finishString(introducer: introducer, into: &events)
    case 0x1B:
      state = .stringEscape(introducer: introducer)
    case 0x18, 0x1A:
      reset()
    default:
      if buffer.count < Self.stringLimit { buffer.append(byte) } else { isTruncated = true }
    }
  }

  private mutating func finishString(introducer: UInt8, into events: inout [TerminalEvent]) {
    if !isTruncated { events.append(.answer(.string(introducer: introducer, buffer))) }
    reset()
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePaste(_ byte: UInt8, into events: inout [TerminalEvent]) {
    // Room for the end mark behind a full buffer: there the last bytes move along.
    if buffer.count >= Self.pasteLimit + Self.pasteEnd.count {
      buffer.removeSubrange(Self.pasteLimit..<(Self.pasteLimit + 1))
    }
    buffer.append(byte)
    if byte == Self.pasteEnd.last, buffer.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
      buffer.removeLast(Self.pasteEnd.count)
      finishPaste(into: &events)
      reset()
    }
  }

  private mutating func finishPaste(into events: inout [TerminalEvent]) {
    events.append(.paste(String(decoding: buffer.prefix(Self.pasteLimit), as: UTF8.self)))
  }

  static let letterKeys: [UInt8: TerminalEvent.Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4), UInt8(ascii: "M"): .enter,
  ]
}
