import Markup

/// What META-INF says: where the package is, and what is encrypted.
struct Container {
  /// Paths of the package documents in the archive, the one to read first.
  var packages: [String] = []
  var protection = Protection()
  var warnings: [String] = []

  init(_ archive: Archive) throws(PublicationError) {
    var listed: [String] = []
    if let entry = archive.entry(named: "META-INF/container.xml") {
      let tree = try Self.tree(archive, entry)
      for node in tree.elements(named: "rootfile") {
        guard let path = tree.attribute(node, "full-path"), !path.isEmpty else { continue }
        let type = tree.attribute(node, "media-type")
        guard type == nil || type == "" || type == "application/oebps-package+xml" || path.hasSuffix(".opf") else {
          continue
        }
        if case .inside(let target, _) = ContainerPath.resolve(path, from: "") { listed.append(target) }
      }
      if listed.isEmpty { warnings.append("META-INF/container.xml names no package document") }
    } else {
      warnings.append("META-INF/container.xml is missing")
    }
    packages = listed.filter { archive.entry(named: $0) != nil }
    if packages.isEmpty {
      for path in listed { warnings.append("\(path): named by META-INF/container.xml, but not in the archive") }
      packages = archive.entries.map(\.name).filter { $0.lowercased().hasSuffix(".opf") }
        .sorted { ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1) }
    }
    protection = try Protection(archive)
  }

  /// Most bytes of a structural document: package, navigation, container.
  static let structureLimit = 24 << 20

  static func tree(_ archive: Archive, _ entry: Archive.Entry) throws(PublicationError) -> MarkupTree {
    MarkupParser.parse(try archive.read(entry, limit: structureLimit).bytes, as: .xml)
  }
}
