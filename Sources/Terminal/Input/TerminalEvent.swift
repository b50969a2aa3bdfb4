/// What a terminal tells: keys, mouse, paste, focus, and answers to questions.
public enum TerminalEvent: Sendable, Hashable {
  case key(Key, Modifiers)
  case mouse(MouseEvent)
  /// Pasted text, at most `InputDecoder.pasteLimit` bytes of it, control characters and all: it is text, not keys.
  case paste(String)
  case focus(Bool)
  case answer(Answer)

  public enum Key: Sendable, Hashable {
    case character(Unicode.Scalar)
    case enter, tab, backspace, escape
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    /// F1...F63
    case function(Int)
  }

  public struct Modifiers: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
    public static let command = Modifiers(rawValue: 8)
  }

  public struct MouseEvent: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
      /// A button went down: 0 left, 1 middle, 2 right.
      case press(Int)
      case release(Int)
      /// The pointer moved; the button that is down, or nil.
      case move(Int?)
      case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    public var action: Action
    /// From 0, top left.
    public var row: Int
    public var column: Int
    public var modifiers: Modifiers

    public init(action: Action, row: Int, column: Int, modifiers: Modifiers = []) {
      self.action = action
      self.row = row
      self.column = column
      self.modifiers = modifiers
    }
  }

  public enum Answer: Sendable, Hashable {
    /// DECRPM: a private mode and its state: 0 unknown, 1 set, 2 reset, 3 and 4 permanently so.
    case mode(Int, state: Int)
    /// DA1: the features; 4 is sixel.
    case attributes([Int])
    /// The size of a cell in pixels (XTWINOPS 16).
    case cellSize(width: Int, height: Int)
    /// A string: OSC, DCS or APC, its introducer's letter (`]`, `P`, `_`) and at most 1024 bytes.
    case string(introducer: UInt8, [UInt8])
  }
}
