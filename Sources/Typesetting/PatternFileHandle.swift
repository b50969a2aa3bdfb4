internal import Glibc

/// Reads what is in a folder of hyphenation patterns.
enum PatternFileHandle {
  /// No file of patterns comes near it.
  private static let limit = 16 << 20

  /// The names in a folder, sorted; none when it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// A file of patterns in UTF-8, whatever character set its first line names; nil when it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit
    else { return nil }
    let size = Int(status.st_size)
    var bytes = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + filled, size - filled) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    bytes.removeLast(size - filled)
    let line = bytes.prefix { $0 > 0x20 }
    let name = String(decoding: line, as: UTF8.self)
    switch name {
    case "UTF-8": return bytes
    case "ISO8859-1": return convertedLatin1(bytes)
    default: return converted(bytes, from: name)
    }
  }

  private static func convertedLatin1(_ bytes: [UInt8]) -> [UInt8] {
    let extra = bytes.reduce(0) { $1 >= 0x80 ? $0 + 1 : $0 }
    return [UInt8](unsafeUninitializedCapacity: bytes.count + extra) { buffer, count in
      for byte in bytes {
        if byte < 0x80 {
          buffer[count] = byte
        } else {
          buffer[count] = 0xC0 | byte >> 6
          count += 1
          buffer[count] = 0x80 | byte & 0x3F
        }
        count += 1
      }
    }
  }

  private static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    var charset = name
    if name.hasPrefix("ISO8859-") { charset = "ISO-" + name.dropFirst(3) }
    if name.hasPrefix("microsoft-cp") { charset = "CP" + name.dropFirst(12) }
    let converter = iconv_open("UTF-8", charset)
    guard converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 3 + 16)
    let written = input.withUnsafeMutableBufferPointer { source -> Int? in
      output.withUnsafeMutableBufferPointer { target -> Int? in
        var from = source.baseAddress
        var to = target.baseAddress
        var left = source.count
        var room = target.count
        let result = iconv(converter, &from, &left, &to, &room)
        return result == -1 ? nil : target.count - room
      }
    }
    return written.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
  }
}
