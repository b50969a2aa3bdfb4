internal import Document
internal import Typesetting

/// `reader info`: what a book says about itself, and how long it is.
struct InfoCommand {
  let content: any BookContent
  let window: WindowArguments

  /// Characters of a stable page, where the publisher lists none.
  static let stablePageLength = 1500

  private func count() -> BookMap {
    PageCounter.count(
      content, geometry: Geometry(columns: window.width, rows: window.height),
      settings: TextCommand.settings(for: content.outline))
  }

  /// What was wrong with the package, with the documents, and with any other file of the book; each is told once.
  private func warnings(_ map: BookMap) -> [String] {
    let told = content.outline.warnings + map.faults
    func file(_ warning: String) -> Substring { warning.prefix { $0 != ":" } }
    let files = Set(told.map(file))
    return told + content.damage().filter { !files.contains(file($0)) }
  }

  private func stablePages(_ map: BookMap) -> Int {
    let outline = content.outline
    if outline.publisherPages > 0 { return outline.publisherPages }
    return max(1, ((map.length ?? 0) + Self.stablePageLength - 1) / Self.stablePageLength)
  }

  func json() -> String {
    let outline = content.outline
    let map = count()
    var json = JSONText()
    json.object { json in
      json.field("title", outline.title)
      json.key("authors")
      json.array { json in outline.authors.forEach { json.value($0) } }
      json.field("language", outline.language)
      json.field("identifier", outline.identifier)
      json.field("publisher", outline.publisher)
      json.field("date", outline.date)
      json.field("description", outline.description)
      json.field("cover", outline.cover)
      json.field("direction", outline.direction)
      json.key("spine")
      json.array { json in
        for item in outline.spine {
          json.object { json in
            json.field("href", item.href)
            json.field("linear", item.isLinear)
            json.field("title", item.title)
          }
        }
      }
      json.key("toc")
      json.array { json in
        for (index, entry) in outline.contents.enumerated() {
          json.object { json in
            json.field("title", entry.title)
            json.field("href", entry.href)
            json.field("level", entry.level)
            json.field("page", page(ofEntry: index, map))
          }
        }
      }
      json.field("pages", map.pages)
      json.field("stablePages", stablePages(map))
      json.key("warnings")
      json.array { json in warnings(map).forEach { json.value($0) } }
    }
    return json.text + "\n"
  }

  private func page(ofEntry index: Int, _ map: BookMap) -> Int? {
    guard let spineIndex = content.outline.contents[index].spineIndex, let place = map.entries[index] else {
      return nil
    }
    return map.number(ofPage: place.page, in: spineIndex)
  }

  func plainText() -> String {
    let outline = content.outline
    let map = count()
    var lines = ["title:      \(outline.title)"]
    func add(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      lines.append((name + ":").padded(to: 12) + value)
    }
    add("authors", outline.authors.joined(separator: ", "))
    add("language", outline.language)
    add("publisher", outline.publisher)
    add("date", outline.date)
    add("identifier", outline.identifier)
    add("pages", map.pages.map { "\($0) at \(window.width) x \(window.height), \(stablePages(map)) stable" })
    add("chapters", "\(outline.contents.count)")
    for (index, entry) in outline.contents.enumerated() {
      let indent = String(repeating: "  ", count: min(10, max(1, entry.level)))
      lines.append(indent + entry.title + (page(ofEntry: index, map).map { "  \($0)" } ?? ""))
    }
    for warning in warnings(map) { add("warning", warning) }
    return lines.map { $0.withoutControls + "\n" }.joined()
  }
}

extension String {
  func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }

  /// With a blank for each control character: for a terminal.
  var withoutControls: String {
    var view = UnicodeScalarView()
    for scalar in unicodeScalars {
      view.append(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? " " : scalar)
    }
    return String(view)
  }
}
