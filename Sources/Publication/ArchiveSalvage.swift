extension ArchiveDirectory {
  /// The entries that can still be found by their local headers when the directory is gone; nil if there are none.
  ///
  /// Reads the file once in pieces. An entry whose size only follows its data is measured by inflating it.
  static func salvage(_ file: borrowing ArchiveFileHandle) throws(PublicationError) -> ArchiveDirectory? {
    var directory = ArchiveDirectory()
    var position: UInt64 = 0
    while let header = try nextHeader(from: position, in: file) {
      let record = try file.read(at: header, count: 30 + 65_535 * 2)
      guard let entry = try localEntry(record, at: header, in: file) else {
        position = header + 4
        continue
      }
      let name = record[30..<min(30 + entry.nameLength, record.count)]
      directory.add(entry, rawName: name, flags: record.uint16(6))
      if directory.entries.count > Archive.maximumEntries {
        throw .tooManyEntries(path: file.path, count: directory.entries.count)
      }
      position = max(header + 4, entry.endOffset)
    }
    guard !directory.entries.isEmpty else { return nil }
    directory.warnings.append(
      "the archive's directory is missing (cut off?); \(directory.entries.count) entries were found without it")
    return directory
  }

  /// The place of the next local header's signature.
  private static func nextHeader(
    from start: UInt64, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) -> UInt64? {
    var position = start
    while position < file.size {
      let piece = try file.read(at: position, count: 65_536 + 3)
      guard piece.count >= 4 else { return nil }
      for index in 0...(piece.count - 4) where piece[index] == 0x50 && piece.uint32(index) == localSignature {
        return position + UInt64(index)
      }
      position += UInt64(piece.count - 3)
    }
    return nil
  }

  private static func localEntry(
    _ record: [UInt8], at header: UInt64, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) -> Archive.Entry? {
    let nameLength = Int(record.uint16(26))
    let extraLength = Int(record.uint16(28))
    let method = record.uint16(8)
    guard nameLength > 0, record.count >= 30 + nameLength, method == 0 || method == 8 || method > 8 else { return nil }
    var entry = Archive.Entry(
      name: "", method: method, size: UInt64(record.uint32(22)), compressedSize: UInt64(record.uint32(18)),
      checksum: record.uint32(14), headerOffset: header, endOffset: file.size, nameLength: nameLength)
    let extraEnd = min(30 + nameLength + extraLength, record.count)
    ArchiveExtra.apply(record[30 + nameLength..<extraEnd], to: &entry)
    let start = header + UInt64(30 + nameLength + extraLength)
    guard start <= file.size else { return nil }
    if record.uint16(6) & 8 != 0, method == 8, entry.compressedSize == 0 {
      let measured = try measure(from: start, in: file)
      entry.compressedSize = measured.compressed
      entry.size = measured.size
      entry.checksum = measured.checksum
    } else if record.uint16(6) & 8 != 0, entry.compressedSize == 0 {
      return nil
    }
    let (end, overflow) = start.addingReportingOverflow(entry.compressedSize)
    entry.endOffset = overflow ? file.size : min(end, file.size)
    return entry
  }

  /// Inflates without keeping anything, to learn the sizes and the checksum of a stream that does not state them.
  ///
  /// - Parameter count: the most compressed bytes to read.
  static func measure(
    from start: UInt64, count: UInt64 = .max, in file: borrowing ArchiveFileHandle
  ) throws(PublicationError) -> (compressed: UInt64, size: UInt64, checksum: UInt32) {
    let stream = InflateHandle()
    var output = [UInt8](repeating: 0, count: 65_536)
    var position = start
    var size: UInt64 = 0
    var sum: UInt32 = 0
    while true {
      let left = count - (position - start)
      let piece = try file.read(at: position, count: Int(min(left, 65_536)))
      if piece.isEmpty { return (position - start, size, sum) }
      var consumed = 0
      var outcome = InflateHandle.Outcome.full
      while outcome == .full {
        var produced = 0
        outcome = piece.withUnsafeBytes { input in
          output.withUnsafeMutableBytes {
            stream.inflate(input, consumed: &consumed, into: $0, produced: &produced)
          }
        }
        size += UInt64(produced)
        sum = output.withUnsafeBytes {
          Publication.checksum(UnsafeRawBufferPointer(rebasing: $0[..<produced]), seed: sum)
        }
      }
      position += UInt64(consumed)
      if outcome != .wantsInput { return (position - start, size, sum) }
    }
  }
}
