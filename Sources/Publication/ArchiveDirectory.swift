/// The list of an archive's entries, and how it was come by.
struct ArchiveDirectory {
  var entries: [Archive.Entry] = []
  var warnings: [String] = []

  static let endSignature: UInt32 = 0x0605_4b50
  static let end64Signature: UInt32 = 0x0606_4b50
  static let locator64Signature: UInt32 = 0x0706_4b50
  static let centralSignature: UInt32 = 0x0201_4b50
  static let localSignature: UInt32 = 0x0403_4b50

  /// How far from the end of the file the end record is looked for: junk behind an archive may be long.
  private static let tailLimit = 4 << 20

  /// The directory that the last plausible end record leads to; nil if there is none.
  ///
  /// The comment's length is not believed, and neither is the offset: the directory ends where its end record begins,
  /// so junk before the archive moves both alike.
  static func find(in file: borrowing ArchiveFileHandle) throws(PublicationError) -> ArchiveDirectory? {
    var tailSize = 66_000
    while true {
      let start = file.size > UInt64(tailSize) ? file.size - UInt64(tailSize) : 0
      let tail = try file.read(at: start, count: tailSize)
      var end = tail.count
      while let index = tail.lastSignature(endSignature, before: end) {
        if let directory = try read(endRecord: start + UInt64(index), in: file) { return directory }
        end = index
      }
      if start == 0 || tailSize >= tailLimit { return nil }
      tailSize *= 8
    }
  }

  private static func read(
    endRecord: UInt64, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) -> ArchiveDirectory? {
    let record = try file.read(at: endRecord, count: 22)
    guard record.count >= 20 else { return nil }
    var count = UInt64(record.uint16(10))
    var size = UInt64(record.uint32(12))
    var offset = UInt64(record.uint32(16))
    var directoryEnd = endRecord
    if let wide = try wideRecord(before: endRecord, in: file) {
      if count == 0xffff || count == 0 { count = wide.record.uint64(32) }
      if size == 0xffff_ffff || size == 0 { size = wide.record.uint64(40) }
      if offset == 0xffff_ffff || offset == 0 { offset = wide.record.uint64(48) }
      directoryEnd = wide.place
    }
    if count > UInt64(Archive.maximumEntries) {
      throw .tooManyEntries(path: file.path, count: Int(clamping: count))
    }
    // Behind the entries' own end is the surest place; the stated offset is next; a walk over wrong sizes the last.
    var starts: [UInt64] = []
    if size <= directoryEnd { starts.append(directoryEnd - size) }
    if offset < directoryEnd { starts.append(offset) }
    for start in starts {
      let length = directoryEnd - start
      guard length <= UInt64(Archive.maximumDirectoryBytes) else { continue }
      let bytes = try file.read(at: start, count: Int(length))
      guard bytes.uint32(0) == centralSignature || count == 0 && bytes.isEmpty else { continue }
      var directory = ArchiveDirectory()
      let shift = start >= offset ? start - offset : 0
      try directory.parse(bytes, stated: count, directoryStart: start, shift: shift, in: file)
      // It may be the stated offset that is wrong, and no junk before the archive.
      if shift > 0, try directory.headers(at: shift, in: file) > directory.headers(at: 0, in: file) {
        directory = ArchiveDirectory()
        try directory.parse(bytes, stated: count, directoryStart: start, shift: 0, in: file)
        directory.warnings.append("the archive states a wrong place of its directory")
      }
      if !directory.entries.isEmpty { return directory }
    }
    return nil
  }

  /// How many of the first entries have their headers so far before the places that were found for them.
  private func headers(at shift: UInt64, in file: borrowing ArchiveFileHandle) throws(PublicationError) -> Int {
    var count = 0
    for entry in entries.prefix(4) where entry.headerOffset >= shift && entry.headerOffset < file.size {
      if try file.read(at: entry.headerOffset - shift, count: 4).uint32(0) == Self.localSignature { count += 1 }
    }
    return count
  }

  /// The ZIP64 end record, wherever its locator (or the bytes before the locator) leads.
  private static func wideRecord(
    before endRecord: UInt64, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) -> (record: [UInt8], place: UInt64)? {
    guard endRecord >= 20 else { return nil }
    let locator = try file.read(at: endRecord - 20, count: 20)
    guard locator.uint32(0) == locator64Signature else { return nil }
    for place in [locator.uint64(8), endRecord >= 76 ? endRecord - 76 : 0] {
      guard place < endRecord else { continue }
      let record = try file.read(at: place, count: 56)
      if record.count == 56, record.uint32(0) == end64Signature { return (record, place) }
    }
    return nil
  }

  private mutating func parse(
    _ bytes: [UInt8], stated: UInt64, directoryStart: UInt64, shift: UInt64, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) {
    var position = 0
    while bytes.uint32(position) == Self.centralSignature, position + 46 <= bytes.count {
      let nameLength = Int(bytes.uint16(position + 28))
      let extraLength = Int(bytes.uint16(position + 30))
      let commentLength = Int(bytes.uint16(position + 32))
      let nameStart = position + 46
      guard nameStart + nameLength <= bytes.count else { break }
      var entry = Archive.Entry(
        name: "", method: bytes.uint16(position + 10), size: UInt64(bytes.uint32(position + 24)),
        compressedSize: UInt64(bytes.uint32(position + 20)), checksum: bytes.uint32(position + 16),
        headerOffset: UInt64(bytes.uint32(position + 42)), endOffset: directoryStart, nameLength: nameLength)
      let extraEnd = min(nameStart + nameLength + extraLength, bytes.count)
      ArchiveExtra.apply(bytes[nameStart + nameLength..<extraEnd], to: &entry)
      let (place, overflow) = entry.headerOffset.addingReportingOverflow(shift)
      entry.headerOffset = overflow ? UInt64.max : place
      let flags = bytes.uint16(position + 8)
      add(entry, rawName: bytes[nameStart..<nameStart + nameLength], flags: flags)
      if entries.count > Archive.maximumEntries {
        throw .tooManyEntries(path: file.path, count: entries.count)
      }
      position = nameStart + nameLength + extraLength + commentLength
    }
    if UInt64(entries.count) + UInt64(refused) != stated {
      warnings.append("the archive states \(stated) entries and has \(entries.count + refused)")
    }
    settleEnds(limit: directoryStart)
  }

  private var refused = 0

  init() {}

  /// Adds an entry unless its name leads outside.
  mutating func add(_ entry: Archive.Entry, rawName: ArraySlice<UInt8>, flags: UInt16) {
    var entry = entry
    let text = ArchiveExtra.name(rawName, isUTF8: flags & 0x800 != 0)
    guard let name = ContainerPath.entryName(text) else {
      refused += 1
      warnings.append("entry \"\(text)\" leads outside of the archive and is ignored")
      return
    }
    entry.name = name
    if entry.method == 99 {
      entry.encryption = .aes
    } else if flags & 1 != 0 {
      entry.encryption = flags & 0x40 != 0 ? .strong : .traditional
    }
    entries.append(entry)
  }

  /// Gives each entry the start of the structure that follows it in the file.
  mutating func settleEnds(limit: UInt64) {
    let order = entries.indices.sorted { entries[$0].headerOffset < entries[$1].headerOffset }
    var next = limit
    for index in order.reversed() {
      entries[index].endOffset = next
      next = min(next, entries[index].headerOffset)
    }
  }
}
