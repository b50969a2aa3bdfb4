internal import ImageWorker
internal import Terminal

/// How a terminal shows pictures.
enum PictureForm: Sendable, Equatable {
  /// Not at all: a frame with the alternative text stands in their place.
  case none
  case kitty
  case sixel
  /// Block elements in two colours a cell.
  case symbols

  /// The best that a terminal has said it can do. Until it has answered it is none, so that no page is laid out twice.
  init(_ capabilities: TerminalCapabilities) {
    if !capabilities.isComplete {
      self = .none
    } else if capabilities.hasKittyGraphics {
      self = .kitty
    } else if capabilities.hasSixel, capabilities.cellHeight != nil {
      self = .sixel
    } else if capabilities.depth >= .palette {
      self = .symbols
    } else {
      self = .none
    }
  }

  var request: ImageRequest.Form? {
    switch self {
    case .none: nil
    case .kitty: .pixels
    case .sixel: .sixel
    case .symbols: .symbols
    }
  }
}
