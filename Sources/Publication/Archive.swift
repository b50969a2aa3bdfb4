/// A ZIP archive, read by its central directory, or salvaged by its local headers where that is gone.
///
/// Nothing is unpacked to disk, no entry is read before it is asked for, and every size that the archive states is
/// checked against what is really there. Safe to use from several threads at once.
/// Source: APPNOTE.TXT 6.3.10, sections 4.3 and 4.4.
final class Archive: Sendable {
  /// One entry as the central directory describes it.
  struct Entry: Sendable, Equatable {
    /// "/" between parts; never begins with one, never holds "." or ".." parts.
    var name: String
    var method: UInt16
    /// 0 means that the entry is a folder or empty.
    var size: UInt64
    var compressedSize: UInt64
    var checksum: UInt32
    /// Of the local header, in the file as it is (junk before the archive included).
    var headerOffset: UInt64
    /// Where the next structure begins: the entry's data cannot reach beyond.
    var endOffset: UInt64
    /// How long the name is in the central directory: damaged local headers are read with it.
    var nameLength: Int
    var encryption: Encryption?

    /// ZIP's own encryption, not the publisher's.
    enum Encryption: Sendable, Equatable { case traditional, strong, aes }
  }

  static let maximumEntries = 65_536
  static let maximumDirectoryBytes = 32 << 20

  let entries: [Entry]
  /// What was wrong with the archive and was survived, one sentence each.
  let warnings: [String]
  let file: ArchiveFileHandle
  private let names: ArchiveNames

  /// - Throws: `.system`, `.notAnArchive`, `.truncated`, `.tooManyEntries`.
  init(path: String) throws(PublicationError) {
    file = try ArchiveFileHandle(path: path)
    var directory = try ArchiveDirectory.find(in: file)
    if directory == nil {
      directory = try ArchiveDirectory.salvage(file)
    }
    guard let directory else {
      let start = try file.read(at: 0, count: 4)
      throw start.starts(with: [0x50, 0x4b]) ? .truncated(path: path) : .notAnArchive(path: path)
    }
    entries = directory.entries
    warnings = directory.warnings
    names = ArchiveNames(entries)
  }

  /// The entry of that name: exactly; else by canonical equivalence, case, percent-encoding or backslash, each only
  /// where one entry alone answers to it.
  func entry(named name: String) -> Entry? {
    names.index(of: name).map { entries[$0] }
  }

  /// The entry's bytes.
  ///
  /// - Parameter limit: the most bytes to unpack. With `cutting` a larger entry gives its first `limit` bytes,
  ///   without it is an error.
  /// - Returns: the bytes, and what was wrong with them (a checksum that differs, a stream that ends early).
  func read(
    _ entry: Entry, limit: Int, cutting: Bool = false
  ) throws(PublicationError) -> (bytes: [UInt8], fault: String?) {
    if entry.encryption != nil { throw .protected(path: entry.name, scheme: "ZIP encryption") }
    guard entry.method == 0 || entry.method == 8 else {
      throw .unsupportedMethod(name: entry.name, method: entry.method)
    }
    if entry.size > UInt64(limit), !cutting { throw .tooLarge(name: entry.name, limit: limit) }
    var best: (bytes: [UInt8], fault: String?)?
    for start in try dataOffsets(of: entry) {
      let attempt = try unpack(entry, from: start, limit: limit)
      if attempt.fault == nil { return attempt }
      if best == nil || attempt.bytes.count > best!.bytes.count { best = attempt }
    }
    guard let best, !best.bytes.isEmpty || entry.size == 0 else {
      throw .damaged(name: entry.name, reason: best?.fault ?? "its local header is missing")
    }
    return best
  }

  /// Where the entry's data may begin, the likeliest first: the central directory rules, but the local header alone
  /// knows how long its own fields are.
  private func dataOffsets(of entry: Entry) throws(PublicationError) -> [UInt64] {
    let header = try file.read(at: entry.headerOffset, count: 30)
    guard header.count == 30 else { return [] }
    let base = entry.headerOffset + 30
    let localName = UInt64(header.uint16(26))
    let localExtra = UInt64(header.uint16(28))
    var starts = [base + localName + localExtra, base + UInt64(entry.nameLength) + localExtra]
    if entry.compressedSize <= entry.endOffset, entry.endOffset - entry.compressedSize >= entry.headerOffset {
      starts.append(entry.endOffset - entry.compressedSize)
    }
    starts.append(base + UInt64(entry.nameLength))
    var unique: [UInt64] = []
    for start in starts where start <= file.size && !unique.contains(start) { unique.append(start) }
    return unique
  }

  private func unpack(
    _ entry: Entry, from start: UInt64, limit: Int
  ) throws(PublicationError) -> (bytes: [UInt8], fault: String?) {
    let available = entry.compressedSize > file.size - start ? file.size - start : entry.compressedSize
    var result: (bytes: [UInt8], fault: String?)
    if entry.method == 0 {
      result.bytes = try file.read(at: start, count: Int(min(available, UInt64(limit))))
      result.fault = available < entry.size && result.bytes.count < limit ? "the data are cut off" : nil
    } else {
      result = try inflate(entry, from: start, count: available, limit: limit)
    }
    if result.fault == nil, UInt64(result.bytes.count) == entry.size {
      let found = result.bytes.withUnsafeBytes { Publication.checksum($0) }
      if found != entry.checksum { result.fault = "the checksum differs" }
    } else if result.fault == nil, result.bytes.count < limit {
      result.fault = "\(result.bytes.count) bytes instead of \(entry.size)"
    }
    return result
  }

  private func inflate(
    _ entry: Entry, from start: UInt64, count: UInt64, limit: Int
  ) throws(PublicationError) -> (bytes: [UInt8], fault: String?) {
    // Deflate cannot expand more than 1032-fold, so a small entry that states a huge size gets no huge buffer.
    let most = count > UInt64(Int.max) / 1040 ? UInt64(limit) : count * 1040 + 64
    let capacity = Int(min(entry.size, UInt64(limit), most))
    var fault: String?
    var failure: PublicationError?
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, produced in
      let stream = InflateHandle()
      var position = start
      var remaining = count
      let output = UnsafeMutableRawBufferPointer(buffer)
      var isDone = false
      while !isDone {
        let piece: [UInt8]
        do throws(PublicationError) {
          piece = try file.read(at: position, count: Int(min(remaining, 65_536)))
        } catch {
          failure = error
          return
        }
        if piece.isEmpty {
          fault = produced == capacity && capacity == limit ? nil : "the compressed data are cut off"
          return
        }
        position += UInt64(piece.count)
        remaining -= UInt64(piece.count)
        piece.withUnsafeBytes { input in
          var consumed = 0
          switch stream.inflate(input, consumed: &consumed, into: output, produced: &produced) {
          case .wantsInput: break
          case .full, .end: isDone = true
          case .damaged:
            fault = "the compressed data are invalid"
            isDone = true
          }
        }
      }
    }
    if let failure { throw failure }
    return (bytes, fault)
  }

  /// What is wrong with the entry's data, found without keeping them.
  func check(_ entry: Entry) throws(PublicationError) -> String? {
    guard entry.method == 8 else { return try read(entry, limit: 512 << 20, cutting: true).fault }
    guard let start = try dataOffsets(of: entry).first else { return "its local header is missing" }
    let available = entry.compressedSize > file.size - start ? file.size - start : entry.compressedSize
    let measured = try ArchiveDirectory.measure(from: start, count: available, in: file)
    if measured.size == entry.size, measured.checksum == entry.checksum { return nil }
    // A damaged local header, perhaps: the slow way knows more places to look at.
    return try read(entry, limit: 64 << 20, cutting: true).fault
  }
}
