/// What a terminal's cursor does at each scalar: a table of two stages, filled once from `ranges`.
struct CellTable: Sendable {
  enum Class {
    static let combining: UInt8 = 0
    static let narrow: UInt8 = 1
    static let wide: UInt8 = 2
    /// Combines with what precedes and still takes a cell: vowel signs of Indic scripts.
    static let spacing: UInt8 = 3
    /// Has no look of its own (soft hyphen, zero-width space, direction marks); never sent to a terminal.
    static let invisible: UInt8 = 4
    /// Would move the cursor; never sent to a terminal.
    static let control: UInt8 = 5
    /// ZWJ, ZWNJ, variation selectors: no width, belongs to what precedes.
    static let joiner: UInt8 = 6
    static let regional: UInt8 = 7
    static let modifier: UInt8 = 8
  }

  static let shared = CellTable()

  private let blocks: [UInt16]
  private let classes: [UInt8]

  private init() {
    var blocks = [UInt16](repeating: 0, count: 0x20000 >> 7)
    // The first nine blocks are uniform, one a class.
    var classes = [UInt8]()
    for value in 0..<UInt8(9) { classes.append(contentsOf: repeatElement(value, count: 128)) }
    var position = 0
    var current: UInt8 = Class.control
    func fill(upTo end: Int) {
      while position < end {
        let block = position >> 7
        let blockEnd = (block + 1) << 7
        if position & 127 == 0, end >= blockEnd {
          blocks[block] = UInt16(current)
          position = blockEnd
        } else {
          if position & 127 == 0 {
            blocks[block] = UInt16(classes.count >> 7)
            classes.append(contentsOf: repeatElement(0, count: 128))
          }
          let base = Int(blocks[block]) << 7
          let last = min(end, blockEnd)
          for index in position..<last { classes[base + index & 127] = current }
          position = last
        }
      }
    }
    var distance = 0
    var start = 0
    Self.ranges.withUTF8Buffer { text in
      for byte in text {
        switch byte {
        case 0x30...0x39: distance = distance << 4 | Int(byte - 0x30)
        case 0x61...0x66: distance = distance << 4 | Int(byte - 0x57)
        case 0x67...0x6F:
          start += distance
          distance = 0
          fill(upTo: start)
          current = byte - 0x67
        default: continue
        }
      }
    }
    fill(upTo: 0x20000)
    self.blocks = blocks
    self.classes = classes
  }

  @inline(__always)
  subscript(scalar: UInt32) -> UInt8 {
    if scalar < 0x20000 { return classes[Int(blocks[Int(scalar >> 7)]) << 7 + Int(scalar & 127)] }
    if scalar < 0x40000 { return Class.wide }
    // Tags and the variation selectors of plane 14.
    if (0xE0000..<0xE1000).contains(scalar) { return Class.joiner }
    return Class.narrow
  }
}
