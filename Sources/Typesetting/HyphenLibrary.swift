internal import Synchronization

/// The patterns of the languages that are installed, each read when a word of it is first to be divided.
final class HyphenLibrary: Sendable {
  static let shared = HyphenLibrary(folder: "/usr/share/hyphen")

  private struct Shelf {
    var names: [String]?
    /// By language tag as asked for; nil in it: there are none.
    var patterns: [String: HyphenPatterns?] = [:]
    /// By file, since several tags may lead to one.
    var files: [String: HyphenPatterns] = [:]
  }

  private let folder: String
  private let shelf = Mutex(Shelf())

  init(folder: String) {
    self.folder = folder
  }

  /// - Parameter language: a BCP 47 tag: "en", "de-AT", "sr-Latn-RS".
  /// - Returns: nil when no patterns of that language are installed. The first call for a language reads its file.
  func patterns(for language: String) -> HyphenPatterns? {
    shelf.withLock { shelf in
      if let known = shelf.patterns[language] { return known }
      let names = shelf.names ?? PatternFileHandle.names(in: folder)
      shelf.names = names
      var found: HyphenPatterns?
      if let name = Self.file(for: language, among: names) {
        found = shelf.files[name] ?? PatternFileHandle.read(folder + "/" + name).map { HyphenPatterns($0) }
        shelf.files[name] = found
      }
      shelf.patterns[language] = .some(found)
      return found
    }
  }

  /// The exact tag, then ever less of it, then the language's home or whatever else there is of it.
  static func file(for language: String, among names: [String]) -> String? {
    var parts = language.split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let code = parts.first?.lowercased(), code.utf8.count >= 2, code.utf8.count <= 3 else { return nil }
    parts[0] = code
    for index in parts.indices.dropFirst() {
      switch parts[index].utf8.count {
      case 2: parts[index] = parts[index].uppercased()
      case 4: parts[index] = parts[index].prefix(1).uppercased() + parts[index].dropFirst().lowercased()
      default: break
      }
    }
    let sorted = Set(names)
    while !parts.isEmpty {
      let name = "hyph_" + parts.joined(separator: "_") + ".dic"
      if sorted.contains(name) { return name }
      parts.removeLast()
    }
    let home = code == "en" ? "hyph_en_US.dic" : "hyph_\(code)_\(code.uppercased()).dic"
    if sorted.contains(home) { return home }
    return names.first { $0.hasPrefix("hyph_\(code)_") && $0.hasSuffix(".dic") }
  }
}
