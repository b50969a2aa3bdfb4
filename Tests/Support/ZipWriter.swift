import Glibc

/// Writes ZIP archives, sound ones and ones with a fault of the caller's choice.
public struct ZipWriter: Sendable {
  public struct Entry: Sendable {
    public var name: [UInt8]
    public var content: [UInt8]
    /// Deflate by stored blocks (method 8) instead of plain storing.
    public var isDeflated = false
    /// What the headers claim; nil: the truth.
    public var method: UInt16?
    public var flags: UInt16 = 0
    public var checksum: UInt32?
    public var size: UInt32?
    /// Sizes follow the data; the local header has zeros.
    public var usesDescriptor = false
    /// Sizes and offset stand in a ZIP64 field.
    public var isWide = false
    public var localSignature: UInt32 = 0x0403_4b50
    public var localNameLength: UInt16?

    public init(_ name: String, _ content: [UInt8]) {
      self.name = Array(name.utf8)
      self.content = content
    }

    public init(_ name: String, _ content: String) { self.init(name, Array(content.utf8)) }
  }

  public var entries: [Entry] = []
  public var prefix: [UInt8] = []
  public var suffix: [UInt8] = []
  /// The end record's comment length, whatever follows it.
  public var commentLength: UInt16 = 0
  public var hasDirectory = true
  public var statedCount: UInt16?
  /// Where the end record says that the directory begins; nil: the truth.
  public var statedOffset: UInt32?
  public var isWide = false

  public init(_ entries: [Entry] = []) { self.entries = entries }

  public func bytes() -> [UInt8] {
    var output = prefix
    var central: [UInt8] = []
    for entry in entries {
      let data = entry.isDeflated ? Self.deflateStored(entry.content) : entry.content
      let offset = UInt32(output.count - prefix.count)
      let checksum = entry.checksum ?? Self.crc32(entry.content)
      let method = entry.method ?? (entry.isDeflated ? 8 : 0)
      let flags = entry.flags | (entry.usesDescriptor ? 8 : 0)
      let size = entry.size ?? UInt32(entry.content.count)
      let hidden = entry.usesDescriptor
      output += Self.le32(entry.localSignature) + Self.le16(20) + Self.le16(flags) + Self.le16(method) + Self.le32(0)
      output += Self.le32(hidden ? 0 : checksum) + Self.le32(hidden ? 0 : UInt32(data.count))
      output +=
        Self.le32(hidden ? 0 : size) + Self.le16(entry.localNameLength ?? UInt16(entry.name.count)) + Self.le16(0)
      output += entry.name + data
      if hidden {
        output += Self.le32(0x0807_4b50) + Self.le32(checksum) + Self.le32(UInt32(data.count)) + Self.le32(size)
      }
      let extra =
        entry.isWide
        ? Self.le16(1) + Self.le16(24) + Self.le64(UInt64(size)) + Self.le64(UInt64(data.count))
          + Self.le64(UInt64(offset))
        : []
      central += Self.le32(0x0201_4b50) + Self.le16(20) + Self.le16(20) + Self.le16(flags) + Self.le16(method)
      central += Self.le32(0) + Self.le32(checksum) + Self.le32(entry.isWide ? UInt32.max : UInt32(data.count))
      central += Self.le32(entry.isWide ? UInt32.max : size) + Self.le16(UInt16(entry.name.count))
      central += Self.le16(UInt16(extra.count)) + Self.le16(0) + Self.le16(0) + Self.le16(0) + Self.le32(0)
      central += Self.le32(entry.isWide ? UInt32.max : offset) + entry.name + extra
    }
    guard hasDirectory else { return output + suffix }
    let directory = UInt32(output.count - prefix.count)
    output += central
    if isWide {
      let place = UInt64(output.count - prefix.count)
      output += Self.le32(0x0606_4b50) + Self.le64(44) + Self.le16(45) + Self.le16(45) + Self.le32(0) + Self.le32(0)
      output += Self.le64(UInt64(entries.count)) + Self.le64(UInt64(entries.count)) + Self.le64(UInt64(central.count))
      output += Self.le64(UInt64(directory))
      output += Self.le32(0x0706_4b50) + Self.le32(0) + Self.le64(place) + Self.le32(1)
    }
    let count = isWide ? UInt16.max : statedCount ?? UInt16(truncatingIfNeeded: entries.count)
    output += Self.le32(0x0605_4b50) + Self.le16(0) + Self.le16(0) + Self.le16(count) + Self.le16(count)
    output +=
      Self.le32(isWide ? UInt32.max : UInt32(central.count))
      + Self.le32(isWide ? UInt32.max : statedOffset ?? directory)
    output += Self.le16(commentLength)
    return output + suffix
  }

  private static func le16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private static func le32(_ value: UInt32) -> [UInt8] {
    le16(UInt16(value & 0xffff)) + le16(UInt16(value >> 16))
  }
  private static func le64(_ value: UInt64) -> [UInt8] {
    le32(UInt32(value & 0xffff_ffff)) + le32(UInt32(value >> 32))
  }

  /// A deflate stream of stored blocks.
  public static func deflateStored(_ content: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = content[...]
    repeat {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      output += [rest.isEmpty ? 1 : 0] + le16(UInt16(piece.count)) + le16(~UInt16(piece.count)) + piece
    } while !rest.isEmpty
    return output
  }

  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

/// A file in the temporary folder, gone when the value is.
public final class TemporaryFile: Sendable {
  public let path: String

  public init(_ bytes: [UInt8], ending: String = ".epub") {
    var template = Array("/tmp/pagerd-test-XXXXXX\(ending)".utf8CString)
    let descriptor = mkstemps(&template, Int32(ending.utf8.count))
    precondition(descriptor >= 0, "no temporary file: errno \(errno)")
    var written = 0
    bytes.withUnsafeBytes { buffer in
      while written < buffer.count {
        let count = write(descriptor, buffer.baseAddress! + written, buffer.count - written)
        precondition(count > 0, "a temporary file cannot be written: errno \(errno)")
        written += count
      }
    }
    close(descriptor)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { unlink(path) }
}

/// A small EPUB book made of parts.
public struct EpubWriter: Sendable {
  /// Manifest items in spine order: path below OEBPS/ -> content.
  public var chapters: [(path: String, content: String)]
  /// Further files: full path -> content.
  public var files: [(path: String, content: [UInt8])] = []
  public var metadata = "<dc:title>Test</dc:title><dc:language>en</dc:language>"
  /// Further manifest items, as XML.
  public var manifest = ""
  /// The whole spine element; nil: all chapters in order.
  public var spine: String?
  /// The whole package document; nil: made from the above.
  public var package: String?
  public var container: String? =
    "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" version=\"1.0\"><rootfiles>"
    + "<rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>"
  public var after = ""

  public init(_ chapters: [(path: String, content: String)]) { self.chapters = chapters }

  /// A book of one chapter with that body.
  public init(body: String) {
    self.init([("c.xhtml", Self.page(body))])
  }

  public static func page(_ body: String, head: String = "<title>t</title>", root: String = "") -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><html xmlns=\"http://www.w3.org/1999/xhtml\" "
      + "xmlns:epub=\"http://www.idpf.org/2007/ops\" \(root)><head>\(head)</head><body>\(body)</body></html>"
  }

  public func writer() -> ZipWriter {
    var entries = [ZipWriter.Entry("mimetype", "application/epub+zip")]
    if let container { entries.append(ZipWriter.Entry("META-INF/container.xml", container)) }
    entries.append(ZipWriter.Entry("OEBPS/content.opf", package ?? opf()))
    for chapter in chapters { entries.append(ZipWriter.Entry("OEBPS/" + chapter.path, chapter.content)) }
    for file in files { entries.append(ZipWriter.Entry(file.path, file.content)) }
    return ZipWriter(entries)
  }

  public func file() -> TemporaryFile { TemporaryFile(writer().bytes()) }

  private func opf() -> String {
    let items = chapters.enumerated().map {
      "<item id=\"c\($0.offset)\" href=\"\($0.element.path)\" media-type=\"application/xhtml+xml\"/>"
    }
    let references = chapters.indices.map { "<itemref idref=\"c\($0)\"/>" }
    return "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" "
      + "unique-identifier=\"u\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\(metadata)</metadata>"
      + "<manifest>\(items.joined())\(manifest)</manifest>"
      + (spine ?? "<spine>\(references.joined())</spine>") + after + "</package>"
  }
}
