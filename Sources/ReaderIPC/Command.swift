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
  public struct CustomName: Sendable, Hashable {
    public let text: String

    /// - Returns: nil when `text` is empty, longer than 32 bytes or has any other character.
    public init?(_ text: String) {
      let bytes = text.utf8
      guard (1...32).contains(bytes.count) else { return nil }
      let isValid = bytes.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
      guard isValid else { return nil }
      self.text = text
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
