internal import Document
internal import Typesetting

extension ReaderModel {
  func chooseLink(forward: Bool, now: UInt64) {
    guard !links.items.isEmpty else {
      say("There are no links on this page.", now: now)
      return
    }
    let count = links.items.count
    if let chosenLink {
      let next = chosenLink + (forward ? 1 : -1)
      self.chosenLink = (0..<count).contains(next) ? next : nil
    } else {
      chosenLink = forward ? 0 : count - 1
    }
  }

  func follow(_ index: Int?, now: UInt64) {
    guard let index, links.items.indices.contains(index) else { return }
    let link = links.items[index].link
    switch content.destination(of: link.target, from: pager.anchor.spineIndex) {
    case .external(let address):
      overlay = .text(
        TextPanel(title: "This link leads out of the book", hint: "Esc closes", text: [address.withoutControls]),
        target: nil)
    case .file(let path):
      say("This file of the book cannot be shown: \(path.withoutControls)", now: now)
    case .missing:
      say("The link leads nowhere: \(link.target.withoutControls)", now: now)
    case .place(let spineIndex, let fragment):
      let target = LinkTarget(spineIndex: spineIndex, fragment: fragment)
      if let note = note(link, target) {
        show(note: note, mark: links.items[index].text, target)
      } else {
        go(to: target)
        say("o goes back", now: now)
      }
    }
  }

  // MARK: Notes

  /// The blocks to show in place of a jump; nil when the link is none to a note, or the note has no word.
  private func note(_ link: Link, _ target: LinkTarget) -> [Block]? {
    guard let fragment = target.fragment, link.kind != .backlink else { return nil }
    // What was taken out of the flow is nowhere to jump to.
    let isOutOfFlow = target.spineIndex == pager.anchor.spineIndex && pager.document.notes[fragment] != nil
    guard isOutOfFlow || link.kind == .noteReference, let item = content.outline.item(at: target.spineIndex),
      let blocks = content.note(in: item.href, fragment: fragment), blocks.contains(where: { !$0.flowText.isEmpty })
    else { return nil }
    return blocks
  }

  private func show(note: [Block], mark: String, _ target: LinkTarget) {
    // No letter of the page peeps out beside it.
    let width = pager.frame.pagesPerScreen == 1 ? pager.frame.measure + 4 : 72
    let columns = max(1, min(width - 4, window.columns - 4))
    var typesetting = self.typesetting(rows: window.rows)
    typesetting.paragraphStyle = .spacing
    // Few short lines: widened blanks would tear them apart.
    typesetting.alignment = .start
    let lines = ChapterLayout.lines(of: note.map(\.withoutBacklinks), columns: columns, settings: typesetting)
    chosenLink = nil
    let sign = Self.sign(mark)
    let isPlaced = !(target.spineIndex == pager.anchor.spineIndex && pager.document.isOutOfFlow(target.fragment))
    overlay = .text(
      TextPanel(
        title: sign.isEmpty ? "Note" : "Note \(sign)",
        hint: isPlaced ? "Enter goes there  Esc closes" : "Esc closes", lines: lines, isAtBottom: true, width: width),
      target: isPlaced ? target : nil)
  }
}

extension ReaderModel {
  /// A reference's number or star for a title, without raised digits; "" where the reference is made of words.
  fileprivate static func sign(_ mark: String) -> String {
    let sign = mark.withoutControls.filter { !$0.isWhitespace }.map { character in
      character.wholeNumberValue.map { (0...9).contains($0) ? String($0) : String(character) } ?? String(character)
    }.joined()
    let isNumber = sign.contains(where: \.isNumber) || !sign.contains(where: \.isLetter)
    return sign.count <= 8 && isNumber ? sign : ""
  }
}

extension Document {
  /// Whether an id is one of a note that stands outside of the pages.
  fileprivate func isOutOfFlow(_ id: String?) -> Bool { id.map { notes[$0] != nil } ?? false }
}

extension Block {
  /// Without the arrows at the end that lead back to where a popup lies already.
  fileprivate var withoutBacklinks: Block {
    guard case .text(var text) = content else { return self }
    while let last = text.runs.last,
      last.link?.kind == .backlink && last.text.unicodeScalars.allSatisfy({ !$0.properties.isAlphabetic })
        || last.text.allSatisfy(\.isWhitespace)
    {
      text.runs.removeLast()
    }
    guard !text.runs.isEmpty else { return self }
    var block = self
    block.content = .text(text)
    return block
  }
}
