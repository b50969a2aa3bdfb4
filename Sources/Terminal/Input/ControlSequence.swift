/// A complete control sequence (CSI): its parameters and intermediates as written, and its final byte.
struct ControlSequence {
  private let final: UInt8
  /// `<`, `=`, `>` or `?`, where the sequence begins with one.
  private let prefix: UInt8?
  private let hasIntermediate: Bool
  /// nil where a parameter is empty or too large.
  private let numbers: [Int?]
  private let isConsoleFunction: Bool

  init(parameters: [UInt8], final: UInt8) {
    self.final = final
    var rest = parameters[...]
    isConsoleFunction = rest.first == UInt8(ascii: "[")
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      prefix = first
      rest = rest.dropFirst()
    } else {
      prefix = nil
    }
    hasIntermediate = rest.contains { (0x20..<0x30).contains($0) }
    let digits = rest.prefix { !(0x20..<0x30).contains($0) }
    // A sub-parameter after ":" is no business of ours.
    numbers = digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
      Self.number(part.prefix { $0 != UInt8(ascii: ":") })
    }
  }

  private static func number(_ digits: some Sequence<UInt8>) -> Int? {
    var value: Int?
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      let grown = (value ?? 0) * 10 + Int(digit - 0x30)
      guard grown <= 1_000_000 else { return nil }
      value = grown
    }
    return value
  }

  private func number(_ index: Int, or fallback: Int = 0) -> Int {
    index < numbers.count ? numbers[index] ?? fallback : fallback
  }

  /// Modifiers are sent as one more than their bits.
  private var modifiers: TerminalEvent.Modifiers {
    TerminalEvent.Modifiers(rawValue: UInt8(truncatingIfNeeded: max(0, number(1, or: 1) - 1)) & 0x0F)
  }

  var isPasteStart: Bool {
    final == UInt8(ascii: "~") && prefix == nil && number(0) == 200
  }

  /// nil: a sequence that means nothing here.
  var event: TerminalEvent? {
    if isConsoleFunction {
      return (0x41...0x45).contains(final) ? .key(.function(Int(final - 0x40)), []) : nil
    }
    switch (prefix, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      return mouse(isRelease: final == UInt8(ascii: "m"))
    case (UInt8(ascii: "?"), UInt8(ascii: "y")) where hasIntermediate && numbers.count == 2:
      return .answer(.mode(number(0), state: number(1)))
    case (UInt8(ascii: "?"), UInt8(ascii: "c")):
      return .answer(.attributes(numbers.compactMap { $0 }))
    case (nil, _) where !hasIntermediate:
      return plainEvent
    default:
      return nil
    }
  }

  private var plainEvent: TerminalEvent? {
    switch final {
    case UInt8(ascii: "~"):
      return tildeKey
    case UInt8(ascii: "u"):
      return characterKey(code: number(0), modifiers: modifiers)
    case UInt8(ascii: "Z"):
      return .key(.tab, .shift)
    case UInt8(ascii: "I"):
      return .focus(true)
    case UInt8(ascii: "O"):
      return .focus(false)
    case UInt8(ascii: "t") where number(0) == 6 && numbers.count >= 3:
      let (height, width) = (number(1), number(2))
      return (1...1000).contains(height) && (1...1000).contains(width)
        ? .answer(.cellSize(width: width, height: height)) : nil
    case UInt8(ascii: "R") where number(1) > 16:
      return nil
    case UInt8(ascii: "M"):
      return nil
    default:
      guard let key = InputDecoder.letterKeys[final] else { return nil }
      return .key(key, modifiers)
    }
  }

  private var tildeKey: TerminalEvent? {
    let key: TerminalEvent.Key
    switch number(0) {
    case 1, 7: key = .home
    case 2: key = .insert
    case 3: key = .delete
    case 4, 8: key = .end
    case 5: key = .pageUp
    case 6: key = .pageDown
    case 11...15: key = .function(number(0) - 10)
    case 17...21: key = .function(number(0) - 11)
    case 23...26: key = .function(number(0) - 12)
    case 28, 29: key = .function(number(0) - 13)
    case 31...34: key = .function(number(0) - 14)
    case 27: return characterKey(code: number(2), modifiers: modifiers)
    default: return nil
    }
    return .key(key, modifiers)
  }

  private func characterKey(code: Int, modifiers: TerminalEvent.Modifiers) -> TerminalEvent? {
    switch code {
    case 13: return .key(.enter, modifiers)
    case 9: return .key(.tab, modifiers)
    case 27: return .key(.escape, modifiers)
    case 8, 127: return .key(.backspace, modifiers)
    case 32..<127, 160...0x10_FFFF:
      // The private use area is where such protocols put keys without a character.
      guard !(0xE000...0xF8FF).contains(code), let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      return .key(.character(scalar), modifiers)
    default: return nil
    }
  }

  private func mouse(isRelease: Bool) -> TerminalEvent? {
    guard numbers.count == 3, let code = numbers[0], let column = numbers[1], let row = numbers[2] else { return nil }
    guard row > 0, column > 0 else { return nil }
    return Self.mouse(code: code, row: row - 1, column: column - 1, isRelease: isRelease).map { .mouse($0) }
  }

  /// The older form: three bytes, each 32 more than its value.
  static func oldMouse(_ bytes: [UInt8]) -> TerminalEvent.MouseEvent? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }), bytes[1] > 32, bytes[2] > 32 else { return nil }
    let code = Int(bytes[0]) - 32
    return mouse(code: code, row: Int(bytes[2]) - 33, column: Int(bytes[1]) - 33, isRelease: code & 3 == 3)
  }

  private static func mouse(code: Int, row: Int, column: Int, isRelease: Bool) -> TerminalEvent.MouseEvent? {
    let button = code & 3
    let action: TerminalEvent.MouseEvent.Action
    switch code & 0b1110_0000 {
    case 0:
      action = isRelease ? .release(button == 3 ? 0 : button) : button == 3 ? .release(0) : .press(button)
    case 32:
      action = .move(button == 3 ? nil : button)
    case 64:
      if isRelease { return nil }
      switch button {
      case 0: action = .wheelUp
      case 1: action = .wheelDown
      case 2: action = .wheelLeft
      default: action = .wheelRight
      }
    default:
      return nil
    }
    var modifiers: TerminalEvent.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    return TerminalEvent.MouseEvent(action: action, row: row, column: column, modifiers: modifiers)
  }
}
