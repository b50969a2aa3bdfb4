import ReaderIPC

/// What a client, or a daemon, may send: each line is a message or an error, and a message survives being written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var buffer = LineBuffer()
  buffer.bytes += UnsafeBufferPointer(start: data, count: size)
  while case .line(let range) = buffer.next() {
    if let message = try? ClientMessage(buffer.bytes, range), message != .unknown {
      var written: [UInt8] = []
      message.append(to: &written)
      precondition(written.last == UInt8(ascii: "\n"), "a message is a line")
      let again = try? ClientMessage(written, 0..<(written.count - 1))
      precondition(again == message, "a message changed on its way")
    }
    if let message = try? ServerMessage(buffer.bytes, range), message != .unknown {
      var written: [UInt8] = []
      message.append(to: &written)
      precondition(written.count <= Wire.maximumLine, "a line too long for the wire")
      precondition((try? ServerMessage(written, 0..<(written.count - 1))) != nil, "an own message is not understood")
    }
  }
  return 0
}
