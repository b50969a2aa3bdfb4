extension Book {
  /// Where a link of a document leads.
  public enum Destination: Sendable, Equatable {
    /// A document of the spine; the fragment is looked up in that document's `anchors`, and nowhere else.
    case place(spineIndex: Int, fragment: String?)
    /// A file of the book that is no part of the spine: `document(path:)` reads it if `isDocument(path:)` says so,
    /// `resource(_:limit:)` otherwise.
    case file(path: String, fragment: String?)
    /// An absolute URL.
    case outside(String)
    /// The book has no such file.
    case missing(path: String)
  }

  /// Resolves `Link.target` of the document at `spineIndex`.
  ///
  /// A link within a document that the spine repeats stays at the itemref that is being read; to any other document it
  /// leads to the first itemref of it.
  public func destination(of target: String, from spineIndex: Int) -> Destination {
    guard spine.indices.contains(spineIndex) else { return .missing(path: target) }
    let base = spine[spineIndex].href
    let destination = destination(of: target, fromDocument: base)
    if case .place(let index, let fragment) = destination, spine[index].href == base {
      return .place(spineIndex: spineIndex, fragment: fragment)
    }
    return destination
  }

  /// Resolves a link of a document that may not be in the spine.
  public func destination(of target: String, fromDocument path: String) -> Destination {
    switch ContainerPath.resolve(target, from: path) {
    case .outside(let url): return .outside(url)
    case .inside(let target, let fragment):
      let anchor = fragment.flatMap { $0.isEmpty ? nil : $0 }
      if let index = order.index(of: target, in: archive) { return .place(spineIndex: index, fragment: anchor) }
      guard let entry = archive.entry(named: target), !entry.name.hasSuffix("/") else { return .missing(path: target) }
      return .file(path: entry.name, fragment: anchor)
    }
  }

  /// Whether a file of the book can be shown as a document: XHTML or SVG.
  public func isDocument(path: String) -> Bool {
    let type = mediaType(path)
    return type == "image/svg+xml" || Manifest.isDocument(type)
  }

  /// What the manifest lists and the spine does not, and can be shown: documents, drawings and images, in the
  /// manifest's order. The title is nil.
  public var outsideSpine: [SpineItem] {
    var seen: Set<String> = []
    return package.manifest.items.compactMap { item in
      guard item.remote == nil, item.isDocument || item.isSVG || Self.shownImages.contains(item.mediaType),
        let entry = archive.entry(named: item.path), order.index(of: entry.name, in: archive) == nil,
        seen.insert(entry.name).inserted
      else { return nil }
      return SpineItem(
        href: entry.name, idref: item.id, linear: false, title: nil, isMissing: false, size: Int(clamping: entry.size),
        positions: [], mediaType: item.mediaType)
    }
  }

  /// The itemref whose document this path is; nil if it is none's.
  public func spineIndex(ofPath path: String) -> Int? { order.index(of: path, in: archive) }
}
