internal import Document

extension Composer {
  /// Counts a text node and shows it, unless it is hidden.
  mutating func text(_ node: MarkupTree.Node) {
    let top = frames.count - 1
    let range = Int(node.start)..<Int(node.end)
    if ruby?.isAnnotating == true {
      annotate(range)
      return
    }
    guard frames[top].style.isVisible, frames[top].style.display != .column else {
      count(range)
      return
    }
    if ruby != nil, isBlank(range) {
      count(range)
      return
    }
    var attributes = InlineBuilder.Attributes(style: frames[top].style.text, link: frames[top].link, language: -1)
    let language = frames[top].style.language
    if language >= 0, language != documentLanguage { attributes.language = language }
    builder.set(attributes, links: links, languages: resolver.languages)
    if frames[top].style.whiteSpace.keepsLines {
      keptText(range, frames[top].style)
    } else if frames[top].style.transform != .none {
      transformedText(range, frames[top].style)
    } else {
      plainText(range)
    }
  }

  /// The common case: white space collapses, letters stay.
  private mutating func plainText(_ range: Range<Int>) {
    tree.bytes.withUnsafeBufferPointer { bytes in
      var index = range.lowerBound
      let end = range.upperBound
      while index < end {
        if bytes[index].isMarkupSpace {
          var hasLineFeed = false
          while index < end, bytes[index].isMarkupSpace {
            if bytes[index] == 0x0a { hasLineFeed = true }
            index += 1
          }
          space(hasLineFeed: hasLineFeed, next: bytes, index, end)
        } else {
          let start = index
          var continuations = 0
          var spaces = 0
          var limit = min(end, start + Self.maximumBlock)
          while index < limit {
            let byte = bytes[index]
            if byte <= 0x20, byte.isMarkupSpace {
              // A single space between two words stays what it is.
              guard byte == 0x20, index + 1 < end, !bytes[index + 1].isMarkupSpace,
                builder.size + index - start < Self.maximumBlock
              else { break }
              spaces += 1
              limit = min(end, index + 1 + Self.maximumBlock)
            } else if byte & 0xc0 == 0x80 {
              continuations += 1
            }
            index += 1
          }
          // Never between the bytes of one character.
          while index >= limit, index < end, bytes[index] & 0xc0 == 0x80 {
            continuations += 1
            index += 1
          }
          let count = index - start - continuations
          builder.append(bytes[start..<index], scalars: count, spaces: spaces, offset: offset)
          offset += count
          isInSpace = false
          if builder.size >= Self.maximumBlock { continueInNewBlock() }
        }
      }
    }
  }

  /// Ends a block that has grown too long; what follows is shown as if it had not ended.
  private mutating func continueInNewBlock() {
    flush()
    if let last = sinks[sinks.count - 1].blocks.indices.last {
      sinks[sinks.count - 1].blocks[last].style.marginBottom = 0
    }
    isContinuation = true
  }

  /// Counts a run of white space and shows one space where one is due.
  private mutating func space(
    hasLineFeed: Bool, next bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ end: Int
  ) {
    if !isInSpace {
      isInSpace = true
      offset += 1
    }
    guard !builder.isAtLineStart, !builder.endsWithSpace else { return }
    // A line of the source that ends between two ideographs is a matter of the source alone.
    if hasLineFeed, builder.endsWithIdeograph, index + 2 < end, bytes[index] & 0xf0 == 0xe0 {
      let value =
        UInt32(bytes[index] & 0x0f) << 12 | UInt32(bytes[index + 1] & 0x3f) << 6 | UInt32(bytes[index + 2] & 0x3f)
      if InlineBuilder.isIdeograph(value) { return }
    }
    builder.appendSpace(offset: offset - 1)
  }

  /// `white-space: pre`, `pre-wrap`, `pre-line`.
  private mutating func keptText(_ range: Range<Int>, _ style: ComputedStyle) {
    let keepsSpaces = style.whiteSpace.keepsSpaces
    var isFirst = builder.isEmpty && tree.tag(frames[frames.count - 1].node) == .pre
    var transformer = TextTransformer(style.transform, language: languageTag(style))
    let text = String(decoding: tree.bytes[range], as: UTF8.self)
    var wasReturn = false
    for scalar in text.unicodeScalars {
      let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{c}"
      guard isSpace else {
        for shown in transformer.transform(scalar) { builder.append(shown, offset: offset) }
        offset += 1
        isInSpace = false
        isFirst = false
        if builder.size >= 2 * Self.maximumBlock { continueInNewBlock() }
        continue
      }
      if !isInSpace {
        isInSpace = true
        offset += 1
      }
      transformer.boundary()
      let place = offset - 1
      switch scalar {
      case "\n", "\r":
        let isPair = scalar == "\n" && wasReturn
        wasReturn = scalar == "\r"
        if isPair { continue }
        if !keepsSpaces { builder.trimSpace() }
        // The line feed right behind <pre> is the source's.
        if !isFirst { builder.append("\n" as Unicode.Scalar, offset: place) }
        if builder.size >= Self.maximumBlock { continueInNewBlock() }
      case "\t" where keepsSpaces:
        repeat { builder.append(" " as Unicode.Scalar, offset: place) } while !builder.column.isMultiple(of: 8)
      default:
        if keepsSpaces {
          builder.append(" " as Unicode.Scalar, offset: place)
        } else if !builder.isAtLineStart, !builder.endsWithSpace {
          builder.appendSpace(offset: place)
        }
      }
      isFirst = false
    }
  }

  private mutating func transformedText(_ range: Range<Int>, _ style: ComputedStyle) {
    var transformer = TextTransformer(style.transform, language: languageTag(style))
    if !builder.isAtLineStart, !builder.endsWithSpace { transformer.continueWord() }
    let text = String(decoding: tree.bytes[range], as: UTF8.self)
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{c}" {
        if !isInSpace {
          isInSpace = true
          offset += 1
        }
        if !builder.isAtLineStart, !builder.endsWithSpace { builder.appendSpace(offset: offset - 1) }
        transformer.boundary()
      } else {
        for shown in transformer.transform(scalar) { builder.append(shown, offset: offset) }
        offset += 1
        isInSpace = false
        if builder.size >= 2 * Self.maximumBlock { continueInNewBlock() }
      }
    }
  }

  private func languageTag(_ style: ComputedStyle) -> String? {
    style.language >= 0 ? resolver.languages[Int(style.language)] : document.language
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    tree.bytes[range].allSatisfy(\.isMarkupSpace)
  }

  /// The reading of a ruby: counted, and kept for the base.
  private mutating func annotate(_ range: Range<Int>) {
    count(range)
    guard (ruby?.annotation.count ?? 0) < 1024 else { return }
    for byte in tree.bytes[range] {
      if byte.isMarkupSpace {
        if let last = ruby?.annotation.last, last != 0x20 { ruby?.annotation.append(0x20) }
      } else {
        ruby?.annotation.append(byte)
      }
    }
  }

  // MARK: Counting what is not shown

  /// Counts a text node.
  mutating func count(_ range: Range<Int>) {
    var counted = offset
    var isSpace = isInSpace
    tree.bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes[range] {
        if byte.isMarkupSpace {
          if !isSpace { counted += 1 }
          isSpace = true
        } else if byte & 0xc0 != 0x80 {
          counted += 1
          isSpace = false
        }
      }
    }
    offset = counted
    isInSpace = isSpace
  }

  /// Counts an object (image, rule, embedded): one scalar.
  mutating func countObject() -> Int {
    offset += 1
    isInSpace = false
    return offset - 1
  }

  /// Counts all that is below `node`, itself included, and notes its anchors; nothing of it is shown.
  mutating func countHidden(_ node: Int32, isInside: Bool = false) {
    var current = isInside ? tree.next(after: node, within: node) : node
    while current >= 0 {
      let item = tree.nodes[Int(current)]
      if item.name == MarkupTree.textName {
        count(Int(item.start)..<Int(item.end))
      } else {
        switch tree.tag(current) {
        case .script, .style, .template:
          current = tree.nextOutside(current, within: node)
          continue
        case let tag where tag.isObject && !(isInside && tree.tag(node) == .svg): _ = countObject()
        default: break
        }
        anchor(current)
      }
      current = tree.next(after: current, within: node)
    }
  }

  /// Notes where an element's ids stand.
  mutating func anchor(_ node: Int32) {
    let item = tree.nodes[Int(node)]
    guard item.start < item.end else { return }
    if let id = tree.attribute(node, .id) ?? tree.attribute(node, .xmlID), !id.isEmpty, document.anchors[id] == nil {
      document.anchors[id] = offset
    }
    if item.name == Tag.a.rawValue, let name = tree.attribute(node, .name), !name.isEmpty, document.anchors[name] == nil
    {
      document.anchors[name] = offset
    }
  }
}

extension Tag {
  /// Elements that count as one scalar of text.
  var isObject: Bool {
    switch self {
    case .img, .hr, .svg, .object, .embed, .iframe, .audio, .video, .canvas, .frame: true
    default: false
    }
  }
}
