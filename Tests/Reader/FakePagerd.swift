import Glibc
import Testing

/// The other end of the wire, driven by a test: one client at a time.
final class FakePagerd {
  private let listener: Int32
  private var connection: Int32 = -1
  private var input: [UInt8] = []
  private var seq = 0

  init(folder: TestFolder) throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path + "/pagerd.sock"
    unlink(path)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 4) == 0)
  }

  deinit {
    close(listener)
    drop()
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 30_000) == 1
  }

  /// Waits for a client and greets it.
  func accept() throws {
    drop()
    try #require(isReadable(listener), "nobody connects")
    connection = Glibc.accept(listener, nil, nil)
    try #require(connection >= 0)
    send(#"{"type":"hello","protocol":1,"server":"pagerd test"}"#)
  }

  func drop() {
    if connection >= 0 { close(connection) }
    connection = -1
    input.removeAll()
  }

  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    #expect(Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  func send(command: String, age: UInt64 = 0) {
    seq += 1
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000 - age
    send(
      #"{"type":"command","command":"\#(command)","device":"AB Shutter3","gesture":"tap","seq":\#(seq),"time_us":\#(now)}"#
    )
  }

  /// Waits for a line that holds all of these.
  @discardableResult
  func expect(_ parts: String...) throws -> String {
    while true {
      while let end = input.firstIndex(of: 0x0A) {
        let line = String(decoding: input[..<end], as: UTF8.self)
        input.removeFirst(end + 1)
        if parts.allSatisfy({ line.contains($0) }) { return line }
      }
      try #require(isReadable(connection), "no line with \(parts)")
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &buffer, buffer.count, 0)
      try #require(count > 0, "the client left before a line with \(parts)")
      input += buffer.prefix(count)
    }
  }
}
