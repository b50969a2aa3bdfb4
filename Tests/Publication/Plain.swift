import Document

/// A document's shown text, a line a block; markers and cells told apart by a blank.
func plain(_ document: Document) -> String { plain(document.blocks) }

func plain(_ blocks: [Block]) -> String {
  blocks.map { block in
    let marker = block.marker.map { $0 + " " } ?? ""
    switch block.content {
    case .text(let text), .preformatted(let text): return marker + text.plainText
    case .image(let image): return "{\(image.source)|\(image.alt ?? "")}"
    case .rule: return "----"
    case .table(let table):
      return table.rows.map { row in row.cells.map { plain($0.blocks) }.joined(separator: " | ") }
        .joined(separator: "\n")
    }
  }.joined(separator: "\n")
}
