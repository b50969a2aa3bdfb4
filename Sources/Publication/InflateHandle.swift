internal import CZlib

/// One raw deflate stream being inflated; freed when the value ends.
///
/// Source: zlib.h, inflateInit2, inflate, inflateEnd, crc32.
struct InflateHandle: ~Copyable {
  /// What a call to `inflate` ended with.
  enum Outcome {
    /// All input is consumed; more is wanted.
    case wantsInput
    /// The output buffer is full.
    case full
    /// The stream has ended.
    case end
    /// The stream is invalid.
    case damaged
  }

  // The stream's internal state points back at it, so it must not move: it lives on the heap.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Inflates `input` from `consumed` on into `output`; both counts are advanced.
  func inflate(
    _ input: UnsafeRawBufferPointer, consumed: inout Int, into output: UnsafeMutableRawBufferPointer,
    produced: inout Int
  ) -> Outcome {
    guard isReady else { return .damaged }
    let inputCount = min(input.count - consumed, Int(UInt32.max))
    let outputCount = min(output.count - produced, Int(UInt32.max))
    guard outputCount > 0 else { return .full }
    var none: UInt8 = 0
    let status = withUnsafeMutablePointer(to: &none) { spare in
      let source = input.baseAddress.map { $0 + consumed }?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.next_in = source.map { UnsafeMutablePointer(mutating: $0) } ?? spare
      stream.pointee.avail_in = UInt32(inputCount)
      stream.pointee.next_out = (output.baseAddress! + produced).assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(outputCount)
      return CZlib.inflate(stream, Z_NO_FLUSH)
    }
    consumed += inputCount - Int(stream.pointee.avail_in)
    produced += outputCount - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: return .end
    case Z_OK, Z_BUF_ERROR: return stream.pointee.avail_out == 0 ? .full : .wantsInput
    default: return .damaged
    }
  }
}

/// The CRC-32 of ZIP over `bytes`, continued from `seed`.
func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
  guard let base = bytes.baseAddress, bytes.count > 0 else { return seed }
  return UInt32(truncatingIfNeeded: crc32_z(UInt(seed), base.assumingMemoryBound(to: UInt8.self), bytes.count))
}
