/// Contents that stand in an address itself. Source: RFC 2397.
enum DataAddress {
  /// nil if the address holds no data, or base64 that is none.
  static func bytes(_ address: String) -> [UInt8]? {
    guard let comma = address.utf8.firstIndex(of: 0x2c) else { return nil }
    let content = address[address.index(after: comma)...]
    guard address[..<comma].lowercased().hasSuffix(";base64") else {
      return Array(ContainerPath.decodePercent(String(content)).utf8)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.utf8.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for byte in ContainerPath.decodePercent(String(content)).utf8 {
      let value: UInt32
      switch byte {
      case 0x41...0x5a: value = UInt32(byte - 0x41)
      case 0x61...0x7a: value = UInt32(byte - 0x61) + 26
      case 0x30...0x39: value = UInt32(byte - 0x30) + 52
      case 0x2b, 0x2d: value = 62
      case 0x2f, 0x5f: value = 63
      case 0x3d, 0x20, 0x09...0x0d: continue
      default: return nil
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
