/// How wide text is. The cells of a terminal are the first implementation; pixels would be another.
public protocol TextMetrics: Sendable {
  /// Measures a paragraph: for each scalar the advance of the grapheme cluster that begins there, or
  /// `TextAdvance.continuation` inside a cluster.
  ///
  /// - Parameters:
  ///   - scalars: the paragraph.
  ///   - advances: emptied, then one value a scalar, in the unit of the page.
  func measure(_ scalars: [UInt32], into advances: inout [Int16])
}

public enum TextAdvance {
  /// Marks a scalar that belongs to the cluster before it. A line never breaks there.
  public static let continuation: Int16 = -1
}

/// The columns that a terminal's cursor moves by.
///
/// The sum of its scalars' widths as wcwidth counts them is what xterm, tmux and the libraries of most terminals
/// advance by for a cluster; what they disagree on (emoji joined by ZWJ or widened by a variation selector) is drawn
/// in a way that all count alike, unless the terminal is known to count clusters (mode 2027).
public struct CellMetrics: TextMetrics {
  /// Whether a cluster of emoji is two cells whatever it is made of.
  public let countsClusters: Bool

  public init(countsClusters: Bool = false) {
    self.countsClusters = countsClusters
  }

  public func measure(_ scalars: [UInt32], into advances: inout [Int16]) {
    advances.removeAll(keepingCapacity: true)
    // Letters of one cell are what most paragraphs are made of.
    advances.append(contentsOf: repeatElement(1, count: scalars.count))
    guard let plain = scalars.firstIndex(where: { $0 >= 0x7F || $0 < 0x20 }) else { return }
    scalars.withUnsafeBufferPointer { scalars in
      advances.withUnsafeMutableBufferPointer { measure(scalars, from: plain, into: $0) }
    }
  }

  private func measure(
    _ scalars: UnsafeBufferPointer<UInt32>, from plain: Int, into advances: UnsafeMutableBufferPointer<Int16>
  ) {
    let table = CellTable.shared
    // Where the cluster at hand began; -1 where nothing can be combined with.
    var first = plain - 1
    var regionals = 0
    // Whether a ZWJ behind an emoji waits for the next one.
    var joined = false
    for index in plain..<scalars.count {
      let scalar = scalars[index]
      if scalar < 0x7F, scalar >= 0x20 {
        first = index
        regionals = 0
        joined = false
        continue
      }
      let kind = table[scalar]
      var width: Int16 = 0
      var joins = false
      switch kind {
      case CellTable.Class.combining: joins = true
      case CellTable.Class.joiner:
        joins = true
        if countsClusters, scalar == 0xFE0F, first >= 0, Self.isPictograph(scalars[first]) { advances[first] = 2 }
      case CellTable.Class.spacing:
        joins = true
        width = 1
      case CellTable.Class.narrow:
        width = 1
        joins = joined && countsClusters && Self.isPictograph(scalar)
      case CellTable.Class.wide:
        width = 2
        joins = joined && Self.isPictograph(scalar)
      case CellTable.Class.regional:
        width = 1
        joins = regionals % 2 == 1
      case CellTable.Class.modifier:
        width = 2
        joins = first >= 0 && Self.isPictograph(scalars[first])
      default:
        // Controls and invisible scalars are clusters by themselves, and nothing combines with them.
        advances[index] = 0
        first = -1
        regionals = 0
        joined = false
        continue
      }
      if kind == CellTable.Class.regional { regionals += 1 } else if !joins { regionals = 0 }
      if joins, first >= 0 {
        let grows = !countsClusters || kind == CellTable.Class.spacing || kind == CellTable.Class.regional
        if grows, advances[first] < 1000 { advances[first] += width }
        advances[index] = TextAdvance.continuation
      } else {
        first = index
        advances[index] = width
      }
      joined = scalar == 0x200D && first >= 0 && Self.isPictograph(scalars[first])
    }
  }

  /// Columns of one cluster.
  public func width(of cluster: Character) -> Int {
    if let ascii = cluster.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    return width(of: String(cluster))
  }

  /// Columns of a text without line breaks.
  public func width(of text: some StringProtocol) -> Int {
    var advances: [Int16] = []
    measure(text.unicodeScalars.map(\.value), into: &advances)
    return advances.reduce(0) { $0 + Int(max($1, 0)) }
  }

  /// A scalar that may be drawn as an emoji; digits, # and * are not counted in.
  static func isPictograph(_ scalar: UInt32) -> Bool {
    guard scalar > 0xA8 else { return false }
    return Unicode.Scalar(scalar)?.properties.isEmoji ?? false
  }
}
