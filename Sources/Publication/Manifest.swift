/// The package's list of files.
struct Manifest: Sendable {
  struct Item: Sendable, Equatable {
    var id: String
    /// From the container's root, decoded, without fragment.
    var path: String
    var fragment: String?
    /// Set for an item that is not in the container.
    var remote: String?
    /// Lower case, without parameters.
    var mediaType: String
    var properties: [String]
    var fallback: String?

    var isDocument: Bool { Manifest.isDocument(mediaType) }
    var isSVG: Bool { mediaType == "image/svg+xml" }
    var isImage: Bool { mediaType.hasPrefix("image/") }
  }

  static func isDocument(_ mediaType: String) -> Bool {
    switch mediaType {
    case "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "text/xhtml",
      "application/html+xml":
      true
    default: false
    }
  }

  private(set) var items: [Item] = []
  private var byID: [String: Int] = [:]
  private var byPath: [String: Int] = [:]
  /// By the id in lower case; nil where several differ in case only.
  private var byFoldedID: [String: Int?] = [:]

  mutating func add(_ item: Item) {
    if byID[item.id] == nil { byID[item.id] = items.count }
    let folded = item.id.lowercased()
    if let known = byFoldedID[folded] {
      if known.map({ items[$0].id != item.id }) ?? true { byFoldedID[folded] = .some(nil) }
    } else {
      byFoldedID[folded] = items.count
    }
    if byPath[item.path] == nil { byPath[item.path] = items.count }
    items.append(item)
  }

  /// The first item of this id, else the only one whose id differs in case alone.
  func item(id: String) -> Item? { (byID[id] ?? byFoldedID[id.lowercased()] ?? nil).map { items[$0] } }
  func item(path: String) -> Item? { byPath[path].map { items[$0] } }

  /// The item and its fallbacks, first choice first; a chain that bites its tail ends.
  func chain(from item: Item) -> [Item] {
    var chain = [item]
    while let next = chain.last?.fallback.flatMap({ self.item(id: $0) }), !chain.contains(next), chain.count < 16 {
      chain.append(next)
    }
    return chain
  }
}
