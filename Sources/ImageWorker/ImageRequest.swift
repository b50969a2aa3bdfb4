/// What the reader asks of the worker: an image's bytes and the box they are to be shown in.
public struct ImageRequest: Sendable, Equatable {
  /// What comes back.
  public enum Form: UInt32, Sendable {
    /// Red, green, blue, alpha: four bytes a pixel, for a terminal that takes pixels.
    case pixels = 0
    /// Sixel data without the control sequence around it.
    case sixel = 1
    /// One character and two colours a cell.
    case symbols = 2
  }

  /// An image's bytes are at most this many.
  public static let byteLimit = 64 << 20

  public var form: Form
  /// The box in cells; each 1...1000.
  public var columns: Int
  public var rows: Int
  /// A cell in pixels; each 1...100. Terminals that do not say: 8 x 16.
  public var cellWidth: Int
  public var cellHeight: Int
  /// How far a small image may be enlarged: 1 keeps its natural size, at most 16.
  public var enlargement: Int
  /// 0xRRGGBB, what shows through where the image is transparent.
  public var background: UInt32

  public init(
    form: Form, columns: Int, rows: Int, cellWidth: Int = 8, cellHeight: Int = 16, enlargement: Int = 1,
    background: UInt32 = 0xFFFFFF
  ) {
    self.form = form
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
    self.cellWidth = min(max(cellWidth, 1), 100)
    self.cellHeight = min(max(cellHeight, 1), 100)
    self.enlargement = min(max(enlargement, 1), 16)
    self.background = background & 0xFF_FFFF
  }

  static let magic: UInt32 = 0x3147_4970
  public static let headerSize = 36

  /// The header that goes before the image's `byteCount` bytes.
  public func header(byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize)
    for field in [
      Self.magic, form.rawValue, UInt32(columns), UInt32(rows), UInt32(cellWidth), UInt32(cellHeight),
      UInt32(enlargement), background, UInt32(byteCount),
    ] {
      bytes.appendField(field)
    }
    return bytes
  }

  /// Reads a header as `header(byteCount:)` writes it.
  ///
  /// - Returns: nil for anything else; the worker then ends.
  public static func read(_ bytes: [UInt8]) -> (request: ImageRequest, byteCount: Int)? {
    guard bytes.count == headerSize, bytes.field(0) == magic, let form = Form(rawValue: bytes.field(1)) else {
      return nil
    }
    let request = ImageRequest(
      form: form, columns: Int(bytes.field(2)), rows: Int(bytes.field(3)), cellWidth: Int(bytes.field(4)),
      cellHeight: Int(bytes.field(5)), enlargement: Int(bytes.field(6)), background: bytes.field(7))
    let byteCount = Int(bytes.field(8))
    guard byteCount <= byteLimit else { return nil }
    return (request, byteCount)
  }

  /// The size in pixels at which an image of this natural size fills the box without being distorted.
  public func fit(width: Int, height: Int) -> (width: Int, height: Int) {
    let (width, height) = (max(width, 1), max(height, 1))
    let (boxWidth, boxHeight) = (columns * cellWidth, rows * cellHeight)
    let scale = min(
      Double(enlargement), Double(boxWidth) / Double(width), Double(boxHeight) / Double(height))
    func scaled(_ length: Int, _ limit: Int) -> Int {
      min(limit, max(1, Int((Double(length) * scale).rounded())))
    }
    return (scaled(width, boxWidth), scaled(height, boxHeight))
  }

  /// The cells that so many pixels cover.
  public func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
    (
      min(columns, max(1, (width + cellWidth - 1) / cellWidth)),
      min(rows, max(1, (height + cellHeight - 1) / cellHeight))
    )
  }
}

extension [UInt8] {
  /// Four bytes, least significant first.
  mutating func appendField(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// The `index`th field of four bytes.
  func field(_ index: Int, from start: Int = 0) -> UInt32 {
    var value: UInt32 = 0
    for byte in (0..<4).reversed() { value = value << 8 | UInt32(self[start + index * 4 + byte]) }
    return value
  }
}
