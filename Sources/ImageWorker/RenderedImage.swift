/// An image ready to be shown, checked against what was asked: nothing in it can reach a terminal as a command.
public struct RenderedImage: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// Red, green, blue, alpha, `width * height` times.
    case pixels([UInt8])
    /// Sixel data: only the bytes that sixel data is made of.
    case sixel([UInt8])
    /// `columns * rows` cells, row by row.
    case symbols([Cell])
  }

  public struct Cell: Sendable, Equatable {
    public var character: Unicode.Scalar
    /// 0xRRGGBB; nil: the terminal's own.
    public var foreground: UInt32?
    public var background: UInt32?

    public init(character: Unicode.Scalar, foreground: UInt32?, background: UInt32?) {
      self.character = character
      self.foreground = foreground
      self.background = background
    }
  }

  /// In pixels.
  public var width: Int
  public var height: Int
  /// In cells: what it covers, at most the box of the request.
  public var columns: Int
  public var rows: Int
  public var content: Content

  public init(width: Int, height: Int, columns: Int, rows: Int, content: Content) {
    self.width = width
    self.height = height
    self.columns = columns
    self.rows = rows
    self.content = content
  }
}

/// Why there is no picture.
public enum ImageError: Error, Sendable, Equatable {
  /// More bytes than `ImageRequest.byteLimit`.
  case tooLarge(bytes: Int)
  /// No decoder reads it, or it is damaged.
  case unreadable
  /// More pixels than anybody decodes.
  case tooManyPixels
  /// The worker could not be started: its path and why.
  case noWorker(String)
  /// The worker died over this image, took too long, or answered with something else than an image.
  case workerFailed
}

extension ImageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let bytes): "the image has \(bytes) bytes; at most \(ImageRequest.byteLimit) are shown"
    case .unreadable: "the image is damaged or of a kind that cannot be shown"
    case .tooManyPixels: "the image has too many pixels"
    case .noWorker(let reason): "images cannot be shown: \(reason)"
    case .workerFailed: "the image could not be decoded"
    }
  }
}
