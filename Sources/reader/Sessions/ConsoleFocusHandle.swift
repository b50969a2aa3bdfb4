internal import CLinux
internal import EventLoop
internal import Glibc

/// Focus on a Linux console, which reports none: whether its virtual terminal is the one that is seen.
final class ConsoleFocus {
  private static let source = "/sys/class/tty/tty0/active"
  private let loop: EventLoop
  private let descriptor: Int32
  private let terminal: String
  private var registration: EventLoop.Registration?

  /// nil when standard input is no virtual terminal, or the kernel does not say which one is active.
  init?(loop: EventLoop) {
    guard let name = ttyname(STDIN_FILENO) else { return nil }
    let path = String(cString: name)
    let prefix = "/dev/tty"
    guard path.hasPrefix(prefix), let number = Int(path.dropFirst(prefix.count)), number > 0 else { return nil }
    let opened = cl_open(Self.source, O_RDONLY, 0)
    guard opened >= 0 else { return nil }
    self.loop = loop
    descriptor = Int32(opened)
    terminal = "tty\(number)"
  }

  deinit {
    if let registration { loop.remove(registration) }
    _ = cl_close(descriptor)
  }

  var isActive: Bool {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return text.split(separator: "\n").first.map(String.init) == terminal
  }

  /// Calls `handler` at every switch of the console.
  func watch(_ handler: @escaping (Bool) -> Void) throws(SystemError) {
    _ = isActive
    registration = try loop.add(descriptor, .priority) { [weak self] _ in
      if let self { handler(self.isActive) }
    }
  }
}
