/// Finds entries by name, exactly first, then by the spellings that packing tools confuse.
struct ArchiveNames: Sendable {
  private var exact: [[UInt8]: Int] = [:]
  /// Swift's strings are equal when they are canonically equivalent, which is what NFC and NFD names need.
  private var equivalent: [String: Int] = [:]
  private var folded: [String: Int] = [:]
  private static let ambiguous = -1

  init(_ entries: [Archive.Entry]) {
    for (index, entry) in entries.enumerated() {
      // Of two entries of one name the last was added last: it replaces the first.
      exact[Array(entry.name.utf8)] = index
    }
    for index in exact.values {
      let name = entries[index].name
      Self.note(name, index, in: &equivalent)
      Self.note(Self.fold(name), index, in: &folded)
    }
  }

  func index(of name: String) -> Int? {
    if let index = exact[Array(name.utf8)] { return index }
    for spelling in [name, ContainerPath.decodePercent(name)] {
      if let index = exact[Array(spelling.utf8)] { return index }
      if let index = equivalent[spelling] { return index == Self.ambiguous ? nil : index }
    }
    if let index = folded[Self.fold(name)] { return index == Self.ambiguous ? nil : index }
    // "..\a\b" and "..%2Fa": steps that were no steps when the reference was resolved.
    let steps = ContainerPath.decodePercent(name).replacing("\\", with: "/")
    guard steps != name, let path = ContainerPath.entryName(steps), path != name else { return nil }
    guard let index = folded[Self.fold(path)], index != Self.ambiguous else { return nil }
    return index
  }

  private static func note(_ name: String, _ index: Int, in table: inout [String: Int]) {
    table[name] = table[name] == nil ? index : ambiguous
  }

  private static func fold(_ name: String) -> String {
    ContainerPath.decodePercent(name).lowercased()
  }
}
