internal import Document

extension Composer {
  /// Elements that are more than a box around their children; nil for all others.
  ///
  /// - Returns: whether what is below is to be walked.
  mutating func openSpecial(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) -> Bool? {
    switch tag {
    case .br:
      anchor(node)
      if resolved.element.isVisible, ruby?.isAnnotating != true {
        setAttributes(frames[frames.count - 1].style)
        builder.appendBreak(offset: offset)
      }
      return false
    case .wbr:
      anchor(node)
      if !builder.isAtLineStart { builder.appendGenerated("\u{200B}", style: [], offset: offset) }
      return false
    case .hr:
      rule(node, resolved)
      return false
    case .img:
      image(node, resolved)
      return false
    case .svg:
      vector(node, resolved)
      return false
    case .math:
      formula(node, resolved)
      return false
    case .audio, .video:
      media(node, tag, resolved)
      return false
    case .object, .embed, .iframe, .frame: return embedded(node, tag, resolved)
    case .canvas:
      anchor(node)
      _ = countObject()
      return openPlain(node, tag, resolved)
    case .switch: return openSwitch(node, tag, resolved)
    case .input: return false
    default: return nil
    }
  }

  // MARK: Rules and images

  private mutating func rule(_ node: Int32, _ resolved: StyleResolver.Resolved) {
    let style = resolved.element
    flush()
    anchor(node)
    if let top = style.marginTop { pendingTop = max(pendingTop ?? top, top) }
    if style.breakBefore == .page { pendingBreak = true }
    push(node, .hr, resolved)
    _ = countObject()
    if style.isVisible { emit(.rule, frames[frames.count - 1]) }
    if style.breakAfter == .page { pendingBreak = true }
    let sink = sinks.count - 1
    if let bottom = style.marginBottom, let last = sinks[sink].blocks.indices.last, style.isVisible {
      sinks[sink].blocks[last].style.marginBottom = Double(max(0, bottom))
    }
    frames.removeLast()
    counters.close()
  }

  private mutating func image(_ node: Int32, _ resolved: StyleResolver.Resolved) {
    let source = tree.attribute(node, .src) ?? tree.attribute(node, .xlinkHref) ?? ""
    let reference = ImageReference(
      source: source.isEmpty ? "" : resources.resolve(ContainerText.trim(source)), alt: tree.attribute(node, .alt),
      title: tree.attribute(node, .title), width: pixels(node, .width), height: pixels(node, .height))
    show(reference, node, resolved)
  }

  /// Puts an image into the line, or on a line of its own if it is a block.
  private mutating func show(_ reference: ImageReference, _ node: Int32, _ resolved: StyleResolver.Resolved) {
    let style = resolved.element
    let isBlock = style.isBlockLevel
    if isBlock { flush() }
    anchor(node)
    let place = countObject()
    guard style.isVisible, ruby?.isAnnotating != true else { return }
    if isBlock {
      if let top = style.marginTop { pendingTop = max(pendingTop ?? top, top) }
      if style.breakBefore == .page { pendingBreak = true }
    }
    if reference.source.isEmpty, reference.alt?.isEmpty ?? true { return }
    if reference.source.isEmpty {
      // Nothing to show but what it is called.
      setAttributes(style)
      builder.appendGenerated(reference.alt ?? "", style: style.text, offset: place)
    } else {
      var image = reference
      image.isInline = true
      let link = frames[frames.count - 1].link
      if link >= 0 { image.link = links[Int(link)] }
      setAttributes(style)
      builder.append(image, offset: place)
    }
    if isBlock {
      flush()
      if style.breakAfter == .page { pendingBreak = true }
    }
  }

  private func pixels(_ node: Int32, _ name: AttributeName) -> Int? {
    guard let text = tree.attribute(node, name) else { return nil }
    let digits = ContainerText.trim(text)
    let number = digits.hasSuffix("px") ? String(digits.dropLast(2)) : digits
    guard let value = Double(number), value > 0, value < 100_000 else { return nil }
    return Int(value)
  }

  // MARK: SVG

  private mutating func vector(_ node: Int32, _ resolved: StyleResolver.Resolved) {
    let drawing = VectorImage(tree: tree, node: node)
    let isDocument = tree.nodes[Int(node)].parent < 0
    var source = ""
    if isDocument, let address = resources.address {
      source = address
    } else if let image = drawing.onlyImage {
      source = resources.resolve(ContainerText.trim(image))
    } else {
      let sheets = drawingSheets ?? VectorImage.sheets(of: tree, near: node)
      drawingSheets = sheets
      source = drawing.dataAddress(sheets: sheets)
    }
    let reference = ImageReference(
      source: source, alt: drawing.label, width: pixels(node, .width), height: pixels(node, .height))
    if isDocument {
      var root = resolved
      root.element.display = .block
      push(node, .svg, root)
    }
    show(reference, node, resolved)
    if isDocument {
      flush()
      vectorText(node, drawing)
      frames.removeLast()
      counters.close()
    } else {
      countHidden(node, isInside: true)
    }
  }

  /// The words of a drawing that is a document of its own: terminals without images have nothing else of it.
  private mutating func vectorText(_ node: Int32, _ drawing: VectorImage) {
    if let title = drawing.title { document.title = title }
    var current = tree.next(after: node, within: node)
    while current >= 0 {
      let item = tree.nodes[Int(current)]
      if item.name == MarkupTree.textName {
        if drawing.isShownText(current) {
          text(item)
        } else {
          count(Int(item.start)..<Int(item.end))
        }
      } else {
        switch tree.tag(current) {
        case .script, .style:
          current = tree.nextOutside(current, within: node)
          continue
        case .text: flush()
        case .tspan:
          if !builder.isAtLineStart, !builder.endsWithSpace { builder.appendGenerated(" ", style: [], offset: offset) }
        default: break
        }
        anchor(current)
      }
      current = tree.next(after: current, within: node)
    }
    flush()
  }

  // MARK: Formulas

  private mutating func formula(_ node: Int32, _ resolved: StyleResolver.Resolved) {
    let isBlock = tree.attribute(node, .display) == "block" || resolved.element.isBlockLevel
    if isBlock { flush() }
    anchor(node)
    // Offsets of all text first: a formula is not always written in the order in which it is read.
    var starts: [Int32: Int] = [:]
    var current = tree.next(after: node, within: node)
    while current >= 0 {
      let item = tree.nodes[Int(current)]
      if item.name == MarkupTree.textName {
        let first = tree.bytes[Int(item.start)..<Int(item.end)].first
        starts[current] = isInSpace && first?.isMarkupSpace == true ? offset - 1 : offset
        count(Int(item.start)..<Int(item.end))
      } else {
        anchor(current)
      }
      current = tree.next(after: current, within: node)
    }
    var writer = FormulaWriter(tree: tree, starts: starts, end: offset)
    var text = writer.write(node)
    if text.isEmpty, let alternative = tree.attribute(node, .alttext) {
      text = alternative.unicodeScalars.map { ($0, offset) }
    }
    guard resolved.element.isVisible, ruby?.isAnnotating != true else { return }
    var inline = resolved
    inline.element.display = isBlock ? .block : .inline
    push(node, .math, inline)
    setAttributes(inline.element)
    builder.append(text)
    if isBlock { flush() }
    frames.removeLast()
    counters.close()
  }

  // MARK: Sound, film, other documents

  private mutating func media(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) {
    var source = tree.attribute(node, .src)
    if source == nil {
      source = tree.children(of: node, named: "source").compactMap { [tree] in tree.attribute($0, .src) }.first
    }
    let name = label(node, source)
    let kind = tag == .audio ? "Audio" : "Video"
    showLabel("[\(kind)\(name.isEmpty ? "" : ": " + name)]", target: source, node, resolved)
    countHidden(node, isInside: true)
  }

  private func label(_ node: Int32, _ source: String?) -> String {
    for name in [AttributeName.title, .ariaLabel, .alt] {
      if let text = tree.attribute(node, name), !text.isEmpty { return text }
    }
    let path = source?.split(separator: "/").last.map(String.init) ?? ""
    return path.utf8.count > 80 || path.hasPrefix("data:") ? "" : path
  }

  /// A link in brackets where something stands that a terminal cannot play.
  private mutating func showLabel(
    _ text: String, target: String?, _ node: Int32, _ resolved: StyleResolver.Resolved
  ) {
    anchor(node)
    let place = countObject()
    guard resolved.element.isVisible, ruby?.isAnnotating != true else { return }
    var inline = resolved
    inline.element.display = .inline
    push(node, .a, inline)
    if let target, !target.isEmpty {
      links.append(Link(target: ContainerText.trim(target)))
      frames[frames.count - 1].link = Int32(links.count - 1)
    }
    setAttributes(inline.element)
    builder.appendGenerated(text, style: inline.element.text, offset: place)
    frames.removeLast()
    counters.close()
  }

  private mutating func embedded(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) -> Bool {
    let source = (tag == .object ? tree.attribute(node, .data) : tree.attribute(node, .src)).map(ContainerText.trim)
    let type = tree.attribute(node, .type)?.lowercased() ?? ""
    if let source, !source.isEmpty, type.hasPrefix("image/") || type.isEmpty && Self.isImageAddress(source) {
      let alternative = tree.text(node)
      let reference = ImageReference(
        source: resources.resolve(source),
        alt: alternative.isEmpty ? tree.attribute(node, .title) : alternative, width: pixels(node, .width),
        height: pixels(node, .height))
      show(reference, node, resolved)
      countHidden(node, isInside: true)
      return false
    }
    let hasFallback = tag == .object && hasContent(node)
    if hasFallback {
      anchor(node)
      _ = countObject()
      return openPlain(node, tag, resolved)
    }
    if source == nil, tree.has(node, "srcdoc") || tag == .object {
      anchor(node)
      _ = countObject()
      return openPlain(node, tag, resolved)
    }
    let name = label(node, source)
    let kind = type.hasPrefix("audio/") ? "Audio" : type.hasPrefix("video/") ? "Video" : "Embedded"
    showLabel("[\(kind)\(name.isEmpty ? "" : ": " + name)]", target: source, node, resolved)
    countHidden(node, isInside: true)
    return false
  }

  private static func isImageAddress(_ address: String) -> Bool {
    let path = address.prefix { $0 != "#" && $0 != "?" }.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".avif", ".bmp"].contains { path.hasSuffix($0) }
  }

  /// Whether an element holds anything that can be shown in its place.
  private func hasContent(_ node: Int32) -> Bool {
    var current = tree.next(after: node, within: node)
    while current >= 0 {
      let item = tree.nodes[Int(current)]
      if item.name == MarkupTree.textName {
        if !tree.bytes[Int(item.start)..<Int(item.end)].allSatisfy(\.isMarkupSpace) { return true }
      } else if tree.tag(current).isObject {
        return true
      }
      current = tree.next(after: current, within: node)
    }
    return false
  }

  /// `epub:switch`: the first case that can be shown, else the default.
  private mutating func openSwitch(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) -> Bool {
    let choices = tree.children(of: node)
    let chosen =
      choices.first { choice in
        tree.tag(choice) == .case
          && ["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"]
            .contains(tree.attribute(choice, .requiredNamespace) ?? "")
      } ?? choices.first { tree.tag($0) == .default }
    for choice in choices where choice != chosen { skipped.insert(choice) }
    return openPlain(node, tag, resolved)
  }
}

extension MarkupTree {
  func has(_ node: NodeID, _ name: String) -> Bool { attribute(node, name) != nil }
}
