internal import Glibc

/// Where text goes.
enum Output {
  static func print(_ text: String) { write(1, text + "\n") }
  static func error(_ text: String) { write(2, text + "\n") }

  /// Writes bytes as they are.
  static func raw(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write(1, $0) }
  }

  static func raw(_ text: String) { write(1, text) }

  static func write(_ descriptor: Int32, _ text: String) {
    var text = text
    text.withUTF8 { write(descriptor, UnsafeRawBufferPointer($0)) }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      // A terminal that another program made non-blocking: wait until it takes more.
      if count < 0 && errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, 1000)
        continue
      }
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
