internal import Document
internal import Terminal
internal import Typesetting

extension ReaderModel {
  /// Draws everything; the screen finds out what has changed.
  func draw(on screen: inout Screen) {
    let palette = palette
    screen.cursor = nil
    switch pager.settings.bidi {
    case .reorder: screen.textOrder = .visual
    case .words: screen.textOrder = .visualWords
    case .terminal: screen.textOrder = .logical
    }
    screen.clear(palette.text)
    screen.pictures.removeAll()
    drawPages(on: &screen, palette)
    if status.hasHeader { drawHeader(on: &screen, palette) }
    if status.hasFooter { drawFooter(on: &screen, palette) }
    if hasControls { drawControls(on: &screen, palette) }
    drawOverlay(on: &screen, palette)
  }

  private func drawPages(on screen: inout Screen, _ palette: Palette) {
    let frame = pager.frame
    links = PageLinks()
    let look = PageLook(highlights: search?.highlights(of: pager.anchor.spineIndex) ?? [])
    for (index, number) in pager.shownPages.enumerated() {
      let page = pager.layout.page(at: number, look: look)
      let column = index == 0 ? frame.left : frame.secondLeft
      let row = status.pageTop + frame.top
      for (line, content) in page.lines.enumerated() where line < frame.rows {
        screen.write(
          content, row: row + line, column: column, width: screen.columns - column, palette: palette)
        if let slice = content.image, slice.row == 0, line + slice.rows <= frame.rows {
          let box = Box(
            row: row + line, column: column + slice.column, rows: slice.rows, columns: slice.columns)
          drawPicture(slice.image, in: box, on: &screen, palette)
        }
      }
      links.add(page, row: row, column: column)
    }
    if let chosenLink, links.items.indices.contains(chosenLink) {
      for box in links.items[chosenLink].cells {
        screen.restyle(row: box.row, column: box.column, columns: box.columns) { $0 = palette.selected }
      }
    }
  }

  /// The picture, or its alternative text in a frame until it is there, and where it cannot be shown.
  private func drawPicture(
    _ image: ImageReference, in box: Box, on screen: inout Screen, _ palette: Palette
  ) {
    let key = PictureStore.Key(source: image.source, columns: box.columns, rows: box.rows)
    if case .shown(let picture, let id) = pictures?.picture(key) ?? .failed {
      // Panels and controls are text; pixels would cover them.
      if picture.isText || (overlay == nil && !hasControls) {
        screen.draw(picture, id: id, in: box, style: palette.text)
        return
      }
    }
    screen.drawPlaceholder(image.alt ?? image.title ?? "", in: box, style: palette.faint)
  }

  /// The edges between which title, chapter and page stand.
  private var edges: (left: Int, width: Int) {
    let frame = pager.frame
    let left = frame.left
    let right = (frame.pagesPerScreen == 2 ? frame.secondLeft : frame.left) + frame.measure
    return right - left >= 30 ? (left, right - left) : (0, window.columns)
  }

  private func drawHeader(on screen: inout Screen, _ palette: Palette) {
    let (left, width) = edges
    let title = pager.outline.title
    let chapter = pager.chapterTitle ?? ""
    let isSame = chapter == title || chapter.isEmpty
    let chapterFit = isSame ? ("", 0) : Screen.fitted(chapter, width: width / 2)
    screen.write(
      title, row: 0, column: left, width: width - (isSame ? 0 : chapterFit.1 + 2), style: palette.quiet)
    if !isSame {
      screen.write(chapterFit.0, row: 0, column: left, width: width, style: palette.quiet, edge: .right)
    }
  }

  /// "3 / 120", or of a spread "4–5 / 120"; an ellipsis for what is not counted yet.
  var pageLabel: String {
    let numbers = pager.shownPages.compactMap { pager.map.number(ofPage: $0, in: pager.anchor.spineIndex) }
    let total = pager.map.pages.map(String.init) ?? "…"
    guard let first = numbers.first else {
      return pager.outline.isPaged(pager.anchor.spineIndex) ? "… / \(total)" : "– / \(total)"
    }
    let last = numbers.last ?? first
    return (last > first ? "\(first)–\(last)" : "\(first)") + " / \(total)"
  }

  private func drawFooter(on screen: inout Screen, _ palette: Palette) {
    let (left, width) = edges
    let row = screen.rows - 1
    let label = (isMarked ? "◆ " : "") + pageLabel
    let fit = Screen.fitted(label, width: width)
    screen.write(fit.text, row: row, column: left, width: width, style: palette.quiet, edge: .right)
    let room = width - fit.width - 2
    guard room > 0 else { return }
    if let message {
      screen.write(message.text, row: row, column: left, width: room, style: palette.accent)
      return
    }
    let isActive = if case .active = connection { true } else { false }
    screen.put(
      connection.symbol, width: 1, row: row, column: left, style: isActive ? palette.accent : palette.faint)
    let behind = screen.write(
      connection.text, row: row, column: left + 2, width: max(0, min(room - 2, width / 3)), style: palette.quiet)
    let rest = pagesLeft
    let place = left + (width - Screen.metrics.width(of: rest)) / 2
    if width >= 64, place > behind + 2, place + Screen.metrics.width(of: rest) + 2 < left + width - fit.width {
      screen.write(rest, row: row, column: place, width: width, style: palette.faint)
    }
  }

  /// How far the next chapter is, where that is known.
  private var pagesLeft: String {
    guard let left = pager.pagesLeftInChapter else { return "" }
    switch left {
    case 0: return pager.isChapterOfOnePage ? "" : "last page of the chapter"
    case 1: return "1 page left in the chapter"
    default: return "\(left) pages left in the chapter"
    }
  }

  private func drawControls(on screen: inout Screen, _ palette: Palette) {
    buttons.removeAll()
    let (left, width) = edges
    let top = screen.rows - 4
    guard top >= 0 else { return }
    screen.fill(row: top, column: 0, rows: 4, columns: screen.columns, style: palette.bar)
    for column in 0..<screen.columns { screen.put("─", width: 1, row: top, column: column, style: palette.barQuiet) }
    drawProgress(row: top + 1, left: left, width: width, on: &screen, palette)
    var column = left
    for (text, action) in [
      ("Contents", Action.contents), ("Search", .search), ("Go to", .page), ("Marks", .marks),
      ("Settings", .settings), ("Theme", .theme), ("Help", .help), ("Quit", .quit),
    ] {
      let size = Screen.metrics.width(of: text)
      guard column + size <= left + width else { break }
      screen.write(text, row: top + 2, column: column, width: size, style: palette.bar.adding(.bold))
      buttons.append((Box(row: top + 2, column: column, rows: 1, columns: size + 1), action))
      column += size + 2
    }
    screen.write(
      pageLabel, row: screen.rows - 1, column: left, width: width, style: palette.barQuiet, edge: .right)
    screen.write(
      message?.text ?? connection.explanation, row: screen.rows - 1, column: left,
      width: max(0, width - Screen.metrics.width(of: pageLabel) - 2), style: palette.barQuiet)
  }

  private func drawProgress(row: Int, left: Int, width: Int, on screen: inout Screen, _ palette: Palette) {
    guard width >= 10 else { return }
    let reached = min(width - 1, max(0, Int(pager.fraction * Double(width - 1))))
    for index in 0..<width {
      let style = index <= reached ? palette.barAccent : palette.barQuiet
      screen.put(index == reached ? "●" : "━", width: 1, row: row, column: left + index, style: style)
      buttons.append(
        (Box(row: row, column: left + index, rows: 1, columns: 1), .fraction(Double(index) / Double(width - 1))))
    }
  }

  private func drawOverlay(on screen: inout Screen, _ palette: Palette) {
    switch overlay {
    case .contents(var panel):
      panel.draw(on: &screen, palette: palette)
      overlay = .contents(panel)
    case .marks(var panel):
      panel.draw(on: &screen, palette: palette)
      overlay = .marks(panel)
    case .results(var panel):
      panel.draw(on: &screen, palette: palette)
      overlay = .results(panel)
    case .settings(var panel):
      panel.draw(on: &screen, palette: palette)
      overlay = .settings(panel)
    case .text(var panel, let target):
      panel.draw(on: &screen, palette: palette)
      overlay = .text(panel, target: target)
    case .prompt(let prompt):
      prompt.draw(on: &screen, palette: palette)
    case nil:
      break
    }
  }
}
