import EventLoop
import Glibc
import ReaderIPC
import Testing

@testable import ReaderClient

/// A pagerd that a test plays by hand, on the client's own loop.
final class FakeServer {
  let path: String
  private var listener: FileDescriptor?
  private(set) var connections: [Int32] = []
  private var inputs: [LineBuffer] = []

  init(path: String? = nil) throws {
    self.path = path ?? "/tmp/pagerd-client-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"
    listener = try UnixSocket.listen(at: self.path, mode: 0o600)
  }

  /// Takes whoever connected since, and greets them.
  @discardableResult
  func accept(greeting: Bool = true) throws -> Int {
    guard let listener = listener?.rawValue else { return 0 }
    var count = 0
    while case .connection(let fd) = try UnixSocket.accept(listener) {
      connections.append(fd)
      inputs.append(LineBuffer())
      count += 1
      if greeting { say(.hello(protocol: 1, server: "pagerd fake")) }
    }
    return count
  }

  func say(_ message: ServerMessage) {
    var line: [UInt8] = []
    message.append(to: &line)
    say(bytes: line)
  }

  func say(bytes: [UInt8]) {
    guard let fd = connections.last else { return }
    _ = try? Descriptor.send(fd, bytes)
  }

  /// What the latest client has said.
  func heard() -> [ClientMessage] {
    guard let fd = connections.last else { return [] }
    var input = inputs[inputs.count - 1]
    while case .bytes? = try? Descriptor.receive(fd, appendingTo: &input.bytes) {}
    var messages: [ClientMessage] = []
    while case .line(let range) = input.next() {
      messages.append((try? ClientMessage(input.bytes, range)) ?? .unknown)
    }
    input.compact()
    inputs[inputs.count - 1] = input
    return messages
  }

  /// Hangs up on the latest client.
  func hangUp() {
    guard let fd = connections.popLast() else { return }
    inputs.removeLast()
    close(fd)
  }

  func stopListening() {
    listener = nil
    unlink(path)
  }

  deinit {
    connections.forEach { close($0) }
    unlink(path)
  }
}
