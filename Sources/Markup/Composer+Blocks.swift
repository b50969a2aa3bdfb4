internal import Document

extension Composer {
  /// Ends the block being collected, if there is one.
  mutating func flush() {
    guard !builder.isEmpty else { return }
    let frame = frames[frames[frames.count - 1].block]
    let isPreformatted = frame.style.whiteSpace.keepsSpaces
    let runs = builder.take(keepsLines: isPreformatted)
    if ruby != nil { ruby?.restart() }
    guard !runs.isEmpty else { return }
    if runs.allSatisfy({ $0.image != nil || $0.text == "\n" || $0.text == " " }),
      runs.contains(where: { $0.image != nil })
    {
      emitImages(runs, frame)
    } else if isPreformatted {
      emit(.preformatted(InlineText(runs: Self.trimLines(runs))), frame)
    } else if runs.allSatisfy({ $0.text == "\n" }) {
      // Breaks alone are a blank line.
      let blank = InlineText.Run(text: "\u{a0}", style: .generated, offsets: .all(rangeStart))
      emit(.text(InlineText(runs: [blank])), frame)
    } else if runs.contains(where: { $0.image != nil }), runs.contains(where: { $0.text == "\n" }) {
      emitLines(runs, frame)
    } else {
      emit(.text(InlineText(runs: runs)), frame)
    }
  }

  /// Text with forced breaks and images: an image that has a line for itself becomes a block.
  private mutating func emitLines(_ runs: [InlineText.Run], _ frame: Frame) {
    var text: [InlineText.Run] = []
    for line in runs.split(omittingEmptySubsequences: false, whereSeparator: { $0.text == "\n" }) {
      let isImage = line.contains { $0.image != nil } && line.allSatisfy { $0.image != nil || $0.text == " " }
      if isImage {
        emitText(text, frame)
        text = []
        emitImages(Array(line), frame)
      } else {
        if !text.isEmpty, line.startIndex > 0 { text.append(runs[line.startIndex - 1]) }
        text += line
      }
    }
    emitText(text, frame)
  }

  private mutating func emitText(_ runs: [InlineText.Run], _ frame: Frame) {
    guard let last = runs.last(where: { $0.text != "\n" }) else { return }
    let end = last.offsets.offset(ofScalar: max(0, last.text.unicodeScalars.count - 1)) + 1
    emit(.text(InlineText(runs: runs)), frame, end: end)
  }

  /// A line feed behind `<pre>` or before its end is no line.
  private static func trimLines(_ runs: [InlineText.Run]) -> [InlineText.Run] {
    var runs = runs
    if let last = runs.last, last.text.utf8.last == 0x0a, last.text.utf8.count > 1 {
      runs[runs.count - 1].text.unicodeScalars.removeLast()
    }
    return runs
  }

  private mutating func emitImages(_ runs: [InlineText.Run], _ frame: Frame) {
    for run in runs {
      guard var image = run.image else { continue }
      image.isInline = false
      image.link = run.link ?? image.link
      let place = run.offsets.offset(ofScalar: 0)
      emit(.image(image), frame, end: place + 1)
    }
  }

  /// Adds a block with the style of `frame`; it covers the source from the last block's end to `end`.
  mutating func emit(_ content: Block.Content, _ frame: Frame, end: Int? = nil, role: Block.Role? = nil) {
    let sink = sinks.count - 1
    let end = max(rangeStart, end ?? offset)
    var block = Block(content: content, role: role ?? frame.role, range: rangeStart..<end)
    rangeStart = end
    block.style = style(of: frame, isFirst: frame.blocksAtOpen == sinks[sink].blocks.count)
    if isContinuation {
      block.style.textIndent = 0
      block.style.marginTop = 0
      isContinuation = false
    }
    block.marker = pendingMarker
    pendingMarker = nil
    if pendingBreak, sinks.count > 1 || !sinks[sink].blocks.isEmpty { block.style.breakBefore = .page }
    pendingBreak = false
    pendingTop = nil
    if case .text(let text) = content {
      if block.role == .body, Self.isSceneBreak(text) {
        block.role = .sceneBreak
        block.style.alignment = block.style.alignment ?? .center
      }
      if block.role == .body,
        text.runs.allSatisfy({ $0.style.contains(.generated) && $0.link != nil || $0.text == " " })
      {
        block.role = .label
      }
      if case .heading = block.role, headingTitle == nil, sinks.count == 1 {
        headingTitle = Self.flat(text)
      }
      if block.style.language != nil { block.content = .text(Self.settle(text, block.style.language)) }
    }
    if case .image = content {
      block.style.textIndent = nil
    }
    sinks[sink].blocks.append(block)
    lastBlockDepth = frames.count
  }

  private static func settle(_ text: InlineText, _ language: String?) -> InlineText {
    var text = text
    for index in text.runs.indices where text.runs[index].language == language { text.runs[index].language = nil }
    return text
  }

  private static func flat(_ text: InlineText) -> String {
    text.plainText.split { $0 == "\n" || $0 == "\u{FFFC}" || $0 == " " }.joined(separator: " ")
  }

  private func style(of frame: Frame, isFirst: Bool) -> BlockStyle {
    let computed = frame.style
    var style = BlockStyle()
    style.alignment = computed.textAlign.map(Self.alignment)
    style.textIndent = computed.textIndent.map { Double($0) }
    if isPlainBox(frame) {
      style.textIndent = style.textIndent ?? 0
      style.marginTop = 0
      style.marginBottom = 0
    }
    style.marginLeft = Double(max(0, min(16, frame.marginLeft)))
    style.marginRight = Double(max(0, min(16, frame.marginRight)))
    // A wrapper's zero says nothing about the first paragraph in it; its own does.
    let own = isFirst ? computed.marginTop : nil
    if let top = pendingTop, own != nil || top > 0 { style.marginTop = Double(max(0, min(6, top))) }
    style.quoteDepth = Int(frame.quoteDepth)
    style.listDepth = Int(frame.listDepth)
    style.isBoxed = frame.isBoxed
    style.noWrap = computed.whiteSpace == .noWrap || computed.whiteSpace == .pre
    style.breakInside = frame.avoidsBreak ? .avoid : .auto
    if computed.breakAfter == .avoid { style.breakAfter = .avoid }
    if computed.breakBefore == .avoid, isFirst { style.breakBefore = .avoid }
    if computed.language >= 0, computed.language != documentLanguage {
      style.language = resolver.languages[Int(computed.language)]
    }
    if computed.hasDirection {
      let direction: TextDirection =
        computed.isAutoDirection ? .auto : computed.isRightToLeft ? .rightToLeft : .leftToRight
      if direction != document.direction { style.direction = direction }
    }
    return style
  }

  /// A box of text that no style sheet spaces out: a line of verse, an address. Paragraphs are left to the reader.
  private func isPlainBox(_ frame: Frame) -> Bool {
    switch frame.tag {
    case .div, .section, .article, .header, .footer, .main: !divIsParagraph
    default: false
    }
  }

  private static func alignment(_ align: Declaration.TextAlign) -> BlockStyle.Alignment {
    switch align {
    case .start: .start
    case .end: .end
    case .left: .left
    case .right: .right
    case .center: .center
    case .justify: .justify
    }
  }

  /// A few ornaments and nothing else.
  private static func isSceneBreak(_ text: InlineText) -> Bool {
    var ornaments = 0
    var dashes = 0
    var count = 0
    for run in text.runs {
      for scalar in run.text.unicodeScalars {
        count += 1
        guard count <= 24 else { return false }
        switch scalar {
        case " ", "\u{a0}", "\u{3000}", "\u{2003}", "\u{2002}": continue
        case "*", "•", "⁂", "※", "◆", "◇", "●", "○", "■", "□", "★", "☆", "❦", "❧", "☙", "#", "~", "·", "＊", "†", "✦",
          "✽",
          "❖", "⁎", "∗":
          ornaments += 1
        case "-", "–", "—", "_", "=", ".", "…": dashes += 1
        default: return false
        }
      }
    }
    return ornaments > 0 || dashes >= 3
  }

  // MARK: Sinks

  mutating func openSink(noteID: String? = nil) {
    flush()
    sinks.append(
      Sink(savedTop: pendingTop, savedMarker: pendingMarker, savedBreak: pendingBreak, noteID: noteID))
    pendingTop = nil
    pendingMarker = nil
    pendingBreak = false
  }

  mutating func closeSink() -> Sink {
    flush()
    let sink = sinks.removeLast()
    pendingTop = sink.savedTop
    pendingMarker = sink.savedMarker
    pendingBreak = sink.savedBreak
    return sink
  }
}
