internal import CLinux
internal import EventLoop
internal import Glibc

/// A running worker and the socket to it; it ends with its owner.
struct WorkerProcess: ~Copyable {
  let socket: FileDescriptor
  private let process: Int32

  /// - Throws: `noWorker` with the path and the reason.
  init(path: String) throws(ImageError) {
    var ends: [Int32] = [-1, -1]
    let result = ends.withUnsafeMutableBufferPointer { cl_socketpair(Int32(SOCK_STREAM.rawValue), $0.baseAddress) }
    guard result >= 0 else { throw .noWorker(SystemError.text(of: Int32(-result))) }
    let socket = FileDescriptor(owning: ends[0])
    let workersEnd = FileDescriptor(owning: ends[1])
    let process = cl_spawn_worker(path, workersEnd.rawValue)
    guard process > 0 else { throw .noWorker("\(path): \(SystemError.text(of: Int32(-process)))") }
    self.socket = socket
    self.process = Int32(process)
  }

  deinit { cl_end_worker(process) }
}
