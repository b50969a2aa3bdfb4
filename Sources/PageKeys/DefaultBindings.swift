import ReaderIPC

/// What each input means before any profile or configuration speaks.
enum DefaultBindings {
  /// - Parameter sticks: ABS_X and ABS_Y are a stick and not a pointer's place.
  static func bindings(for role: Role, sticks: Bool) -> [Binding] {
    switch role {
    case .ignore: []
    case .shared: [tap(.key(KeyCode.volumeDown), .next), tap(.key(KeyCode.volumeUp), .prev)]
    case .pageTurner: pageTurner(sticks: sticks)
    }
  }

  /// A cross that reports as four buttons means what a hat means.
  private static let nextKeys: [UInt16] = [
    KeyCode.volumeDown, KeyCode.pageDown, KeyCode.right, KeyCode.down, KeyCode.nextSong, KeyCode.forward,
    KeyCode.space, KeyCode.south, KeyCode.left1, KeyCode.dpadDown, KeyCode.dpadRight,
  ]
  private static let prevKeys: [UInt16] = [
    KeyCode.volumeUp, KeyCode.pageUp, KeyCode.left, KeyCode.up, KeyCode.previousSong, KeyCode.back, KeyCode.east,
    KeyCode.right1, KeyCode.dpadUp, KeyCode.dpadLeft,
  ]
  private static let toggleKeys: [UInt16] = [KeyCode.playPause, KeyCode.enter, KeyCode.start, KeyCode.menu]

  private static func pageTurner(sticks: Bool) -> [Binding] {
    var bindings = nextKeys.map { tap(.key($0), .next) }
    bindings += prevKeys.map { tap(.key($0), .prev) }
    bindings += toggleKeys.map { tap(.key($0), .toggle) }
    bindings += [Direction.down, .right].map { tap(.wheel($0), .next) }
    bindings += [Direction.up, .left].map { tap(.wheel($0), .prev) }
    bindings += [tap(.dial(isRight: true), .next), tap(.dial(isRight: false), .prev)]
    bindings += [Direction.left, .up].map { tap(.swipe($0), .next) }
    bindings += [Direction.right, .down].map { tap(.swipe($0), .prev) }
    var axes = [AbsoluteCode.hat0X, AbsoluteCode.hat0Y]
    if sticks { axes += [AbsoluteCode.x, AbsoluteCode.y] }
    bindings += axes.map { tap(.axis($0, isPositive: true), .next) }
    bindings += axes.map { tap(.axis($0, isPositive: false), .prev) }
    return bindings
  }

  private static func tap(_ input: Input, _ command: Command) -> Binding { Binding(.tap(input), command) }
}
