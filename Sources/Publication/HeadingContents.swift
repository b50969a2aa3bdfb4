import Markup

/// A table of contents made from the documents themselves, for books that have none.
enum HeadingContents {
  /// Documents are parsed for it, so there is a limit to how many bytes of them.
  private static let budget = 16 << 20

  static func make(archive: Archive, items: [SpineItem]) -> [TOCEntry] {
    var entries: [TOCEntry] = []
    var remaining = budget
    var seen: Set<String> = []
    for (index, item) in items.enumerated() where item.linear && !item.isMissing && seen.insert(item.href).inserted {
      var found: [TOCEntry] = []
      if item.size <= remaining, let entry = archive.entry(named: item.href),
        let source = try? archive.read(entry, limit: remaining).bytes
      {
        remaining -= source.count
        found = headings(MarkupParser.parse(source, as: .xmlElseHTML), item, index)
      }
      if found.isEmpty {
        let name = item.href.split(separator: "/").last.map(String.init) ?? item.href
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        found = [entry(stem, item, index, level: 1)]
      }
      entries += found
    }
    return entries
  }

  private static func headings(_ tree: MarkupTree, _ item: SpineItem, _ index: Int) -> [TOCEntry] {
    guard !tree.isEmpty else { return [] }
    var found: [TOCEntry] = []
    for heading in DocumentReader.headings(tree) where found.count < 2000 {
      var made = entry(heading.text, item, index, level: heading.level)
      made.offset = heading.offset
      if let id = heading.id {
        made.fragment = id
        made.href += "#" + id
      }
      found.append(made)
    }
    // The levels are relative: a book whose chapters are all h2 has no level above them.
    let top = found.map(\.level).min() ?? 1
    for place in found.indices { found[place].level -= top - 1 }
    if found.isEmpty, let title = tree.elements(named: "title").first.map({ tree.text($0) }), !title.isEmpty {
      found = [entry(title, item, index, level: 1)]
    }
    return found
  }

  private static func entry(_ title: String, _ item: SpineItem, _ index: Int, level: Int) -> TOCEntry {
    TOCEntry(
      title: title, href: item.href, path: item.href, fragment: nil, level: level, spineIndex: index, offset: nil)
  }
}
