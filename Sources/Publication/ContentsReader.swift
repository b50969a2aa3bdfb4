import Markup

/// Finds the table of contents, the page list and the landmarks: navigation document, else NCX, else guide, headings,
/// spine.
struct ContentsReader {
  let archive: Archive
  let package: Package
  let order: ReadingOrder
  private(set) var toc: [TOCEntry] = []
  private(set) var pages: [NamedPlace] = []
  private(set) var landmarks: [NamedPlace] = []
  private(set) var warnings: [String] = []

  init(archive: Archive, package: Package, order: ReadingOrder) {
    self.archive = archive
    self.package = package
    self.order = order
    read()
  }

  private mutating func read() {
    let navigation = readNavigationDocument()
    let needsNCX = !(navigation?.hasLinks ?? false) || (navigation?.pages.isEmpty ?? true)
    let ncx = needsNCX ? readNCX() : nil
    if let navigation, navigation.hasLinks {
      toc = entries(navigation.contents)
    } else if let ncx, ncx.hasLinks {
      toc = entries(ncx.contents)
    }
    if let navigation {
      pages = places(navigation.pages)
      landmarks = places(navigation.landmarks)
    }
    if pages.isEmpty, let ncx { pages = places(ncx.pages) }
    let guide = package.guide.map {
      Navigation.Point(label: $0.title.isEmpty ? $0.type : $0.title, target: $0.target, level: 1, type: $0.type)
    }
    if landmarks.isEmpty { landmarks = places(guide) }
    completeContents(guide)
  }

  private mutating func readNavigationDocument() -> Navigation? {
    let declared = package.manifest.items.filter { $0.properties.contains("nav") }
    let guessed = package.manifest.items.filter {
      $0.isDocument && ["nav.xhtml", "toc.xhtml", "nav.html"].contains($0.path.split(separator: "/").last ?? "")
    }
    for item in declared.isEmpty ? guessed : declared {
      guard let source = bytes(item.path) else { continue }
      let navigation = Navigation(document: source, path: archive.entry(named: item.path)?.name ?? item.path)
      if navigation.hasLinks || !navigation.pages.isEmpty { return navigation }
    }
    return nil
  }

  private mutating func readNCX() -> Navigation? {
    var candidates: [String] = []
    if let id = package.ncxID, let item = package.manifest.item(id: id) { candidates.append(item.path) }
    candidates += package.manifest.items.filter { $0.mediaType == "application/x-dtbncx+xml" }.map(\.path)
    candidates += package.manifest.items.filter { $0.path.lowercased().hasSuffix(".ncx") }.map(\.path)
    if candidates.isEmpty {
      candidates = archive.entries.map(\.name).filter { $0.lowercased().hasSuffix(".ncx") }
    }
    var tried: Set<String> = []
    for path in candidates where tried.insert(path).inserted {
      guard let source = bytes(path) else { continue }
      let navigation = Navigation(ncx: source, path: archive.entry(named: path)?.name ?? path)
      if navigation.hasLinks || !navigation.pages.isEmpty { return navigation }
    }
    return nil
  }

  private mutating func bytes(_ path: String) -> [UInt8]? {
    guard let entry = archive.entry(named: path) else {
      warnings.append("\(path): named by the manifest for the contents, but not in the archive")
      return nil
    }
    do throws(PublicationError) {
      return try archive.read(entry, limit: Container.structureLimit).bytes
    } catch {
      warnings.append("\(error)")
      return nil
    }
  }

  private func entries(_ points: [Navigation.Point]) -> [TOCEntry] {
    points.map { point in
      var entry = TOCEntry(
        title: point.label, href: "", path: "", fragment: nil, level: point.level, spineIndex: nil, offset: nil)
      if case .inside(let path, let fragment)? = point.target {
        let name = archive.entry(named: path)?.name ?? path
        entry.path = name
        entry.fragment = fragment.flatMap { $0.isEmpty ? nil : $0 }
        entry.href = name + (entry.fragment.map { "#" + $0 } ?? "")
        entry.spineIndex = order.index(of: path, in: archive)
      } else if case .outside(let url)? = point.target {
        entry.href = url
      }
      return entry
    }
  }

  private func places(_ points: [Navigation.Point]) -> [NamedPlace] {
    entries(points).enumerated().map { index, entry in
      NamedPlace(
        label: entry.title, path: entry.path, fragment: entry.fragment, spineIndex: entry.spineIndex,
        type: points[index].type)
    }
  }

  /// Where the book has no contents worth the name: guide, headings, spine.
  private mutating func completeContents(_ guide: [Navigation.Point]) {
    let documents = order.items.indices.filter { order.items[$0].linear && !order.items[$0].isMissing }
    let linked = Set(toc.compactMap(\.spineIndex)).count
    guard toc.isEmpty || toc.count == 1 && documents.count > 1 || linked == 0 else { return }
    let made = HeadingContents.make(archive: archive, items: order.items)
    let listed = entries(guide).filter { $0.spineIndex != nil }
    if made.count > max(listed.count, toc.count) {
      toc = made
    } else if listed.count > toc.count {
      toc = listed
    }
  }
}
