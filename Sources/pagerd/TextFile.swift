internal import EventLoop
internal import Glibc

/// Whole files, in and out.
enum TextFile {
  /// No recording or profile is larger.
  private static let longest = 64 << 20

  /// Reads a file; `-` is standard input.
  ///
  /// - Throws: open and read; EFBIG above 64 MiB.
  static func bytes(_ path: String) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    if path == "-" {
      // Not ours, so neither closed nor made non-blocking.
      while try more(0, &bytes, "standard input") {}
      return bytes
    }
    let descriptor = try FileDescriptor.open(path, flags: O_RDONLY)
    while try more(descriptor.rawValue, &bytes, path) {}
    return bytes
  }

  private static func more(_ fd: Int32, _ bytes: inout [UInt8], _ path: String) throws(SystemError) -> Bool {
    guard bytes.count <= longest else { throw SystemError(.read, errno: EFBIG, subject: path) }
    do throws(SystemError) {
      switch try Descriptor.read(fd, appendingTo: &bytes, limit: 65_536) {
      case .bytes: return true
      case .closed: return false
      case .wouldBlock:
        var waiting = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 1000)
        return true
      }
    } catch {
      throw SystemError(error.call, errno: error.errno, subject: path)
    }
  }

  /// Writes a file as a whole: whoever reads it sees the old one or the new one.
  static func write(_ text: String, to path: String) throws(SystemError) {
    let scratch = path + ".new"
    let descriptor = try FileDescriptor.open(scratch, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    var text = text
    let count = text.withUTF8 { Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count) }
    guard count == text.utf8.count else {
      let error = count < 0 ? Glibc.errno : ENOSPC
      unlink(scratch)
      throw SystemError(.write, errno: error, subject: path)
    }
    guard rename(scratch, path) == 0 else {
      let error = Glibc.errno
      unlink(scratch)
      throw SystemError(.rename, errno: error, subject: path)
    }
  }
}
