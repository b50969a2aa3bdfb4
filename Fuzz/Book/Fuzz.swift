import Glibc
import Publication

/// A book of hostile bytes, opened and read to its end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  // A file in memory that has lost its name: books are opened by path, and nothing stays behind.
  var name = Array("/dev/shm/fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  guard descriptor >= 0 else { return 0 }
  defer { close(descriptor) }
  unlink(name)
  guard let data, write(descriptor, data, size) == size else { return 0 }
  guard let book = try? Book(path: "/proc/self/fd/\(descriptor)") else { return 0 }
  for index in book.spine.indices.prefix(20) { _ = try? book.document(at: index) }
  if let cover = book.coverHref { _ = try? book.resource(cover) }
  for entry in book.toc {
    if let index = entry.spineIndex { precondition(book.spine.indices.contains(index), "contents lead nowhere") }
  }
  return 0
}
