import Markup

/// An EPUB book: what it says about itself, its order of documents, and their contents on demand.
///
/// Opening reads the archive's directory and the structural documents only; a chapter is read and parsed when it is
/// asked for. A book holds its file open, never changes, and may be used from several threads at once.
public final class Book: Sendable {
  public let path: String
  public let metadata: Metadata
  /// page-progression-direction.
  public let direction: ReadingDirection
  public let spine: [SpineItem]
  public let toc: [TOCEntry]
  /// The printed edition's pages, if the publisher lists them.
  public let pageList: [NamedPlace]
  public let landmarks: [NamedPlace]
  /// Path of the cover image in the container.
  public let coverHref: String?
  /// SHA-256 over (uncompressed size, CRC-32) of the spine's documents in order, 64 hexadecimal digits.
  public let identity: String
  /// What was wrong with the book and was survived, one sentence each.
  public let warnings: [String]

  let archive: Archive
  let package: Package
  let order: ReadingOrder
  let styles = StyleCache()
  let protection: Protection
  /// Names of the entries that the manifest lists.
  let listed: Set<String>

  /// Opens the book at `path`.
  ///
  /// - Throws: `PublicationError`; the book is then of no use.
  public init(path: String) throws(PublicationError) {
    self.path = path
    let archive = try Archive(path: path)
    let container = try Container(archive)
    guard let opened = try Self.openPackage(archive, container) else { throw .noPackage(path: path) }
    var package = opened
    var warnings = archive.warnings + container.warnings + package.warnings
    let reading = ReadingOrder(package, archive)
    warnings += reading.warnings
    let available = reading.items.filter { !$0.isMissing }
    guard !available.isEmpty else { throw .noReadableContent(path: path) }
    let isProtected = available.contains { item in
      container.protection.encrypted.contains(item.href)
    }
    if isProtected { throw .protected(path: path, scheme: container.protection.scheme) }
    if available.contains(where: { archive.entry(named: $0.href)?.encryption != nil }) {
      throw .protected(path: path, scheme: "ZIP encryption")
    }
    let contents = ContentsReader(archive: archive, package: package, order: reading)
    warnings += contents.warnings
    var spine = reading.items
    for entry in contents.toc {
      if let index = entry.spineIndex, spine[index].title == nil, !entry.title.isEmpty {
        spine[index].title = entry.title
      }
    }
    if package.metadata.titles.isEmpty {
      warnings.append("the package has no title")
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let stem = name.lowercased().hasSuffix(".epub") ? String(name.dropLast(5)) : name
      package.metadata.titles = [Metadata.Title(text: stem)]
    }
    metadata = package.metadata
    direction = package.progression.flatMap(ReadingDirection.init(rawValue:)) ?? .default
    self.spine = spine
    toc = contents.toc
    pageList = contents.pages
    landmarks = contents.landmarks
    coverHref = Cover.find(archive: archive, package: package, landmarks: contents.landmarks)
    identity = Self.identity(reading.items, archive)
    self.warnings = warnings
    self.archive = archive
    order = reading
    self.package = package
    protection = container.protection
    listed = Set(package.manifest.items.compactMap { archive.entry(named: $0.path)?.name })
  }

  /// The first package that can be read and whose spine names something.
  private static func openPackage(_ archive: Archive, _ container: Container) throws(PublicationError) -> Package? {
    var failure: PublicationError?
    var empty: Package?
    for name in container.packages {
      guard let entry = archive.entry(named: name) else { continue }
      if container.protection.encrypted.contains(entry.name) {
        throw .protected(path: archive.file.path, scheme: container.protection.scheme)
      }
      do throws(PublicationError) {
        let source = try archive.read(entry, limit: Container.structureLimit)
        var package = try Package(path: entry.name, source: source.bytes)
        if let fault = source.fault { package.warnings.append("\(entry.name): \(fault)") }
        if !package.spine.isEmpty { return package }
        empty = empty ?? package
      } catch {
        failure = failure ?? error
      }
    }
    if let empty { return empty }
    if let failure { throw failure }
    return nil
  }

  private static func identity(_ items: [SpineItem], _ archive: Archive) -> String {
    var digest = SHA256()
    for item in items {
      guard let entry = archive.entry(named: item.href) else { continue }
      digest.update(bigEndian: entry.size)
      digest.update(bigEndian: entry.checksum)
    }
    return digest.finish()
  }
}
