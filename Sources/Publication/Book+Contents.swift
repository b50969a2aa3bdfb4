public import Document
import Markup

extension Book {
  /// Most bytes of one document that are read; what is beyond is left out, and said.
  static let documentLimit = 32 << 20
  /// A document that deflates better than text ever does is read up to here only.
  static let suspiciousLimit = 2 << 20
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
    let (source, fault) = try text(path)
    var document = DocumentReader.read(source, resources: .none)
    if let fault { document.warnings.append("\(path): \(fault)") }
    return document
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
      return (bytes, "\(entry.size / 1_048_576) MiB long; only the first \(limit / 1_048_576) MiB are shown")
    }
    return (bytes, fault)
  }

  /// The bytes of an image, a style sheet or any other file.
  ///
  /// - Parameter path: in the container, decoded, as `ImageReference.source` has it.
  /// - Parameter limit: the most bytes to unpack.
  /// - Throws: `.missing`, `.tooLarge`, `.damaged` (a checksum that differs, too), `.unsupportedMethod`, `.protected`.
  public func resource(_ path: String, limit: Int = 64 << 20) throws(PublicationError) -> [UInt8] {
    guard let entry = archive.entry(named: path) else { throw .missing(name: path) }
    try refuseProtected(entry)
    let (bytes, fault) = try archive.read(entry, limit: limit)
    if let fault { throw .damaged(name: entry.name, reason: fault) }
    return bytes
  }

  private func refuseProtected(_ entry: Archive.Entry) throws(PublicationError) {
    if protection.encrypted.contains(entry.name) {
      throw .protected(path: entry.name, scheme: protection.scheme)
    }
  }
}
