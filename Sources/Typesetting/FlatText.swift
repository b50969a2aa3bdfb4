internal import Document

/// One block's text as arrays: a scalar as it is shown, how wide it is, and which run and place it comes from.
/// Filling it again keeps its storage.
struct FlatText {
  /// A stretch that comes from one run in one way.
  struct Span {
    var start: Int
    var run: Int
    /// Which scalar of the run stands at `start`; nil: generated, every scalar stands at `offset`.
    var base: Int?
    var offset: Int
    var kind: CellRun.Kind
  }

  /// An annotation above the line.
  struct Ruby {
    var range: Range<Int>
    var scalars: [UInt32]
    var width: Int
  }

  struct Traits {
    var hasRightToLeft = false
    var isASCII = true
    var isSimple = true
    var hasFarEnd = false
  }

  enum RubyPlace {
    case above
    /// Above, with the letters below moved apart.
    case apart
    case brackets
    case hidden
  }

  private(set) var text = InlineText()
  private(set) var scalars: [UInt32] = []
  var advances: [Int16] = []
  private(set) var spans: [Span] = []
  private(set) var rubies: [Ruby] = []
  /// Before which scalars a line may not break although the alphabet's rules would allow it.
  private(set) var glued: [Int] = []
  var traits = Traits()
  /// Blank cells behind letters that stand apart, counted in their advances.
  var pads: [Int: Int] = [:]

  var hasRightToLeft: Bool { traits.hasRightToLeft }
  var hasFarEnd: Bool { traits.hasFarEnd }
  var isASCII: Bool { traits.isASCII }
  /// Whether every scalar is a cell and a cluster of its own, and every blank one that breaks.
  var isSimple: Bool { traits.isSimple }
  /// Whether every scalar is a cell and a cluster of its own.
  private(set) var isEven = true
  /// Cells from one tab stop to the next, in preformatted text.
  private var tab = 8

  mutating func fill(
    _ text: InlineText, isPreformatted: Bool, tab: Int = 8, ruby: RubyPlace, metrics: any TextMetrics
  ) {
    self.text = text
    self.tab = max(tab, 1)
    scalars.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    rubies.removeAll(keepingCapacity: true)
    glued.removeAll(keepingCapacity: true)
    pads.removeAll(keepingCapacity: true)
    traits = Traits()
    for index in text.runs.indices { append(index, isPreformatted: isPreformatted, ruby: ruby, metrics: metrics) }
    metrics.measure(scalars, into: &advances)
    if ruby == .apart, !rubies.isEmpty { moveApart() }
    isEven = traits.isASCII && traits.isSimple || Self.areOnes(advances)
  }

  private static func areOnes(_ advances: [Int16]) -> Bool {
    advances.withUnsafeBufferPointer { advances in
      var difference: Int16 = 0
      for advance in advances { difference |= advance ^ 1 }
      return difference == 0
    }
  }

  /// The span that a scalar lies in.
  func span(at index: Int) -> Int {
    var low = 0
    var high = spans.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if spans[middle].start <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// Where a scalar stands in the source; behind the last one, the end of the text.
  func offset(at index: Int) -> Int {
    guard !spans.isEmpty else { return 0 }
    guard index < scalars.count else {
      guard index > 0 else { return spans[0].offset }
      let end = offset(at: scalars.count - 1)
      return spans[span(at: scalars.count - 1)].kind == .ruby ? end : end + 1
    }
    return offset(at: index, in: spans[span(at: index)])
  }

  func offset(at index: Int, in span: Span) -> Int {
    guard let base = span.base else { return span.offset }
    switch text.runs[span.run].offsets {
    case .from(let start): return start + base + index - span.start
    case .all(let offset): return offset
    case .each(let offsets):
      guard !offsets.isEmpty else { return span.offset }
      return Int(offsets[min(base + index - span.start, offsets.count - 1)])
    }
  }

  // MARK: - Filling

  private mutating func append(
    _ index: Int, isPreformatted: Bool, ruby: RubyPlace, metrics: any TextMetrics
  ) {
    let run = text.runs[index]
    let start = scalars.count
    let offset = Self.offset(of: run, 0)
    if let image = run.image {
      append(generated: Self.label(of: image), run: index, offset: offset, kind: .alternative)
      return
    }
    var base: Int? = 0
    if case .all = run.offsets { base = nil }
    spans.append(Span(start: start, run: index, base: base, offset: offset, kind: .text))
    decode(run.text, run: index, isPreformatted: isPreformatted)
    if run.style.contains(.farEnd) { traits.hasFarEnd = true }
    let special: TextStyle = [.superscript, .subscript, .smallCaps]
    var style = run.style
    // The number of a note would read as part of the word before it.
    if run.link?.kind == .noteReference, start > 0, Self.isWord(scalars[start - 1]) {
      style.insert(.superscript)
      // ... and does not go to the next line without it, even where the book puts a place to break between them.
      glued.append(start)
      var index = start - 1
      while index > 0, scalars[index] == 0x200B || scalars[index] == 0x2060 {
        glued.append(index)
        index -= 1
      }
    }
    if !style.isDisjoint(with: special) { restyle(style, from: start) }
    if let note = run.ruby, !note.isEmpty, start < scalars.count {
      annotate(note, base: start, run: index, ruby: ruby, metrics: metrics)
    }
  }

  private static func offset(of run: InlineText.Run, _ index: Int) -> Int {
    if case .each(let offsets) = run.offsets, offsets.isEmpty { return 0 }
    return run.offsets.offset(ofScalar: index)
  }

  /// What stands for an inline picture; nothing for one that says that it is decoration.
  static func label(of image: ImageReference) -> String {
    if let alt = image.alt, alt.utf8.count < 4096 {
      let words = alt.split { $0.isWhitespace || $0.isNewline }
      return words.isEmpty ? "" : "[" + words.joined(separator: " ") + "]"
    }
    return "\u{25A3}"
  }

  private mutating func append(generated string: String, run: Int, offset: Int, kind: CellRun.Kind) {
    guard !string.isEmpty else { return }
    spans.append(Span(start: scalars.count, run: run, base: nil, offset: offset, kind: kind))
    for scalar in string.unicodeScalars { append(scalar.value) }
  }

  private mutating func decode(_ string: String, run: Int, isPreformatted: Bool) {
    var string = string
    string.withUTF8 { bytes in
      guard isPreformatted else {
        decode(bytes)
        return
      }
      var count = 0
      var start = 0
      for index in 0...bytes.count where index == bytes.count || bytes[index] == 0x09 {
        count += decode(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        if index < bytes.count { expandTab(run: run, scalar: count) }
        count += 1
        start = index + 1
      }
    }
  }

  /// - Returns: how many scalars that were.
  @discardableResult
  private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let start = scalars.count
    scalars.append(contentsOf: repeatElement(0, count: bytes.count))
    var traits = self.traits
    var count = start
    scalars.withUnsafeMutableBufferPointer { scalars in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte >= 0x20, byte < 0x7F {
          scalars[count] = UInt32(byte)
          count += 1
          continue
        }
        var value = UInt32(byte)
        var length = 0
        if byte >= 0xF0 {
          length = 3
          value &= 0x07
        } else if byte >= 0xE0 {
          length = 2
          value &= 0x0F
        } else if byte >= 0xC0 {
          length = 1
          value &= 0x1F
        }
        while length > 0, index < bytes.count {
          value = value << 6 | UInt32(bytes[index] & 0x3F)
          index += 1
          length -= 1
        }
        scalars[count] = Self.shown(value, &traits)
        count += 1
      }
    }
    self.traits = traits
    scalars.removeLast(start + bytes.count - count)
    return count - start
  }

  private mutating func append(_ value: UInt32) {
    scalars.append(Self.shown(value, &traits))
  }

  /// A scalar as it may be shown: no control character passes, blanks that do not break are one kind.
  @inline(__always)
  private static func shown(_ value: UInt32, _ traits: inout Traits) -> UInt32 {
    if value < 0xA0 {
      switch value {
      case 0x20..<0x7F: return value
      case 0x0A:
        traits.isSimple = false
        return value
      case 0x09, 0x0B, 0x0C, 0x0D, 0x85: return 0x20
      default:
        traits.isASCII = false
        return 0xFFFD
      }
    }
    traits.isASCII = false
    if value >= 0x300, value < 0x2010 || value > 0x2026 { traits.isSimple = false }
    switch value {
    case 0xA0, 0xAD: traits.isSimple = false
    default: break
    }
    switch value {
    case 0xA0, 0x202F, 0x2007: return 0xA0
    case 0x2028, 0x2029: return 0x0A
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F, 0x202B,
      0x202E, 0x2067:
      traits.hasRightToLeft = true
      return value
    default: return value
    }
  }

  /// A tab becomes blanks up to the next stop.
  private mutating func expandTab(run: Int, scalar: Int) {
    var column = 0
    var index = scalars.count
    while index > 0, scalars[index - 1] != 0x0A, column < 4096 {
      index -= 1
      column += scalars[index] < 0x7F ? 1 : max(Int(CellTable.shared[scalars[index]]) & 3, 1)
    }
    let offset = Self.offset(of: text.runs[run], scalar)
    spans.append(Span(start: scalars.count, run: run, base: nil, offset: offset, kind: .text))
    scalars.append(contentsOf: repeatElement(0x20, count: tab - column % tab))
    spans.append(Span(start: scalars.count, run: run, base: scalar + 1, offset: offset + 1, kind: .text))
  }

  private mutating func annotate(
    _ note: String, base start: Int, run: Int, ruby: RubyPlace, metrics: any TextMetrics
  ) {
    // What is generated stands where the text goes on.
    let next = offset(at: scalars.count - 1, in: spans[span(at: scalars.count - 1)]) + 1
    switch ruby {
    case .hidden: return
    case .above, .apart:
      let shown = note.unicodeScalars.map(\.value).filter { CellTable.shared[$0] != CellTable.Class.control }
      var advances: [Int16] = []
      metrics.measure(shown, into: &advances)
      rubies.append(
        Ruby(range: start..<scalars.count, scalars: shown, width: advances.reduce(0) { $0 + max(Int($1), 0) }))
    case .brackets:
      let isWide = CellTable.shared[scalars[scalars.count - 1]] == CellTable.Class.wide
      // One bracket behind a word that is annotated letter by letter.
      if let previous = spans.dropLast().last, previous.kind == .ruby, spans.last?.start == start,
        scalars.count - start == 1, previous.run == run - 1, isWide,
        text.runs[previous.run].text.unicodeScalars.count == 1, spans.count >= 3
      {
        join(note, base: start, run: run, offset: next)
        return
      }
      glued.append(scalars.count)
      append(generated: isWide ? "（\(note)）" : " (\(note))", run: run, offset: next, kind: .ruby)
    }
  }

  /// 漢（かん）and 字 with じ become 漢字（かんじ）.
  private mutating func join(_ note: String, base start: Int, run: Int, offset: Int) {
    let base = scalars.removeLast()
    spans.removeLast()
    var bracket = spans.removeLast()
    let annotation = Array(scalars[bracket.start...].dropFirst().dropLast())
    scalars.removeLast(scalars.count - bracket.start)
    glued.removeLast()
    spans.append(
      Span(start: scalars.count, run: run, base: 0, offset: Self.offset(of: text.runs[run], 0), kind: .text))
    scalars.append(base)
    glued.append(scalars.count)
    bracket.start = scalars.count
    bracket.run = run
    bracket.offset = offset
    spans.append(bracket)
    scalars.append(0xFF08)
    scalars.append(contentsOf: annotation)
    for scalar in note.unicodeScalars { append(scalar.value) }
    scalars.append(0xFF09)
  }

  private mutating func restyle(_ style: TextStyle, from start: Int) {
    if style.contains(.smallCaps) {
      for index in start..<scalars.count { scalars[index] = ScriptLetters.capital(scalars[index]) }
    }
    guard !style.isDisjoint(with: [.superscript, .subscript]) else { return }
    let table = style.contains(.superscript) ? ScriptLetters.superscripts : ScriptLetters.subscripts
    let raised = scalars[start...].map { $0 == 0x20 || $0 == 0xA0 ? $0 : table[$0] }
    if raised.allSatisfy({ $0 != nil }), raised.count <= 12 {
      for (index, scalar) in raised.enumerated() { scalars[start + index] = scalar! }
      traits.isASCII = traits.isASCII && raised.isEmpty
    } else if let first = scalars[start...].first, raised.count <= 3, Self.isLetter(first) {
      // A letter that has no raised form: x^q. Longer stretches stay in the line.
      let run = spans[spans.count - 1].run
      let mark = Span(start: start, run: run, base: nil, offset: spans[spans.count - 1].offset, kind: .text)
      spans.insert(mark, at: spans.count - 1)
      spans[spans.count - 1].start += 1
      scalars.insert(style.contains(.superscript) ? 0x5E : 0x5F, at: start)
    }
  }

  private static func isWord(_ scalar: UInt32) -> Bool {
    scalar != 0x20 && scalar != 0x0A && scalar != 0x28 && scalar != 0x5B
  }

  /// Letters of the scripts that are read from right to left, and their marks; not their digits.
  static func isRightToLeft(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0590...0x065F, 0x066D...0x06EF, 0x06FA...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Letters and digits.
  static func isWordly(_ scalar: UInt32) -> Bool {
    (0x30...0x39).contains(scalar) || isLetter(scalar) || Unicode.Scalar(scalar)?.properties.numericType != nil
  }

  static func isLetter(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return (0x61...0x7A).contains(scalar | 0x20) }
    // Dashes, quotation marks, spaces and what joins words.
    if (0x2000..<0x2070).contains(scalar) { return false }
    return Unicode.Scalar(scalar)?.properties.isAlphabetic ?? false
  }
}
