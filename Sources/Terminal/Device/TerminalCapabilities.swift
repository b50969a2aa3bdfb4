/// What a terminal can do, from its environment at first and from its answers later.
public struct TerminalCapabilities: Sendable, Equatable {
  public var depth: ColorDepth
  /// DECSET 2026.
  public var hasSynchronizedUpdate = false
  public var hasSixel = false
  public var hasKittyGraphics = false
  /// Of one cell, in pixels; nil when the terminal does not say.
  public var cellWidth: Int?
  public var cellHeight: Int?
  /// The Linux console: no focus events, few glyphs.
  public var isConsole: Bool
  /// Whether it turns each word of right-to-left letters by itself and leaves the words where they are, as kitty does.
  public var turnsWords: Bool
  /// Whether the terminal has answered all that was asked.
  public internal(set) var isComplete = false

  /// - Parameter environment: the value of an environment variable, nil when it is not set.
  public init(environment: (String) -> String?) {
    let terminal = environment("TERM") ?? "dumb"
    let colors = environment("COLORTERM") ?? ""
    isConsole = terminal == "linux"
    turnsWords = terminal == "xterm-kitty" || environment("KITTY_WINDOW_ID").map { !$0.isEmpty } == true
    if environment("NO_COLOR").map({ !$0.isEmpty }) == true || terminal == "dumb" || terminal.hasPrefix("vt") {
      depth = .none
    } else if colors == "truecolor" || colors == "24bit" || terminal.hasSuffix("-direct")
      || ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"].contains(terminal)
    {
      depth = .truecolor
    } else if terminal.hasSuffix("256color") {
      depth = .palette
    } else {
      depth = .sixteen
    }
  }

  /// Learns from an answer; returns whether it changed anything.
  mutating func learn(_ answer: TerminalEvent.Answer) -> Bool {
    let before = self
    switch answer {
    case .mode(2026, let state):
      // 1 and 2: it can be switched; 3: always on; 0 and 4: it cannot.
      hasSynchronizedUpdate = (1...3).contains(state)
    case .mode:
      break
    case .attributes(let features):
      hasSixel = features.dropFirst().contains(4)
      isComplete = true
    case .cellSize(let width, let height):
      cellWidth = width
      cellHeight = height
    case .string(let introducer, let text):
      if introducer == UInt8(ascii: "_"), text.starts(with: "Gi=31".utf8) {
        hasKittyGraphics = text.suffix(3).elementsEqual(";OK".utf8)
      } else if introducer == UInt8(ascii: "P"), text.starts(with: "1$r".utf8), depth > .none {
        learnColors(text.dropFirst(3))
      }
    }
    return self != before
  }

  /// What a terminal made of the background 1, 2, 3: itself, or an entry of its palette.
  private mutating func learnColors(_ report: ArraySlice<UInt8>) {
    let numbers = report.split(whereSeparator: { !(0x30...0x39).contains($0) }).map { Array($0) }
    if numbers.suffix(3).elementsEqual([[0x31], [0x32], [0x33]]) {
      depth = .truecolor
    } else if depth < .palette, numbers.contains(Array("48".utf8)) {
      depth = .palette
    }
  }
}
