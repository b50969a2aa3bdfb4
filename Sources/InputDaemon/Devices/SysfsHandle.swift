internal import EventLoop
internal import Glibc

/// Small text attributes of sysfs.
enum Sysfs {
  /// The attribute's text without the line break at its end; nil when it cannot be read.
  static func text(_ path: String) -> String? {
    guard let descriptor = try? FileDescriptor.open(path, flags: O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < 65_536,
      case .bytes(let count)? = try? Descriptor.read(descriptor.rawValue, appendingTo: &bytes),
      count > 0
    {}
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func hexadecimal(_ path: String) -> UInt16 { text(path).flatMap { UInt16($0, radix: 16) } ?? 0 }

  static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  /// The numbers of the bits that are set in a bitmap as sysfs prints it: words of 64 bits, the highest first.
  static func bits(_ path: String) -> [UInt16] { text(path).map(bits(in:)) ?? [] }

  static func bits(in bitmap: String) -> [UInt16] {
    var codes: [UInt16] = []
    let words = bitmap.split(separator: " ")
    guard words.count <= 64 else { return [] }
    for (index, word) in words.reversed().enumerated() {
      guard var bits = UInt64(word, radix: 16) else { return [] }
      while bits != 0 {
        codes.append(UInt16(index * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return codes
  }

  /// The entries of a directory, `.` and `..` left out; empty when there is none.
  static func entries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The charge of the battery of the device at `physical` (its sysfs path), in percent; nil where the kernel tells none.
  static func batteryPercent(of physical: String) -> Int? {
    let folder = physical + "/power_supply"
    for supply in entries(folder) {
      if let percent = number(folder + "/" + supply + "/capacity"), (0...100).contains(percent) { return percent }
    }
    return nil
  }
}
