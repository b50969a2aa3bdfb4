internal import Document

/// Collects the runs of one block.
struct InlineBuilder {
  /// What makes one run differ from the next.
  struct Attributes: Equatable {
    var style: TextStyle = []
    /// Index into the composer's links; -1 for none.
    var link: Int32 = -1
    /// Index into the resolver's languages; -1 for none.
    var language: Int32 = -1
  }

  private(set) var runs: [InlineText.Run] = []
  private var bytes: [UInt8] = []
  private var scalars = 0
  private var start = 0
  private var each: [Int32] = []
  private var mode = Mode.from
  private var current = Attributes()

  /// Whether what is shown ends with a space that may be trimmed.
  private(set) var endsWithSpace = false
  /// Whether nothing is shown since the block's start or the last forced break.
  private(set) var isAtLineStart = true
  /// Whether the last shown character is an ideograph or kana: a line break behind it is no space.
  private(set) var endsWithIdeograph = false
  /// Columns since the line's start, for tabs.
  private(set) var column = 0

  /// Bytes of text since the block's start, generated text left out.
  private(set) var size = 0

  private enum Mode { case from, each }

  var isEmpty: Bool { runs.isEmpty && bytes.isEmpty }
  /// Runs including the open one.
  var runCount: Int { runs.count + (bytes.isEmpty ? 0 : 1) }

  // MARK: Appending

  mutating func set(_ attributes: Attributes, links: borrowing [Link], languages: borrowing [String]) {
    guard attributes != current else { return }
    closeRun()
    current = attributes
    link = attributes.link >= 0 ? links[Int(attributes.link)] : nil
    language = attributes.language >= 0 ? languages[Int(attributes.language)] : nil
  }

  private var link: Link?
  private var language: String?

  /// Words with single spaces between them, whose first scalar stands at `offset`.
  mutating func append(_ text: Slice<UnsafeBufferPointer<UInt8>>, scalars count: Int, spaces: Int, offset: Int) {
    prepare(offset)
    bytes.append(contentsOf: text)
    size += text.count
    scalars += count
    column += spaces
    shown(text.last ?? 0)
  }

  /// One space that may be trimmed or merged.
  mutating func appendSpace(offset: Int) {
    prepare(offset)
    bytes.append(0x20)
    size += 1
    scalars += 1
    column += 1
    endsWithSpace = true
    endsWithIdeograph = false
  }

  /// One scalar, after a transformation or where white space is kept; several may stand at the same offset.
  mutating func append(_ scalar: Unicode.Scalar, offset: Int) {
    if bytes.isEmpty {
      mode = .from
      start = offset
    } else if mode == .from, offset != start + scalars {
      convertToEach()
    }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    size += 1
    scalars += 1
    if mode == .each { each.append(Int32(truncatingIfNeeded: offset)) }
    if scalar == "\n" {
      column = 0
      isAtLineStart = true
      endsWithSpace = false
      endsWithIdeograph = false
    } else {
      column += 1
      shown(bytes.last ?? 0)
    }
  }

  /// Text that is not the source's.
  mutating func appendGenerated(_ text: String, style: TextStyle, offset: Int) {
    guard !text.isEmpty else { return }
    closeRun()
    runs.append(
      InlineText.Run(text: text, style: style.union(.generated), link: link, offsets: .all(offset)))
    isAtLineStart = text.utf8.last == 0x0a
    endsWithSpace = false
    endsWithIdeograph = false
    column += text.utf8.count
  }

  /// Text each scalar of which has an offset of its own (formulas).
  mutating func append(_ text: [(Unicode.Scalar, Int)]) {
    closeRun()
    mode = .each
    for (scalar, offset) in text {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      each.append(Int32(truncatingIfNeeded: offset))
      scalars += 1
    }
    if !text.isEmpty { shown(bytes.last ?? 0) }
    closeRun()
  }

  /// A forced break (`br`).
  mutating func appendBreak(offset: Int) {
    trimSpace()
    closeRun()
    runs.append(InlineText.Run(text: "\n", style: current.style, offsets: .all(offset)))
    isAtLineStart = true
    endsWithSpace = false
    endsWithIdeograph = false
    column = 0
  }

  mutating func append(_ image: ImageReference, offset: Int) {
    closeRun()
    runs.append(
      InlineText.Run(text: "\u{FFFC}", style: current.style, link: link, offsets: .from(offset), image: image))
    isAtLineStart = false
    endsWithSpace = false
    endsWithIdeograph = false
    column += 1
  }

  private mutating func shown(_ last: UInt8) {
    isAtLineStart = false
    endsWithSpace = false
    endsWithIdeograph = last >= 0x80 && Self.endsWithIdeograph(bytes)
  }

  private mutating func prepare(_ offset: Int) {
    if !bytes.isEmpty, mode == .from, start + scalars == offset { return }
    closeRun()
    start = offset
  }

  private mutating func convertToEach() {
    each = (0..<scalars).map { Int32(truncatingIfNeeded: start + $0) }
    mode = .each
  }

  // MARK: Ending

  mutating func closeRun() {
    guard !bytes.isEmpty else {
      each.removeAll(keepingCapacity: true)
      scalars = 0
      mode = .from
      return
    }
    let offsets: InlineText.Offsets
    switch mode {
    case .from: offsets = .from(start)
    case .each: offsets = .each(each)
    }
    runs.append(
      InlineText.Run(
        text: String(decoding: bytes, as: UTF8.self), style: current.style, link: link, offsets: offsets,
        language: language))
    bytes.removeAll(keepingCapacity: true)
    each.removeAll(keepingCapacity: true)
    scalars = 0
    mode = .from
  }

  /// Removes a space that may be trimmed from the end.
  mutating func trimSpace() {
    guard endsWithSpace else { return }
    endsWithSpace = false
    if bytes.last == 0x20 {
      bytes.removeLast()
      scalars -= 1
      if mode == .each { each.removeLast() }
      return
    }
    guard bytes.isEmpty, let last = runs.indices.last, runs[last].text.utf8.last == 0x20 else { return }
    runs[last].text.unicodeScalars.removeLast()
    if runs[last].text.isEmpty {
      runs.removeLast()
    }
  }

  /// The block's runs; the builder is empty afterwards.
  mutating func take(keepsLines: Bool) -> [InlineText.Run] {
    trimSpace()
    closeRun()
    // A break at the end of a block ends a line that is over anyway.
    if !keepsLines, runs.count > 1, runs.last?.text == "\n" { runs.removeLast() }
    let taken = runs
    size = 0
    runs = []
    isAtLineStart = true
    endsWithSpace = false
    endsWithIdeograph = false
    column = 0
    return taken
  }

  /// Gives the runs from `range` an annotation, as one run where they are one text.
  mutating func annotate(_ range: Range<Int>, with text: String) {
    closeRun()
    guard let first = range.first, range.upperBound <= runs.count else { return }
    if range.count > 1, runs[range].allSatisfy({ $0.image == nil && $0.text != "\n" }) {
      var joined = runs[first]
      var end: Int?
      if case .from(let start) = joined.offsets { end = start + joined.text.unicodeScalars.count }
      for run in runs[range].dropFirst() {
        guard let reached = end, case .from(reached) = run.offsets else {
          end = nil
          break
        }
        joined.text += run.text
        end = reached + run.text.unicodeScalars.count
      }
      if end != nil {
        runs.replaceSubrange(range, with: [joined])
      }
    }
    runs[first].ruby = text
  }

  private static func endsWithIdeograph(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 3 else { return false }
    let last = bytes.count - 1
    if bytes[last - 2] & 0xf0 == 0xe0 {
      let value =
        UInt32(bytes[last - 2] & 0x0f) << 12 | UInt32(bytes[last - 1] & 0x3f) << 6 | UInt32(bytes[last] & 0x3f)
      return isIdeograph(value)
    }
    return bytes.count >= 4 && bytes[last - 3] == 0xf0 && bytes[last - 2] >= 0xa0
  }

  /// Characters of scripts that are written without spaces.
  static func isIdeograph(_ value: UInt32) -> Bool {
    value >= 0x2e80 && value <= 0x31ff && value != 0x3000 || value >= 0x3200 && value <= 0x9fff
      || value >= 0xf900 && value <= 0xfaff || value >= 0xfe30 && value <= 0xfe4f || value >= 0xff01 && value <= 0xff9f
      || value >= 0x20000 && value <= 0x3ffff
  }
}
