/// The worker's answer as it goes over the socket.
public struct ImageResponse: Sendable, Equatable {
  public enum Status: UInt32, Sendable {
    case shown = 0
    case unreadable = 1
    case tooManyPixels = 2
  }

  static let magic: UInt32 = 0x3247_4970
  public static let headerSize = 28
  /// More than any box of cells needs.
  static let payloadLimit = 256 << 20

  public var status: Status
  public var width: Int
  public var height: Int
  public var columns: Int
  public var rows: Int
  public var payload: [UInt8]

  public init(
    status: Status, width: Int = 0, height: Int = 0, columns: Int = 0, rows: Int = 0, payload: [UInt8] = []
  ) {
    self.status = status
    self.width = width
    self.height = height
    self.columns = columns
    self.rows = rows
    self.payload = payload
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + payload.count)
    for field in [
      Self.magic, status.rawValue, UInt32(width), UInt32(height), UInt32(columns), UInt32(rows), UInt32(payload.count),
    ] {
      bytes.appendField(field)
    }
    return bytes + payload
  }

  /// Twelve bytes a cell: character, foreground, background; a colour of 0xFFFFFFFF is the terminal's own.
  public static func payload(of cells: [RenderedImage.Cell]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(cells.count * 12)
    for cell in cells {
      bytes.appendField(cell.character.value)
      bytes.appendField(cell.foreground ?? .max)
      bytes.appendField(cell.background ?? .max)
    }
    return bytes
  }

  /// How many bytes a whole answer has that begins with `bytes`.
  ///
  /// - Returns: nil while the header is incomplete.
  /// - Throws: `workerFailed` for what cannot be an answer.
  static func length(_ bytes: [UInt8]) throws(ImageError) -> Int? {
    guard bytes.count >= headerSize else { return nil }
    let payload = Int(bytes.field(6))
    guard bytes.field(0) == magic, payload <= payloadLimit else { throw .workerFailed }
    return headerSize + payload
  }

  /// Reads a whole answer and holds it against what was asked; the worker is not trusted.
  static func read(_ bytes: [UInt8], to request: ImageRequest) throws(ImageError) -> RenderedImage {
    guard let status = Status(rawValue: bytes.field(1)) else { throw .workerFailed }
    switch status {
    case .unreadable: throw .unreadable
    case .tooManyPixels: throw .tooManyPixels
    case .shown: break
    }
    let (width, height) = (Int(bytes.field(2)), Int(bytes.field(3)))
    let (columns, rows) = (Int(bytes.field(4)), Int(bytes.field(5)))
    guard
      (1...request.columns).contains(columns), (1...request.rows).contains(rows),
      (1...request.columns * request.cellWidth).contains(width),
      (1...request.rows * request.cellHeight).contains(height)
    else { throw .workerFailed }
    let payload = Array(bytes[headerSize...])
    let content: RenderedImage.Content
    switch request.form {
    case .pixels:
      guard payload.count == width * height * 4 else { throw .workerFailed }
      content = .pixels(payload)
    case .sixel:
      guard payload.allSatisfy(isSixelData) else { throw .workerFailed }
      content = .sixel(payload)
    case .symbols:
      guard payload.count == columns * rows * 12 else { throw .workerFailed }
      var cells: [RenderedImage.Cell] = []
      cells.reserveCapacity(columns * rows)
      for index in 0..<(columns * rows) {
        guard let character = Unicode.Scalar(payload.field(0, from: index * 12)), isSymbol(character) else {
          throw .workerFailed
        }
        func color(_ value: UInt32) -> UInt32? { value == .max ? nil : value & 0xFF_FFFF }
        cells.append(
          RenderedImage.Cell(
            character: character, foreground: color(payload.field(1, from: index * 12)),
            background: color(payload.field(2, from: index * 12))))
      }
      content = .symbols(cells)
    }
    return RenderedImage(width: width, height: height, columns: columns, rows: rows, content: content)
  }

  /// Raster attributes, colours, repeats, line ends and sixels (DEC STD 070): no byte that could end the sequence.
  private static func isSixelData(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "!"),
      UInt8(ascii: "\""), UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: "?")...UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// What a picture is drawn with: a blank, or one of the block elements, one cell wide each.
  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (0x2580...0x259F).contains(scalar.value)
  }
}
