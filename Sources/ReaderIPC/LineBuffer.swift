/// Cuts what a stream brings into lines, without ever keeping more than one line and one read.
public struct LineBuffer: Sendable {
  /// What was received and not yet taken; the owner appends to it.
  public var bytes: [UInt8] = []
  private var start = 0
  private var scanned = 0

  public init() {}

  public enum Item: Sendable, Equatable {
    /// A whole line in `bytes`, its line feed left out.
    case line(Range<Int>)
    /// The line has more than `Wire.maximumLine` bytes; whatever follows means nothing.
    case tooLong
    /// No whole line (any more): append, then ask again.
    case incomplete
  }

  /// Takes the next line. Ranges stand until `compact`.
  public mutating func next() -> Item {
    while scanned < bytes.count {
      if bytes[scanned] == UInt8(ascii: "\n") {
        let line = start..<scanned
        scanned += 1
        start = scanned
        return line.count > Wire.maximumLine ? .tooLong : .line(line)
      }
      scanned += 1
    }
    return scanned - start > Wire.maximumLine ? .tooLong : .incomplete
  }

  /// Has a line begun that did not end?
  public var isWithinLine: Bool { start < bytes.count }

  /// Gives the taken lines' room back; allocates nothing.
  public mutating func compact() {
    guard start > 0 else { return }
    bytes.removeSubrange(0..<start)
    scanned -= start
    start = 0
  }
}
