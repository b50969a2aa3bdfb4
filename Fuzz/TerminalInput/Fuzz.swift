import Terminal

/// What a terminal, or whoever pastes into it, may send; whole and byte by byte it means the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var whole = InputDecoder()
  var wholeEvents: [TerminalEvent] = []
  whole.feed(bytes, at: 0, into: &wholeEvents)
  var slow = InputDecoder()
  var slowEvents: [TerminalEvent] = []
  for byte in bytes { slow.feed(CollectionOfOne(byte), at: 0, into: &slowEvents) }
  whole.advance(to: 1 << 40, into: &wholeEvents)
  slow.advance(to: 1 << 40, into: &slowEvents)
  precondition(wholeEvents == slowEvents, "the same bytes in other pieces mean something else")
  return 0
}
