public import Document
import Markup

extension Book {
  /// Most bytes of one document that are read; what is beyond is left out, and said.
  static let documentLimit = 32 << 20
  /// A document that deflates better than text ever does is read up to here only.
  static let suspiciousLimit = 256 << 10
  static let suspiciousRatio: UInt64 = 200

  /// Reads and parses one item of the spine. Costs as much as the chapter is long; nothing is cached.
  ///
  /// - Throws: `.noSuchItem`, `.missing` never (a missing item is an empty document that says so), `.damaged`,
  ///   `.unsupportedMethod`, `.protected`.
  public func document(at spineIndex: Int) throws(PublicationError) -> Document {
    guard spine.indices.contains(spineIndex) else { throw .noSuchItem(index: spineIndex, count: spine.count) }
    let item = spine[spineIndex]
    if item.isMissing { return Document(warnings: ["\(item.href): not in the archive"]) }
    return try document(path: item.href)
  }

  /// Reads and parses a document by its path, whether it is in the spine or not.
  public func document(path: String) throws(PublicationError) -> Document {
    let mediaType = mediaType(path)
    if mediaType.hasPrefix("image/"), mediaType != "image/svg+xml" { return try imageDocument(path) }
    let (source, fault) = try text(path)
    var document = DocumentReader.read(source, resources: resources(for: path))
    if let fault { document.warnings.append("\(path): \(fault)") }
    return document
  }

  /// The blocks of a note, for a popup.
  ///
  /// - Parameter place: where the link leads, from `destination(of:from:)`.
  /// - Returns: nil if the document has no such id.
  public func note(path: String, fragment: String) throws(PublicationError) -> [Block]? {
    let (source, _) = try text(path)
    return DocumentReader.note(id: fragment, in: source, resources: resources(for: path))
  }

  /// What a document of this book may load while it is parsed.
  private func resources(for path: String) -> DocumentReader.Resources {
    DocumentReader.Resources(
      styleSheet: { [self] address, base in
        guard case .inside(let target, _) = ContainerPath.resolve(address, from: base ?? path),
          let entry = archive.entry(named: target), !protection.encrypted.contains(entry.name),
          let source = try? archive.read(entry, limit: 1 << 20, cutting: true).bytes
        else { return nil }
        return (source, entry.name)
      },
      resolve: { [self] address in imagePath(address, from: path) }, address: path, userStyle: nil, cache: styles)
  }

  /// The path of an image or sheet; a foreign image's fallback where the manifest names one that can be shown.
  private func imagePath(_ address: String, from path: String) -> String {
    guard case .inside(let target, _) = ContainerPath.resolve(address, from: path) else { return address }
    let name = archive.entry(named: target)?.name ?? target
    // What the manifest does not list is no part of the publication: its alternative text is shown.
    if archive.entry(named: target) != nil, !listed.contains(name) { return "" }
    guard let item = package.manifest.item(path: target) ?? package.manifest.item(path: name), item.fallback != nil,
      !Self.shownImages.contains(item.mediaType)
    else { return name }
    let shown = package.manifest.chain(from: item).first { Self.shownImages.contains($0.mediaType) }
    return shown.flatMap { archive.entry(named: $0.path)?.name } ?? name
  }

  static let shownImages: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/svg+xml", "image/webp", "image/avif", "image/bmp",
  ]

  func mediaType(_ path: String) -> String {
    package.manifest.item(path: path)?.mediaType ?? Package.mediaType(nil, href: path)
  }

  /// A spine item that is an image: one block.
  private func imageDocument(_ path: String) throws(PublicationError) -> Document {
    guard let entry = archive.entry(named: path) else { throw .missing(name: path) }
    try refuseProtected(entry)
    let block = Block(content: .image(ImageReference(source: entry.name)), range: 0..<1)
    return Document(blocks: [block], length: 1)
  }

  /// A document's bytes, cut at the limit.
  func text(_ path: String) throws(PublicationError) -> (source: [UInt8], fault: String?) {
    guard let entry = archive.entry(named: path) else { throw .missing(name: path) }
    try refuseProtected(entry)
    let isSuspicious =
      entry.size > UInt64(Self.suspiciousLimit) && entry.size / max(1, entry.compressedSize) > Self.suspiciousRatio
    let limit = isSuspicious ? Self.suspiciousLimit : Self.documentLimit
    let (bytes, fault) = try archive.read(entry, limit: limit, cutting: true)
    if entry.size > UInt64(limit) {
      return (bytes, "\(entry.size / 1_048_576) MiB long; only the first \(limit / 1024) KiB are shown")
    }
    return (bytes, fault)
  }

  /// The bytes of an image, a style sheet or any other file.
  ///
  /// - Parameter path: in the container, decoded, as `ImageReference.source` has it; or a `data:` address.
  /// - Parameter limit: the most bytes to unpack.
  /// - Throws: `.missing`, `.tooLarge`, `.damaged` (a checksum that differs, too), `.unsupportedMethod`, `.protected`.
  public func resource(_ path: String, limit: Int = 64 << 20) throws(PublicationError) -> [UInt8] {
    if path.hasPrefix("data:") {
      guard let bytes = DataAddress.bytes(path) else { throw .damaged(name: "data:", reason: "it is no base64") }
      guard bytes.count <= limit else { throw .tooLarge(name: "data:", limit: limit) }
      return bytes
    }
    guard let entry = archive.entry(named: path) else { throw .missing(name: path) }
    try refuseProtected(entry)
    let (bytes, fault) = try archive.read(entry, limit: limit)
    if let fault { throw .damaged(name: entry.name, reason: fault) }
    return bytes
  }

  /// The natural size of an image, from the beginning of its file.
  ///
  /// - Parameter path: as for `resource`.
  /// - Returns: nil for what is not there, is no image, or says no size.
  public func imageSize(_ path: String) -> ImageSize? {
    guard let entry = archive.entry(named: path), (try? refuseProtected(entry)) != nil,
      let (bytes, _) = try? archive.read(entry, limit: 1 << 16, cutting: true)
    else { return nil }
    return ImageSize(of: bytes)
  }

  private func refuseProtected(_ entry: Archive.Entry) throws(PublicationError) {
    if protection.encrypted.contains(entry.name) {
      throw .protected(path: entry.name, scheme: protection.scheme)
    }
  }
}

extension Book {
  /// What is damaged in this book: every entry is unpacked in pieces and its checksum compared. Takes as long as
  /// reading the whole file does; memory stays at a few hundred kilobytes.
  ///
  /// - Returns: one sentence an entry, in the archive's order.
  public func damagedEntries() -> [String] {
    archive.entries.compactMap { entry in
      guard entry.encryption == nil, !entry.name.hasSuffix("/") else { return nil }
      do throws(PublicationError) {
        guard let fault = try archive.check(entry) else { return nil }
        return PublicationError.damaged(name: entry.name, reason: fault).description
      } catch {
        return error.description
      }
    }
  }
}
