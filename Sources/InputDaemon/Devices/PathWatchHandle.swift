internal import CLinux
internal import EventLoop
internal import Glibc

/// Hears of changes in directories (inotify): udevd's control socket that appears, a node whose mode changes.
struct PathWatch: ~Copyable {
  private let descriptor: FileDescriptor

  init() throws(SystemError) {
    let result = cl_inotify_create()
    guard result >= 0 else {
      throw SystemError(.inotifyCreate, errno: Int32(truncatingIfNeeded: -result), subject: "inotify")
    }
    descriptor = FileDescriptor(owning: Int32(result))
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// Hears of entries that come and go in `directory`. Adding it again is no error.
  ///
  /// - Returns: false when there is no such directory (yet).
  @discardableResult
  func watchEntries(of directory: String) -> Bool { add(directory, IN_CREATE | IN_MOVED_TO | IN_DELETE) }

  /// Hears of changed owners and modes in `directory`.
  @discardableResult
  func watchPermissions(in directory: String) -> Bool { add(directory, IN_ATTRIB) }

  private func add(_ directory: String, _ mask: Int32) -> Bool {
    cl_inotify_add(descriptor.rawValue, directory, UInt32(mask) | UInt32(IN_ONLYDIR)) >= 0
  }

  /// Takes what happened off the queue.
  ///
  /// - Returns: the names of the entries concerned; an overflow of the queue is the empty name.
  func drain() -> [String] {
    var names: [String] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = cl_read(descriptor.rawValue, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let length = Int(event.len)
          guard offset + head + length <= count else { return }
          let name = UnsafeRawBufferPointer(rebasing: buffer[(offset + head)..<(offset + head + length)])
          names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
          offset += head + length
        }
      }
    }
    return names
  }
}
