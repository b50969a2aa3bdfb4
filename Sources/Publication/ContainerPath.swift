/// Paths and references inside of a container.
enum ContainerPath {
  /// The name of a ZIP entry made safe: "\" read as "/", no empty, "." or ".." parts; nil if it leads outside.
  static func entryName(_ raw: String) -> String? {
    let hasSlash = raw.utf8.contains(0x2f)
    var parts: [Substring] = []
    for part in raw.split(whereSeparator: { $0 == "/" || !hasSlash && $0 == "\\" }) {
      switch part {
      case ".": continue
      case "..":
        guard parts.popLast() != nil else { return nil }
      default: parts.append(part)
      }
    }
    guard !parts.isEmpty, !raw.utf8.contains(0) else { return nil }
    return parts.joined(separator: "/") + (raw.hasSuffix("/") ? "/" : "")
  }

  /// Where `reference`, found in the entry `base`, leads.
  enum Target: Equatable {
    /// A path from the root of the container, percent-decoded, and the decoded fragment without "#".
    case inside(path: String, fragment: String?)
    /// An absolute URL.
    case outside(String)
  }

  /// Resolves as RFC 3986 does; ".." above the root stays at the root, "/" begins there.
  static func resolve(_ reference: String, from base: String) -> Target {
    let trimmed = trim(reference)
    if let scheme = scheme(of: trimmed) {
      guard scheme == "epub" || scheme == "file" else { return .outside(trimmed) }
      return .outside(trimmed)
    }
    if trimmed.hasPrefix("//") { return .outside(trimmed) }
    let (withoutFragment, rawFragment) = cut(trimmed, at: "#")
    let (path, _) = cut(withoutFragment, at: "?")
    let fragment = rawFragment.map(decodePercent)
    if path.isEmpty { return .inside(path: base, fragment: fragment) }
    // Parts of the base are names already; only what the reference adds is percent-encoded.
    var parts: [String] = path.hasPrefix("/") ? [] : base.split(separator: "/").dropLast().map(String.init)
    for piece in path.split(separator: "/") {
      let decoded = decodePercent(String(piece))
      switch decoded {
      case ".": continue
      case "..": _ = parts.popLast()
      // An encoded slash is part of a name, and no name in an archive has one.
      default: parts.append(decoded.utf8.contains(0x2f) ? String(piece) : decoded)
      }
    }
    return .inside(path: parts.joined(separator: "/"), fragment: fragment)
  }

  /// The lower-case scheme of an absolute URL; one letter is a drive, not a scheme.
  static func scheme(of reference: String) -> String? {
    guard let colon = reference.utf8.firstIndex(of: 0x3a) else { return nil }
    let scheme = reference[..<colon].lowercased()
    guard scheme.utf8.count > 1, let first = scheme.utf8.first, (0x61...0x7a).contains(first) else { return nil }
    let isScheme = scheme.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e
    }
    return isScheme ? scheme : nil
  }

  /// Decodes %XX where it is well-formed and gives UTF-8; otherwise the text as it is.
  static func decodePercent(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]),
        let low = hexDigit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(validating: decoded, as: UTF8.self) ?? text
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  static func cut(_ text: String, at separator: Character) -> (String, String?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }

  static func trim(_ text: String) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
      let last = text.utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }
}
