import Markup

/// Reads the metadata section of a package, refinements of EPUB 3 and attributes of EPUB 2 alike.
struct MetadataReader {
  let tree: MarkupTree
  let section: MarkupTree.NodeID
  private(set) var metadata = Metadata()
  private(set) var coverReference: String?

  /// property -> value, for each refined id.
  private var refinements: [String: [(property: String, value: String)]] = [:]

  init(tree: MarkupTree, section: MarkupTree.NodeID) {
    self.tree = tree
    self.section = section
  }

  mutating func read(uniqueIdentifier: String?) {
    let metas = tree.elements(named: "meta", below: section)
    for meta in metas {
      guard let refined = tree.attribute(meta, "refines"), let property = tree.attribute(meta, "property") else {
        continue
      }
      let id = refined.hasPrefix("#") ? String(refined.dropFirst()) : refined
      refinements[id, default: []].append((property, tree.text(meta)))
    }
    readTitles()
    metadata.creators = contributors("creator")
    metadata.contributors = contributors("contributor")
    metadata.languages = texts("language")
    readIdentifiers(uniqueIdentifier)
    metadata.publisher = texts("publisher").first
    metadata.description = texts("description").first.map(Self.plain)
    metadata.subjects = texts("subject")
    metadata.rights = texts("rights").first
    readDates(metas)
    readMetas(metas)
  }

  private func nodes(_ name: String) -> [MarkupTree.NodeID] {
    tree.elements(named: name, below: section)
  }

  private func texts(_ name: String) -> [String] {
    nodes(name).map { tree.text($0) }.filter { !$0.isEmpty }
  }

  private func refinement(_ node: MarkupTree.NodeID, _ property: String) -> String? {
    refinementValues(node, property).first
  }

  private func refinementValues(_ node: MarkupTree.NodeID, _ property: String) -> [String] {
    guard let id = tree.attribute(node, "id"), let values = refinements[id] else { return [] }
    return values.filter { $0.property == property && !$0.value.isEmpty }.map(\.value)
  }

  /// In the order of display-seq where it is given; otherwise the source's order.
  private func ordered(_ nodes: [MarkupTree.NodeID]) -> [MarkupTree.NodeID] {
    let ranked = nodes.enumerated().map { place, node in
      (node: node, rank: refinement(node, "display-seq").flatMap { Int($0) } ?? Int.max, place: place)
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.node)
  }

  private mutating func readTitles() {
    var titles = nodes("title").compactMap { node -> Metadata.Title? in
      let text = tree.text(node)
      guard !text.isEmpty else { return nil }
      let fileAs = refinement(node, "file-as") ?? tree.attribute(node, "file-as")
      return Metadata.Title(
        text: text, kind: refinement(node, "title-type"), fileAs: fileAs,
        direction: (tree.attribute(node, "dir") ?? tree.attribute(tree.parent(section), "dir"))?.lowercased())
    }
    if let main = titles.firstIndex(where: { $0.kind == "main" }), main > 0 {
      titles.insert(titles.remove(at: main), at: 0)
    }
    metadata.titles = titles
  }

  private func contributors(_ name: String) -> [Metadata.Contributor] {
    ordered(nodes(name)).compactMap { node in
      let text = tree.text(node)
      guard !text.isEmpty else { return nil }
      var roles = refinementValues(node, "role")
      if roles.isEmpty, let role = tree.attribute(node, "role"), !role.isEmpty { roles = [role] }
      return Metadata.Contributor(
        name: text, roles: roles.map { $0.lowercased() },
        fileAs: refinement(node, "file-as") ?? tree.attribute(node, "file-as"))
    }
  }

  private mutating func readIdentifiers(_ unique: String?) {
    var identifiers: [Metadata.Identifier] = []
    var hasUnique = false
    for node in nodes("identifier") {
      let text = tree.text(node)
      guard !text.isEmpty else { continue }
      let scheme = tree.attribute(node, "scheme") ?? refinement(node, "identifier-type")
      let identifier = Metadata.Identifier(value: text, scheme: scheme)
      if !hasUnique, let unique, tree.attribute(node, "id") == unique {
        identifiers.insert(identifier, at: 0)
        hasUnique = true
      } else {
        identifiers.append(identifier)
      }
    }
    metadata.identifiers = identifiers
  }

  private mutating func readDates(_ metas: [MarkupTree.NodeID]) {
    let dates = nodes("date")
    let published = dates.first { node in
      let event = tree.attribute(node, "event")?.lowercased()
      return event == nil || event == "publication" || event == "original-publication"
    }
    metadata.date = (published ?? dates.first).map { tree.text($0) }.flatMap { $0.isEmpty ? nil : $0 }
    metadata.modified =
      metas.first { tree.attribute($0, "property") == "dcterms:modified" }.map { tree.text($0) }
      ?? dates.first { tree.attribute($0, "event")?.lowercased() == "modification" }.map { tree.text($0) }
  }

  private mutating func readMetas(_ metas: [MarkupTree.NodeID]) {
    var calibre: (name: String?, position: String?) = (nil, nil)
    for meta in metas {
      let content = tree.attribute(meta, "content") ?? tree.text(meta)
      switch tree.attribute(meta, "name")?.lowercased() {
      case "cover": coverReference = coverReference ?? content
      case "calibre:series": calibre.name = content
      case "calibre:series_index": calibre.position = content
      default: break
      }
      guard tree.attribute(meta, "refines") == nil else { continue }
      switch tree.attribute(meta, "property") {
      case "rendition:layout": metadata.isPrePaginated = tree.text(meta) == "pre-paginated"
      case "belongs-to-collection":
        let kind = refinement(meta, "collection-type")
        if metadata.series == nil, kind == nil || kind == "series" {
          metadata.series = Metadata.Series(name: tree.text(meta), position: refinement(meta, "group-position"))
        }
      default: break
      }
    }
    if metadata.series == nil, let name = calibre.name, !name.isEmpty {
      metadata.series = Metadata.Series(name: name, position: calibre.position)
    }
  }

  /// Descriptions often hold escaped HTML.
  private static func plain(_ text: String) -> String {
    guard text.contains("<"), text.contains(">") else { return text }
    let tree = MarkupParser.parse(Array(text.utf8), as: .html)
    return tree.isEmpty ? text : tree.text(tree.root)
  }
}
