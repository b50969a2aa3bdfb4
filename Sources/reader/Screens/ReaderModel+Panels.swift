internal import Document
internal import Terminal
internal import Typesetting

extension ReaderModel {
  func showContents() {
    let outline = pager.outline
    let place = Place(spineIndex: pager.anchor.spineIndex, offset: max(0, pager.shownRange.upperBound - 1))
    let current = Chapters(outline: outline).entry(at: place, in: pager.document)
    let items = outline.contents.indices.map { index in
      ListPanel.Item(
        text: outline.contents[index].title, detail: pageNumber(ofEntry: index),
        level: max(0, outline.contents[index].level - 1), isCurrent: index == current)
    }
    overlay = .contents(
      ListPanel(
        title: "Contents", items: items, selection: current ?? 0, emptyText: "this book has no table of contents"))
  }

  private func pageNumber(ofEntry index: Int) -> String {
    guard let place = pager.map.entries[index], let spineIndex = pager.outline.contents[index].spineIndex,
      let number = pager.map.number(ofPage: place.page, in: spineIndex)
    else { return "" }
    return String(number)
  }

  func showMarks() {
    let items = marks.map { mark in
      ListPanel.Item(
        text: mark.after.isEmpty ? mark.before : mark.after,
        detail: pager.outline.item(at: mark.spineIndex)?.title ?? "")
    }
    overlay = .marks(ListPanel(title: "Marks", items: items, emptyText: "no marks yet: m marks a page"))
  }

  func showSettings(selection: Int) {
    let items = SettingsFile.keys.map { key in
      ListPanel.Item(text: key.name, detail: "‹ \(key.get(settings)) ›")
    }
    overlay = .settings(ListPanel(title: "Settings", items: items, selection: selection))
  }

  /// Takes a setting's neighbouring value.
  func change(_ name: String, forward: Bool, now: UInt64) {
    guard let key = SettingsFile.keys.first(where: { $0.name == name }) else { return }
    let values = key.choices
    let current = values.firstIndex(of: key.get(settings)) ?? 0
    let index: Int
    if key.isCyclic {
      index = (current + (forward ? 1 : values.count - 1)) % values.count
    } else {
      index = min(max(0, current + (forward ? 1 : -1)), values.count - 1)
    }
    var changed = settings
    guard index != current, key.set(values[index], &changed) != nil else { return }
    settings = changed
    effects.append(.setting(name))
    say("\(name): \(values[index])", now: now)
    layOutAgain()
  }

  func showInformation() {
    let outline = pager.outline
    var lines = [outline.title]
    if !outline.authors.isEmpty { lines.append(outline.authors.joined(separator: ", ")) }
    lines.append("")
    for (name, value) in [
      ("Publisher", outline.publisher), ("Date", outline.date), ("Language", outline.language),
      ("Identifier", outline.identifier), ("File", outline.path),
    ] {
      if let value, !value.isEmpty { lines.append(name.padded(to: 12) + value) }
    }
    if let pages = pager.map.pages { lines.append("Pages".padded(to: 12) + "\(pages) in this window") }
    let fill = max(10, min(68, window.columns - 6))
    if let description = outline.description, !description.isEmpty {
      lines.append("")
      let block = Block(
        content: .text(
          InlineText(runs: [.init(text: String(description.prefix(4000)).withoutControls, offsets: .all(0))])),
        range: 0..<0)
      lines += ChapterLayout.lines(of: [block], columns: fill).map(\.text)
    }
    if !outline.warnings.isEmpty {
      lines.append("")
      lines += outline.warnings.prefix(20).map { "! " + $0 }
    }
    overlay = .text(
      TextPanel(title: "About this book", hint: "Esc closes", text: lines.map(\.withoutControls)), target: nil)
  }
}
