import Glibc
import Publication

/// The files that say what a book is (package, navigation document, NCX), all of the same hostile bytes,
/// in a ZIP that is in order: so the fuzzer's inventions get past the archive.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var archive = StoredArchive()
  archive.add("mimetype", Array("application/epub+zip".utf8))
  let root = #"<rootfile full-path="p.opf" media-type="application/oebps-package+xml"/>"#
  archive.add(
    "META-INF/container.xml",
    Array(
      "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\(root)</rootfiles></container>"
        .utf8))
  for name in ["p.opf", "nav.xhtml", "toc.ncx", "a.xhtml", "s.css"] { archive.add(name, bytes) }

  var name = Array("/dev/shm/fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  guard descriptor >= 0 else { return 0 }
  defer { close(descriptor) }
  unlink(name)
  let whole = archive.finished()
  guard write(descriptor, whole, whole.count) == whole.count else { return 0 }
  guard let book = try? Book(path: "/proc/self/fd/\(descriptor)") else { return 0 }
  for index in book.spine.indices.prefix(5) { _ = try? book.document(at: index) }
  return 0
}

/// A ZIP of stored entries.
private struct StoredArchive {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  mutating func add(_ name: String, _ content: [UInt8]) {
    let offset = bytes.count
    let middle =
      [0, 0, 0, 0, 0, 0, 0, 0].map { UInt8($0) } + little(checksum(content), 4) + little(UInt32(content.count), 4)
      + little(UInt32(content.count), 4) + little(UInt32(name.utf8.count), 2) + [0, 0]
    bytes += [0x50, 0x4B, 3, 4, 10, 0] + middle + Array(name.utf8) + content
    directory +=
      [0x50, 0x4B, 1, 2, 10, 0, 10, 0] + middle + [UInt8](repeating: 0, count: 10) + little(UInt32(offset), 4)
      + Array(name.utf8)
    count += 1
  }

  func finished() -> [UInt8] {
    bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(UInt32(count), 2) + little(UInt32(count), 2)
      + little(UInt32(directory.count), 4) + little(UInt32(bytes.count), 4) + [0, 0]
  }

  private func little(_ value: UInt32, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  private func checksum(_ content: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
