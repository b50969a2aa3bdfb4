extension Array where Element == UInt8 {
  /// Little-endian reads that answer 0 outside the array, so that cut records read as empty ones.
  func uint16(_ index: Int) -> UInt16 {
    guard index >= 0, index + 2 <= count else { return 0 }
    return UInt16(self[index]) | UInt16(self[index + 1]) << 8
  }

  func uint32(_ index: Int) -> UInt32 {
    guard index >= 0, index + 4 <= count else { return 0 }
    return UInt32(uint16(index)) | UInt32(uint16(index + 2)) << 16
  }

  func uint64(_ index: Int) -> UInt64 {
    guard index >= 0, index + 8 <= count else { return 0 }
    return UInt64(uint32(index)) | UInt64(uint32(index + 4)) << 32
  }

  /// The last place of the four bytes of `signature` that begins before `end`.
  func lastSignature(_ signature: UInt32, before end: Int) -> Int? {
    var index = Swift.min(end - 1, count - 4)
    while index >= 0 {
      if self[index] == 0x50, uint32(index) == signature { return index }
      index -= 1
    }
    return nil
  }
}
