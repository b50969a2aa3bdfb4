/// The spine, looked up in manifest and archive.
struct ReadingOrder: Sendable {
  private(set) var items: [SpineItem] = []
  private(set) var warnings: [String] = []
  /// The first itemref of each document.
  private(set) var byPath: [String: Int] = [:]

  init(_ package: Package, _ archive: Archive) {
    var absent: Set<String> = []
    for reference in package.spine {
      guard let item = package.manifest.item(id: reference.idref) else {
        // It keeps its number: positions count itemrefs.
        warnings.append("the spine names \"\(reference.idref)\", which is not in the manifest; left out")
        items.append(
          SpineItem(
            href: "", idref: reference.idref, linear: reference.isLinear, title: nil, isMissing: true, size: 0,
            positions: [], mediaType: ""))
        continue
      }
      let shown = Self.readable(item, package, archive)
      let entry = shown.remote == nil ? archive.entry(named: shown.path) : nil
      let path = entry?.name ?? shown.remote ?? shown.path
      if let fragment = shown.fragment, let first = byPath[path] {
        items[first].positions.append(fragment)
        continue
      }
      if entry == nil, absent.insert(path).inserted {
        warnings.append("\(path): named by the spine, but not in the archive; left out")
      }
      if byPath[path] == nil { byPath[path] = items.count }
      items.append(
        SpineItem(
          href: path, idref: reference.idref, linear: reference.isLinear, title: nil, isMissing: entry == nil,
          size: Int(clamping: entry?.size ?? 0), positions: [], mediaType: shown.mediaType))
    }
    // A book all of whose items are auxiliary still has an order: its own.
    if !items.contains(where: { $0.linear && !$0.isMissing }) {
      for index in items.indices { items[index].linear = true }
    }
  }

  /// The item itself if it can be shown, else the first of its fallbacks that can.
  private static func readable(_ item: Manifest.Item, _ package: Package, _ archive: Archive) -> Manifest.Item {
    let chain = package.manifest.chain(from: item)
    let shown = chain.first { candidate in
      (candidate.isDocument || candidate.isSVG) && candidate.remote == nil
        && archive.entry(named: candidate.path) != nil
    }
    return shown ?? chain.first { archive.entry(named: $0.path) != nil } ?? item
  }

  func index(of path: String, in archive: Archive) -> Int? {
    if let index = byPath[path] { return index }
    return archive.entry(named: path).flatMap { byPath[$0.name] }
  }
}
