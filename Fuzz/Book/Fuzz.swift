import Glibc
import Publication

/// A book of hostile bytes, opened and read to its end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  // A file without a name: books are opened by path, and nothing stays behind.
  let descriptor = memfd_create("book.epub", UInt32(MFD_CLOEXEC))
  guard descriptor >= 0, let data, write(descriptor, data, size) == size else { return 0 }
  defer { close(descriptor) }
  guard let book = try? Book(path: "/proc/self/fd/\(descriptor)") else { return 0 }
  for index in book.spine.indices.prefix(20) { _ = try? book.document(at: index) }
  if let cover = book.coverHref { _ = try? book.resource(cover) }
  for entry in book.toc {
    if let index = entry.spineIndex { precondition(book.spine.indices.contains(index), "contents lead nowhere") }
  }
  return 0
}
