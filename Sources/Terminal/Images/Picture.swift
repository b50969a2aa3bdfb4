/// An image on the screen, drawn over the cells that it covers.
///
/// What it is made of has been checked: pixels are encoded here, and sixel data holds no byte that ends a sequence.
public struct Picture: Sendable {
  public enum Content: Sendable {
    /// Red, green, blue, alpha, `width * height` times: by kitty's graphics protocol.
    case pixels([UInt8])
    case sixel([UInt8])
  }

  /// Names the image while it is shown; 1 and above. Two pictures of one name are the same image.
  public var id: UInt32
  /// From 0, top left.
  public var row: Int
  public var column: Int
  /// The cells that it covers.
  public var rows: Int
  public var columns: Int
  /// In pixels.
  public var width: Int
  public var height: Int
  public var content: Content

  public init(
    id: UInt32, row: Int, column: Int, rows: Int, columns: Int, width: Int, height: Int, content: Content
  ) {
    self.id = id
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
    self.content = content
  }

  /// Where which image stands.
  var place: Place { Place(id: id, row: row, column: column, rows: rows, columns: columns, isCells: isCells) }

  /// Whether writing cells wipes it out, as a sixel image is part of them; kitty's lie above.
  private var isCells: Bool {
    switch content {
    case .pixels: false
    case .sixel: true
    }
  }

  struct Place: Hashable {
    let id: UInt32
    let row: Int
    let column: Int
    let rows: Int
    let columns: Int
    let isCells: Bool
  }

  /// Appends what draws it at the cursor, which stays where it is or is placed anew by whoever draws next.
  func appendSequence(to output: inout [UInt8]) {
    switch content {
    case .pixels(let pixels): KittyGraphics.append(pixels, id: id, width: width, height: height, to: &output)
    case .sixel(let data):
      // 1: pixels of no colour stay as they are.
      output.append(contentsOf: "\u{1B}P0;1;0q".utf8)
      output.append(contentsOf: data)
      output.append(contentsOf: "\u{1B}\\".utf8)
    }
  }
}
