internal import Terminal

/// How things stand with pagerd, as the reader sees it.
enum ConnectionState: Equatable, Sendable {
  case absent
  /// Another window, or none, gets the commands.
  case waiting
  case active(devices: [String])

  var symbol: Character {
    switch self {
    case .absent: "○"
    case .waiting: "◐"
    case .active: "●"
    }
  }

  /// For the status line; empty: nothing to be said.
  var text: String {
    switch self {
    case .absent, .waiting: ""
    case .active(let devices): devices.joined(separator: ", ")
    }
  }

  /// For a person who asks.
  var explanation: String {
    switch self {
    case .absent: "○ pagerd is not running: page turners are not heard"
    case .waiting: "◐ pagerd is running; the pages of this window are not turned by it now"
    case .active(let devices):
      devices.isEmpty
        ? "● pagerd turns these pages as soon as it holds a page turner"
        : "● these pages are turned by " + devices.joined(separator: ", ")
    }
  }
}
