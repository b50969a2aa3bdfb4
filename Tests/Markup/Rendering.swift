import Document
import Markup

/// Reads a document whose body is `body`, in XHTML.
func read(_ body: String, style: String = "", root: String = "", user: String? = nil) -> Document {
  let source =
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" \(root)>"
    + "<head><title/><style>\(style.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</style></head><body>\(body)</body></html>"
  var resources = DocumentReader.Resources.none
  resources.userStyle = user
  return DocumentReader.read(Array(source.utf8), resources: resources)
}

/// A line a block: marker, text; "⏎" for forced breaks, "(…)" behind a ruby's base, "{…}" for images.
func lines(_ blocks: [Block]) -> [String] {
  blocks.flatMap { block -> [String] in
    let marker = block.marker.map { $0 + " " } ?? ""
    switch block.content {
    case .text(let text): return [marker + inline(text)]
    case .preformatted(let text): return [marker + "|" + inline(text)]
    case .image(let image): return ["{\(image.source)|\(image.alt ?? "-")}"]
    case .rule: return ["----"]
    case .table(let table):
      return (table.caption.map { ["cap " + inline($0)] } ?? [])
        + table.rows.map { row in
          (row.isHeader ? "H " : "")
            + row.cells.map { lines($0.blocks).joined(separator: "/") }.joined(separator: " | ")
        }
    }
  }
}

func lines(_ document: Document) -> [String] { lines(document.blocks) }

func inline(_ text: InlineText) -> String {
  text.runs.map { run in
    var shown = run.text.replacing("\n", with: "⏎")
    if let image = run.image { shown = "{\(image.source)|\(image.alt ?? "-")}" }
    return shown + (run.ruby.map { "(\($0))" } ?? "")
  }.joined()
}

/// The styles of a document's runs: text -> style.
func styles(_ document: Document) -> [String: TextStyle] {
  var found: [String: TextStyle] = [:]
  for block in document.blocks {
    if case .text(let text) = block.content {
      for run in text.runs { found[run.text] = run.style }
    }
  }
  return found
}

/// Every shown scalar with its offset, in the order shown.
func offsets(_ document: Document) -> [(Unicode.Scalar, Int)] {
  var found: [(Unicode.Scalar, Int)] = []
  func add(_ text: InlineText) {
    for run in text.runs where !run.style.contains(.generated) {
      for (index, scalar) in run.text.unicodeScalars.enumerated() {
        found.append((scalar, run.offsets.offset(ofScalar: index)))
      }
    }
  }
  func walk(_ blocks: [Block]) {
    for block in blocks {
      switch block.content {
      case .text(let text), .preformatted(let text): add(text)
      case .table(let table): table.rows.forEach { $0.cells.forEach { walk($0.blocks) } }
      case .image, .rule: break
      }
    }
  }
  walk(document.blocks)
  return found
}
