import Markup

/// The package document (OPF), read by local names: prefixes and versions do not matter.
struct Package: Sendable {
  struct ItemReference: Sendable {
    var idref: String
    var isLinear: Bool
    var properties: [String]
  }

  struct GuideReference: Sendable {
    var type: String
    var title: String
    var target: ContainerPath.Target
  }

  /// Path of the package document itself: what it names is relative to it.
  var path: String
  var metadata = Metadata()
  var manifest = Manifest()
  var spine: [ItemReference] = []
  var guide: [GuideReference] = []
  /// "ltr", "rtl", "default" or nil.
  var progression: String?
  var ncxID: String?
  /// EPUB 2: `<meta name="cover" content="…">`.
  var coverReference: String?
  var warnings: [String] = []

  init(path: String, source: [UInt8]) throws(PublicationError) {
    self.path = path
    let tree = MarkupParser.parse(source, as: .xml)
    guard !tree.isEmpty else {
      throw .badPackage(name: path, reason: tree.warnings.first ?? "it is empty")
    }
    warnings += tree.warnings.map { "\(path): \($0)" }
    guard let package = tree.name(tree.root) == "package" ? tree.root : tree.elements(named: "package").first else {
      throw .badPackage(name: path, reason: "its root element is \"\(tree.name(tree.root))\", not \"package\"")
    }
    metadata.version = tree.attribute(package, "version")
    if let section = tree.elements(named: "metadata", below: package).first {
      var reader = MetadataReader(tree: tree, section: section)
      reader.read(uniqueIdentifier: tree.attribute(package, "unique-identifier"))
      metadata = reader.metadata
      metadata.version = tree.attribute(package, "version")
      coverReference = reader.coverReference
    }
    readManifest(tree, package)
    readSpine(tree, package)
    readGuide(tree, package)
  }

  private mutating func readManifest(_ tree: MarkupTree, _ package: MarkupTree.NodeID) {
    for node in tree.elements(named: "item", below: package) {
      guard tree.name(tree.parent(node)) == "manifest" else { continue }
      guard let href = tree.attribute(node, "href") else {
        warnings.append("\(path): a manifest item has no href")
        continue
      }
      var item = Manifest.Item(
        id: tree.attribute(node, "id").map(ContainerPath.trim) ?? "", path: "", fragment: nil, remote: nil,
        mediaType: Self.mediaType(tree.attribute(node, "media-type"), href: href),
        properties: Self.words(tree.attribute(node, "properties")), fallback: tree.attribute(node, "fallback"))
      switch ContainerPath.resolve(href, from: path) {
      case .inside(let target, let fragment):
        item.path = target
        item.fragment = fragment
      case .outside(let url): item.remote = url
      }
      manifest.add(item)
      if manifest.items.count >= Archive.maximumEntries { break }
    }
  }

  private mutating func readSpine(_ tree: MarkupTree, _ package: MarkupTree.NodeID) {
    guard let spine = tree.elements(named: "spine", below: package).first else {
      warnings.append("\(path): the package has no spine; its documents are shown in the manifest's order")
      self.spine = manifest.items.filter { $0.isDocument && !$0.properties.contains("nav") }.map {
        ItemReference(idref: $0.id, isLinear: true, properties: [])
      }
      return
    }
    progression = tree.attribute(spine, "page-progression-direction")?.lowercased()
    ncxID = tree.attribute(spine, "toc")
    for node in tree.elements(named: "itemref", below: spine).prefix(Archive.maximumEntries) {
      guard let idref = tree.attribute(node, "idref").map(ContainerPath.trim) else { continue }
      let linear = tree.attribute(node, "linear").map(ContainerPath.trim)?.lowercased()
      self.spine.append(
        ItemReference(
          idref: idref, isLinear: linear != "no" && linear != "false",
          properties: Self.words(tree.attribute(node, "properties"))))
    }
  }

  private mutating func readGuide(_ tree: MarkupTree, _ package: MarkupTree.NodeID) {
    for node in tree.elements(named: "reference", below: package).prefix(1000) {
      guard let href = tree.attribute(node, "href"), tree.name(tree.parent(node)) == "guide" else { continue }
      guide.append(
        GuideReference(
          type: tree.attribute(node, "type")?.lowercased() ?? "", title: tree.attribute(node, "title") ?? "",
          target: ContainerPath.resolve(href, from: path)))
    }
  }

  static func words(_ text: String?) -> [String] {
    text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
  }

  /// The declared type; by extension where none is declared.
  static func mediaType(_ declared: String?, href: String) -> String {
    let stated = declared.map { ContainerPath.trim(ContainerPath.cut($0, at: ";").0).lowercased() } ?? ""
    if !stated.isEmpty, stated != "application/octet-stream" { return stated }
    let path = ContainerPath.cut(href, at: "#").0.lowercased()
    for (ending, type) in [
      (".xhtml", "application/xhtml+xml"), (".html", "application/xhtml+xml"), (".htm", "application/xhtml+xml"),
      (".xml", "application/xhtml+xml"), (".svg", "image/svg+xml"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"),
      (".png", "image/png"), (".gif", "image/gif"), (".ncx", "application/x-dtbncx+xml"), (".css", "text/css"),
    ] where path.hasSuffix(ending) {
      return type
    }
    return stated
  }
}
