internal import Document

extension Composer {
  /// An element begins; false if nothing below it is to be walked.
  mutating func open(_ node: Int32) -> Bool {
    let tag = tree.tag(node)
    switch tag {
    case .script, .style, .template: return false
    default: break
    }
    let top = frames.count - 1
    var resolved =
      top >= 0
      ? resolver.resolve(node, tag, parent: frames[top].style, ancestors: frames[top].bits)
      : resolver.resolve(node, tag, parent: ComputedStyle(), ancestors: 0)
    if frames.isEmpty || tag == .body { openRoot(&resolved) }
    if !skipped.isEmpty, skipped.remove(node) != nil { resolved.element.display = .none }
    if node == wantedNode { return openWanted(node, tag, resolved) }
    // What is asked for may stand in something hidden.
    if wantedNode >= 0, resolved.element.display == .none, tag != .rp { resolved.element.display = .block }
    let isHidden = resolved.element.display == .none
    if isHidden || tag == .aside, let id = noteID(node, isHidden: isHidden) {
      return openNote(node, tag, resolved, id)
    }
    if isHidden {
      countHidden(node)
      return false
    }
    if let walks = openSpecial(node, tag, resolved) { return walks }
    return openPlain(node, tag, resolved)
  }

  private mutating func openRoot(_ resolved: inout StyleResolver.Resolved) {
    let style = resolved.element
    if style.display != .none { resolved.element.display = .block }
    if document.language == nil, style.language >= 0 { document.language = resolver.languages[Int(style.language)] }
    documentLanguage = style.language
    if style.hasDirection {
      document.direction = style.isAutoDirection ? .auto : style.isRightToLeft ? .rightToLeft : .leftToRight
    } else if let language = document.language?.lowercased().split(separator: "-").first,
      ["ar", "he", "iw", "fa", "ur", "yi", "syr", "dv", "ps", "ug", "ckb"].contains(language)
    {
      document.direction = .auto
    }
  }

  /// The element begins like any other.
  mutating func openPlain(_ node: Int32, _ tag: Tag, _ original: StyleResolver.Resolved) -> Bool {
    var resolved = original
    adaptTableDisplay(tag, &resolved.element)
    let isFarEnd = resolved.element.floatsRight && !resolved.element.isBlockLevel && !builder.isAtLineStart
    if isFarEnd { resolved.element.text.insert(.farEnd) }
    let style = resolved.element
    if style.isBlockLevel {
      flush()
      isContinuation = false
      noteTop(style)
    }
    anchor(node)
    push(node, tag, resolved)
    if isFarEnd {
      builder.trimSpace()
      builder.appendGenerated("  ", style: [], offset: offset)
    }
    openKind(node, tag, style)
    generate(resolved.before)
    return true
  }

  /// What a block asks for before its first line.
  private mutating func noteTop(_ style: ComputedStyle) {
    if let top = style.marginTop { pendingTop = max(pendingTop ?? top, top) }
    if style.breakBefore == .page { pendingBreak = true }
  }

  private mutating func openKind(_ node: Int32, _ tag: Tag, _ style: ComputedStyle) {
    let top = frames.count - 1
    switch tag {
    case .a: openLink(node)
    case .q:
      frames[top].closing = .quote
      openQuote()
    case .ruby where ruby == nil:
      builder.closeRun()
      ruby = RubyState(baseStart: builder.runCount)
      frames[top].closing = .ruby
    case .rb where ruby != nil:
      builder.closeRun()
      ruby?.baseStart = builder.runCount
      frames[top].closing = .base
    case .rt where ruby != nil, .rtc where ruby != nil && !hasElementChildren(node):
      openAnnotation()
      frames[top].closing = .annotation
    case .ol, .ul, .menu, .dir: openList(node, tag)
    default: break
    }
    switch style.display {
    case .listItem: openListItem(node, style)
    case .table: openTable()
    case .row: openRow()
    case .cell: openCell()
    case .caption: openCaption()
    case .none, .contents, .inline, .inlineBlock, .block, .rowGroup, .headerGroup, .footerGroup, .column: break
    }
  }

  /// The innermost open element ends.
  mutating func close() {
    guard let top = frames.indices.last else { return }
    if frames[top].after != nil { generate(frames[top].after) }
    if frames[top].closing == .nothing, !frames[top].style.isBlockLevel {
      frames.removeLast()
      counters.close()
      return
    }
    let frame = frames[top]
    switch frame.closing {
    case .nothing, .wanted, .note, .table, .flatTable, .row, .cell, .caption: break
    case .ruby:
      builder.closeRun()
      ruby = nil
    case .base:
      builder.closeRun()
      if let start = ruby?.baseStart, start < builder.runCount { ruby?.bases.append(start..<builder.runCount) }
      ruby?.baseStart = builder.runCount
    case .annotation: closeAnnotation()
    case .quote: closeQuote()
    }
    if frame.style.isBlockLevel { closeBlock(frame) }
    switch frame.closing {
    case .wanted: wantedBlocks = closeSink().blocks
    case .note: closeNote()
    case .table: closeTable(frame)
    case .flatTable: tables.removeLast()
    case .row: if let last = tables.indices.last { tables[last].openRow = -1 }
    case .cell: closeCell(frame)
    case .caption: closeCaption()
    case .nothing, .ruby, .base, .annotation, .quote: break
    }
    frames.removeLast()
    counters.close()
  }

  private mutating func closeBlock(_ frame: Frame) {
    flush()
    isContinuation = false
    if frame.style.display == .listItem, pendingMarker != nil {
      // An item without text still has its number.
      emit(.text(InlineText()), frame)
    }
    let sink = sinks.count - 1
    guard sinks[sink].blocks.count > frame.blocksAtOpen else {
      if frame.style.breakAfter == .page { pendingBreak = true }
      return
    }
    let last = sinks[sink].blocks.count - 1
    if let bottom = frame.style.marginBottom, bottom > 0 || lastBlockDepth == frames.count {
      let value = max(Double(max(0, min(6, bottom))), sinks[sink].blocks[last].style.marginBottom ?? 0)
      sinks[sink].blocks[last].style.marginBottom = value
    }
    switch frame.style.breakAfter {
    case .page: pendingBreak = true
    case .avoid: sinks[sink].blocks[last].style.breakAfter = .avoid
    case .auto: break
    }
  }

  private func hasElementChildren(_ node: Int32) -> Bool {
    var child = tree.nodes[Int(node)].firstChild
    while child >= 0 {
      if tree.nodes[Int(child)].name != MarkupTree.textName { return true }
      child = tree.nodes[Int(child)].nextSibling
    }
    return false
  }

  // MARK: Ruby

  private mutating func openAnnotation() {
    builder.closeRun()
    if let start = ruby?.baseStart, start < builder.runCount { ruby?.bases.append(start..<builder.runCount) }
    ruby?.isAnnotating = true
    ruby?.annotation = []
  }

  private mutating func closeAnnotation() {
    guard var state = ruby else { return }
    state.isAnnotating = false
    var text = state.annotation
    if text.last == 0x20 { text.removeLast() }
    if !state.bases.isEmpty, !text.isEmpty {
      let base = state.bases.removeFirst()
      let before = builder.runCount
      builder.annotate(base, with: String(decoding: text, as: UTF8.self))
      // Runs that became one move the bases behind them.
      let removed = before - builder.runCount
      state.bases = state.bases.map { ($0.lowerBound - removed)..<($0.upperBound - removed) }
    }
    state.baseStart = builder.runCount
    state.annotation = []
    ruby = state
  }

  // MARK: Lists

  private mutating func openList(_ node: Int32, _ tag: Tag) {
    var start = 1
    if tag == .ol {
      if let value = tree.attribute(node, .start).flatMap({ Int(ContainerText.trim($0)) }) {
        start = max(-1_000_000_000, min(1_000_000_000, value))
      } else if tree.has(node, .reversed) {
        start = tree.children(of: node, named: "li").count
      }
    }
    counters.reset(Counters.listItem, tag == .ol && tree.has(node, .reversed) ? start + 1 : start - 1)
  }

  private mutating func openListItem(_ node: Int32, _ style: ComputedStyle) {
    let parent = tree.nodes[Int(node)].parent
    let isReversed = parent >= 0 && tree.tag(parent) == .ol && tree.has(parent, .reversed)
    if let value = tree.attribute(node, .value).flatMap({ Int(ContainerText.trim($0)) }), tree.tag(node) == .li {
      counters.set(Counters.listItem, max(-1_000_000_000, min(1_000_000_000, value)))
    } else {
      counters.increment(Counters.listItem, isReversed ? -1 : 1)
    }
    if let waiting = pendingMarker {
      // An item that begins with a list of its own keeps its number on a line of its own.
      let frame = frames[frames.count - 1]
      pendingMarker = waiting
      emit(.text(InlineText()), frame)
    }
    let kind = resolver.tables.listStyles[Int(style.listStyle)]
    pendingMarker = style.isVisible ? kind.marker(counters.value(Counters.listItem)) : nil
  }

  // MARK: Links

  private mutating func openLink(_ node: Int32) {
    guard let address = tree.attribute(node, .href) ?? tree.attribute(node, .xlinkHref) else { return }
    let target = ContainerText.trim(address)
    guard let first = target.utf8.first else { return }
    if first | 0x20 == 0x6A, target.prefix(12).lowercased().hasPrefix("javascript:") { return }
    let top = frames.count - 1
    let kind = NoteFinder(tree: tree).kind(
      of: node, target: target, isInNote: isInNote(), isAtStart: builder.isEmpty,
      isStyledRaised: frames[top].style.text.contains(.superscript))
    links.append(Link(target: target, kind: kind))
    frames[top].link = Int32(links.count - 1)
  }

  private func isInNote() -> Bool {
    guard let frame = frames.last else { return false }
    return frame.isInNote || frame.role == .note
  }

  // MARK: Notes

  /// The id under which an element's text is kept out of the flow; nil if it stays in the flow.
  private func noteID(_ node: Int32, isHidden: Bool) -> String? {
    guard sinks.count == 1, wantedNode < 0, let range = tree.range(node, .id), !range.isEmpty else { return nil }
    let isLinked = tree.bytes.withUnsafeBufferPointer { linkedFragments.contains(nameHash($0, range)) }
    let isNote = NoteFinder.isNote(tree, node)
    guard isLinked && isNote || isHidden && (isNote || isLinked && NoteFinder.looksLikeNote(tree, node)) else {
      return nil
    }
    return tree.attribute(node, .id)
  }

  private mutating func openNote(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved, _ id: String) -> Bool {
    openSink(noteID: id)
    var shown = resolved
    if shown.element.display == .none { shown.element.display = .block }
    shown.element.isVisible = true
    anchor(node)
    push(node, tag, shown)
    let top = frames.count - 1
    frames[top].closing = .note
    frames[top].isInNote = true
    frames[top].role = .note
    return true
  }

  private mutating func closeNote() {
    let sink = closeSink()
    if let id = sink.noteID, document.notes[id] == nil { document.notes[id] = sink.blocks }
  }

  /// The element whose blocks alone are asked for.
  private mutating func openWanted(_ node: Int32, _ tag: Tag, _ resolved: StyleResolver.Resolved) -> Bool {
    openSink()
    var shown = resolved
    if shown.element.display == .none || !shown.element.isBlockLevel { shown.element.display = .block }
    shown.element.isVisible = true
    push(node, tag, shown)
    let top = frames.count - 1
    frames[top].closing = .wanted
    frames[top].isInNote = true
    frames[top].marginLeft = 0
    frames[top].listDepth = 0
    return true
  }
}

/// Small text helpers.
enum ContainerText {
  static func trim(_ text: String) -> String {
    let utf8 = text.utf8
    guard let first = utf8.firstIndex(where: { !$0.isMarkupSpace }),
      let last = utf8.lastIndex(where: { !$0.isMarkupSpace })
    else { return "" }
    return String(text[first...last])
  }
}
