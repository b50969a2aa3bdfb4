/// What a press asks of whoever is reading.
///
/// The wire's and the configuration's spelling is `description`: `next`, `prev-chapter`, `custom:lamp`.
public enum Command: Sendable, Hashable {
  case next
  case prev
  case nextChapter
  case prevChapter
  case first
  case last
  case back
  case toggle
  case custom(CustomName)

  /// A name of 1 to 32 characters out of `a-z`, `0-9` and `-`.
  ///
  /// It holds its characters in itself, so that a command is copied without counting references.
  public struct CustomName: Sendable, Hashable {
    /// The bytes in their order, the first one lowest; zeros after the last.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// - Returns: nil when `text` is empty, longer than 32 bytes or has any other character.
    public init?(_ text: String) {
      guard (1...32).contains(text.utf8.count) else { return nil }
      for (index, byte) in text.utf8.enumerated() {
        let isValid =
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        guard isValid else { return nil }
        let bits = UInt64(byte) << UInt64(index % 8 * 8)
        switch index / 8 {
        case 0: words.0 |= bits
        case 1: words.1 |= bits
        case 2: words.2 |= bits
        default: words.3 |= bits
        }
      }
    }

    /// The characters as ASCII.
    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      for word in [words.0, words.1, words.2, words.3] {
        for shift in stride(from: UInt64(0), to: 64, by: 8) where word >> shift & 0xFF != 0 {
          bytes.append(UInt8(word >> shift & 0xFF))
        }
      }
      return bytes
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public static func == (left: CustomName, right: CustomName) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
      hasher.combine(words.1)
      hasher.combine(words.2)
      hasher.combine(words.3)
    }
  }

  /// The commands without a name of their own, in the order in which help lists them.
  public static let standard: [Command] = [
    .next, .prev, .nextChapter, .prevChapter, .first, .last, .back, .toggle,
  ]

  /// Reads the spelling of the wire and of the configuration.
  public init?(_ text: String) {
    if let command = Command.standard.first(where: { $0.description == text }) {
      self = command
    } else if text.utf8.starts(with: "custom:".utf8), let name = CustomName(String(text.dropFirst(7))) {
      self = .custom(name)
    } else {
      return nil
    }
  }
}

extension Command: CustomStringConvertible {
  public var description: String {
    switch self {
    case .next: "next"
    case .prev: "prev"
    case .nextChapter: "next-chapter"
    case .prevChapter: "prev-chapter"
    case .first: "first"
    case .last: "last"
    case .back: "back"
    case .toggle: "toggle"
    case .custom(let name): "custom:" + name.text
    }
  }
}

/// How a command came about.
public enum Gesture: String, Sendable, Hashable, CaseIterable {
  case tap
  case double
  case hold
  case chord
  case `repeat`
}
