import ReaderIPC

/// One bound input with everything that it can call.
struct Button: Sendable {
  let input: Input
  var tap: Command?
  var double: Command?
  var hold: Command?
  var hasChord = false
  /// A key that toggles: each change is one press.
  var isLatch = false
  /// The taker of the moment can do something with one of its commands.
  var isTaken = true

  init(_ input: Input) { self.input = input }

  /// A tap acts on the press itself.
  var actsAtOnce: Bool { double == nil && hold == nil && !hasChord }
  var isBound: Bool { tap != nil || double != nil || hold != nil || hasChord }

  /// Only what a finger holds down counts for the panic hold, and a toggle is not held by anybody.
  var isHeldByFinger: Bool {
    guard !isLatch, tap != nil else { return false }
    if case .key = input { return true }
    return false
  }
}

/// Two buttons, by number, that call a command together.
struct Chord: Sendable {
  let first: Int
  let second: Int
  let command: Command

  func joins(_ one: Int, _ other: Int) -> Bool {
    (one == first && other == second) || (one == second && other == first)
  }
}
