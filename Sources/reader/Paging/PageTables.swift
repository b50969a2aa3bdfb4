internal import EventLoop
internal import Typesetting

/// Page counts kept from one time to the next, by book, window and settings. They may vanish at any time.
///
/// A file is one line a document, `pages length`, then one an entry of the contents, `offset page`; `-` where unknown.
struct PageTables {
  private static let header = "pagerd pages 1"
  private let folder: String?
  private let identity: String
  private var saved: Set<String> = []
  /// For which window and settings the counts were saved last: asked for at every turn.
  private var last: (geometry: Geometry, settings: TypesettingSettings)?

  init(identity: String) {
    self.identity = identity
    if let cache = Environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
      folder = cache + "/pagerd/pages"
    } else if let home = Environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.cache/pagerd/pages"
    } else {
      folder = nil
    }
  }

  private func path(for pager: Pager) -> String? {
    guard identity.allSatisfy({ $0.isHexDigit }), let folder else { return nil }
    // What the layout depends on, and the program that made it.
    let key = "\(Usage.version) \(pager.geometry) \(pager.settings)"
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return "\(folder)/\(identity.prefix(32))-\(String(hash, radix: 16))"
  }

  func load(for pager: Pager) -> BookMap? {
    guard let path = path(for: pager), let text = read(path) else { return nil }
    var map = BookMap(outline: pager.outline)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == Self.header[...] else { return nil }
    func pair() -> (Int, Int)?? {
      guard let line = lines.popFirst() else { return nil }
      if line == "-" { return .some(nil) }
      let parts = line.split(separator: " ")
      guard parts.count == 2, let first = Int(parts[0]), let second = Int(parts[1]),
        (0...1 << 30).contains(first), (0...1 << 30).contains(second)
      else { return nil }
      return (first, second)
    }
    var chapters: [BookMap.Chapter?] = []
    for _ in pager.outline.spine {
      guard let pair = pair() else { return nil }
      chapters.append(pair.map { BookMap.Chapter(pages: $0.0, length: $0.1) })
    }
    var entries: [BookMap.EntryPlace?] = []
    for _ in pager.outline.contents {
      guard let pair = pair() else { return nil }
      entries.append(pair.map { BookMap.EntryPlace(offset: $0.0, page: $0.1) })
    }
    guard lines.first == "end", map.restore(chapters: chapters, entries: entries) else { return nil }
    return map
  }

  private func read(_ path: String) -> String? {
    do throws(ReaderError) {
      return try UserFile.read(path)
    } catch {
      return nil
    }
  }

  /// Keeps the counts of a whole book. What cannot be written is counted again next time.
  mutating func save(_ map: BookMap, for pager: Pager) {
    guard map.isComplete else { return }
    if let last, last == (pager.geometry, pager.settings) { return }
    last = (pager.geometry, pager.settings)
    guard let path = path(for: pager), saved.insert(path).inserted else { return }
    var lines = [Self.header]
    lines += map.chapters.map { $0.map { "\($0.pages) \($0.length)" } ?? "-" }
    lines += map.entries.map { $0.map { "\($0.offset) \($0.page)" } ?? "-" }
    lines.append("end\n")
    do throws(ReaderError) {
      try UserFile.write(lines.joined(separator: "\n"), to: path)
    } catch {
      saved.remove(path)
    }
  }
}
