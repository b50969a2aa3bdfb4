extension Book {
  /// Where a link of a document leads.
  public enum Destination: Sendable, Equatable {
    /// The first itemref of that document; the fragment is an id in it.
    case place(spineIndex: Int, fragment: String?)
    /// A file of the book that is no part of the spine.
    case file(path: String, fragment: String?)
    /// An absolute URL.
    case outside(String)
    case missing(path: String)
  }

  /// Resolves `Link.target` of the document at `spineIndex`.
  ///
  /// A link to the document itself leads to the same itemref, also when the spine repeats it.
  public func destination(of target: String, from spineIndex: Int) -> Destination {
    guard spine.indices.contains(spineIndex) else { return .missing(path: target) }
    switch ContainerPath.resolve(target, from: spine[spineIndex].href) {
    case .outside(let url):
      return .outside(url)
    case .inside(let path, let fragment):
      if path == spine[spineIndex].href { return .place(spineIndex: spineIndex, fragment: fragment) }
      let name = archive.entry(named: path)?.name ?? path
      if let index = spine.firstIndex(where: { $0.href == name }) {
        return .place(spineIndex: index, fragment: fragment)
      }
      return archive.entry(named: path) == nil ? .missing(path: path) : .file(path: name, fragment: fragment)
    }
  }
}
