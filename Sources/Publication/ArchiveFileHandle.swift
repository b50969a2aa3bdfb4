import Glibc

/// An open book file, read by position; closed when the value ends.
///
/// Reading by position instead of mapping the file means that a file cut off while it is open is a short read and
/// no signal, and that several threads may read at once.
struct ArchiveFileHandle: ~Copyable, Sendable {
  private let descriptor: Int32
  let path: String
  /// Bytes, at the time of opening.
  let size: UInt64

  /// - Throws: `.system` when the path cannot be opened, or is no regular file (EISDIR, EINVAL).
  init(path: String) throws(PublicationError) {
    var result: Int32
    repeat {
      result = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    } while result < 0 && errno == EINTR
    guard result >= 0 else { throw .system(call: "open", path: path, errno: errno) }
    var status = stat()
    guard fstat(result, &status) == 0 else {
      let code = errno
      close(result)
      throw .system(call: "fstat", path: path, errno: code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      close(result)
      throw .system(call: "open", path: path, errno: isFolder ? EISDIR : EINVAL)
    }
    descriptor = result
    self.path = path
    size = UInt64(max(0, status.st_size))
  }

  deinit {
    close(descriptor)
  }

  /// Up to `count` bytes from `offset` on; fewer only where the file ends.
  func read(at offset: UInt64, count: Int) throws(PublicationError) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    let wanted = Int(min(UInt64(count), size - offset))
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let got = pread(descriptor, buffer.baseAddress! + filled, wanted - filled, off_t(offset) + off_t(filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    guard failure == 0 else { throw .system(call: "read", path: path, errno: failure) }
    return bytes
  }
}

/// The system's words for an errno.
func errorText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
