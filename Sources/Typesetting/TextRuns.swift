internal import Document

/// Gathers clusters into runs that look alike.
struct TextRuns {
  private let flat: FlatText
  private let shaped: [UInt32]?
  private let role: Block.Role
  private let look: PageLook
  private let context: Flow.Context
  private var runs: [CellRun] = []
  private var bytes: [UInt8] = []
  private var width = 0
  private var lower = Int.max
  private var upper = 0
  private var span = -1
  private var highlight: Int?
  /// What a scalar's index in the span at hand and its offset differ by, if they do so evenly.
  private var linear: Int?
  /// Whether the span is text of the source.
  private var isSource = false
  /// Scalars of the span at hand.
  private var spanRange = 0..<0

  init(flat: FlatText, shaped: [UInt32]?, role: Block.Role, look: PageLook, context: Flow.Context) {
    self.flat = flat
    self.shaped = shaped
    self.role = role
    self.look = look
    self.context = context
  }

  mutating func append(_ cluster: LineRenderer.Placed, room: Int) {
    if !spanRange.contains(cluster.index) { enter(flat.span(at: cluster.index)) }
    let offset = linear.map { $0 + cluster.index } ?? flat.offset(at: cluster.index, in: flat.spans[span])
    if !look.highlights.isEmpty {
      let found = highlight(at: offset)
      if found != highlight {
        flush()
        highlight = found
      }
    }
    if let linear {
      lower = min(lower, offset)
      upper = max(upper, linear + cluster.end)
    } else if isSource {
      lower = min(lower, offset)
      upper = max(upper, flat.offset(at: cluster.end - 1, in: flat.spans[span]) + 1)
    }
    let scalar = flat.scalars[cluster.index]
    if scalar < 0x7F {
      if scalar >= 0x20 { emit(cluster.isReversed ? BidiHandle.mirrored(scalar) : scalar) }
      if cluster.width > 1, scalar == 0x20 { pad(cluster.width - 1) }
      if cluster.end > cluster.index + 1 {
        for index in (cluster.index + 1)..<cluster.end
        where CellTable.shared[flat.scalars[index]] != CellTable.Class.invisible {
          if !look.isLogical, flat.scalars[index] == 0xFE0F || flat.scalars[index] == 0x200D { continue }
          emit(flat.scalars[index])
        }
      }
      stand(apart: cluster)
      width += cluster.width
      return
    }
    if Self.isBlank(scalar) {
      pad(cluster.width)
      width += cluster.width
      return
    }
    guard cluster.width <= room || flat.pads[cluster.index] != nil else {
      // A wide letter in a window of one column.
      emit(0xFFFD)
      width += 1
      return
    }
    for index in cluster.index..<cluster.end {
      var scalar = shaped?[index] ?? flat.scalars[index]
      guard scalar != 0x0A, CellTable.shared[scalar] != CellTable.Class.invisible else { continue }
      if !look.isLogical, !context.metrics.countsClusters {
        // Terminals disagree on how wide these make an emoji.
        if scalar == 0xFE0F || scalar == 0xFE0E { continue }
        if scalar == 0x200D, !Self.shapesLetters(flat.scalars[max(index - 1, 0)]) { continue }
      }
      if cluster.isReversed { scalar = BidiHandle.mirrored(scalar) }
      emit(scalar)
    }
    stand(apart: cluster)
    width += cluster.width
  }

  /// The blanks behind a letter that a wide annotation stands over.
  private mutating func stand(apart cluster: LineRenderer.Placed) {
    if !flat.pads.isEmpty, let count = flat.pads[cluster.index] { pad(count) }
  }

  /// The hyphen of a divided word.
  mutating func appendHyphen(after index: Int) {
    if index >= 0, index < flat.scalars.count, !spanRange.contains(index) { enter(flat.span(at: index)) }
    emit(0x2D)
    width += 1
  }

  mutating func finish() -> [CellRun] {
    flush()
    return runs
  }

  private mutating func enter(_ next: Int) {
    let range = flat.spans[next].start..<(next + 1 < flat.spans.count ? flat.spans[next + 1].start : flat.scalars.count)
    spanRange = range
    if span >= 0, next != span, !Self.looksAlike(flat, span, next) { flush() }
    span = next
    isSource = flat.spans[next].base != nil
    linear = nil
    if let base = flat.spans[next].base, case .from(let start) = flat.text.runs[flat.spans[next].run].offsets {
      linear = start + base - range.lowerBound
    }
  }

  private static func looksAlike(_ flat: FlatText, _ one: Int, _ other: Int) -> Bool {
    let first = flat.text.runs[flat.spans[one].run]
    let second = flat.text.runs[flat.spans[other].run]
    return flat.spans[one].kind == flat.spans[other].kind && first.style == second.style && first.link == second.link
      && first.image == nil && second.image == nil
  }

  private mutating func flush() {
    defer {
      bytes.removeAll(keepingCapacity: true)
      width = 0
      lower = .max
      upper = 0
    }
    guard span >= 0, !bytes.isEmpty else { return }
    let run = flat.text.runs[flat.spans[span].run]
    runs.append(
      CellRun(
        text: String(decoding: bytes, as: UTF8.self), width: width, kind: flat.spans[span].kind, style: run.style,
        role: role, link: run.link ?? run.image?.link, image: run.image, range: lower <= upper ? lower..<upper : 0..<0,
        highlight: highlight))
  }

  /// Which highlight an offset lies in.
  private func highlight(at offset: Int) -> Int? {
    var low = 0
    var high = look.highlights.count
    while low < high {
      let middle = (low + high) / 2
      if look.highlights[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    guard low < look.highlights.count, look.highlights[low].contains(offset) else { return nil }
    return low
  }

  private mutating func pad(_ count: Int) {
    for _ in 0..<max(count, 0) { bytes.append(0x20) }
  }

  @inline(__always)
  private mutating func emit(_ scalar: UInt32) {
    Self.append(scalar, to: &bytes)
  }

  /// Appends a scalar in UTF-8; what is none is left out.
  @inline(__always)
  static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    if scalar < 0x80 {
      bytes.append(UInt8(scalar))
    } else if scalar < 0x800 {
      bytes.append(UInt8(0xC0 | scalar >> 6))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    } else if scalar < 0x10000 {
      guard !(0xD800..<0xE000).contains(scalar) else { return }
      bytes.append(UInt8(0xE0 | scalar >> 12))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    } else if scalar < 0x110000 {
      bytes.append(UInt8(0xF0 | scalar >> 18))
      bytes.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    }
  }

  /// Whether a joiner behind this letter changes how it looks: in the scripts of India and around it.
  private static func shapesLetters(_ scalar: UInt32) -> Bool {
    (0x0900...0x0FFF).contains(scalar) || (0x1000...0x109F).contains(scalar) || (0x1780...0x18AF).contains(scalar)
  }

  /// Blanks of every kind are sent as blanks.
  @inline(__always)
  static func isBlank(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA0, 0x1680, 0x2000...0x200A, 0x205F: true
    default: false
    }
  }

  /// A text without anything that a terminal could obey.
  static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch CellTable.shared[scalar.value] {
      case CellTable.Class.control: result.append(scalar == "\t" || scalar == "\n" ? " " : "\u{FFFD}")
      case CellTable.Class.invisible, CellTable.Class.joiner: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
