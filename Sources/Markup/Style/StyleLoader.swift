internal import Synchronization

/// Keeps style sheets and the indices made of them from chapter to chapter of one book. Safe from several threads.
public final class StyleCache: Sendable {
  private struct Contents {
    var sheets: [String: StyleSheet] = [:]
    var indices: [String: StyleIndex] = [:]
  }

  private static let maximumSheets = 64
  private static let maximumIndices = 16

  private let contents = Mutex(Contents())

  public init() {}

  func sheet(_ address: String) -> StyleSheet? { contents.withLock { $0.sheets[address] } }

  func keep(_ sheet: StyleSheet, as address: String) {
    contents.withLock { contents in
      if contents.sheets.count >= Self.maximumSheets { contents.sheets.removeAll() }
      contents.sheets[address] = sheet
    }
  }

  func index(_ key: String) -> StyleIndex? { contents.withLock { $0.indices[key] } }

  func keep(_ index: StyleIndex, as key: String) {
    contents.withLock { contents in
      if contents.indices.count >= Self.maximumIndices { contents.indices.removeAll() }
      contents.indices[key] = index
    }
  }
}

/// Finds the style sheets of a document and loads them, within limits.
struct StyleLoader {
  private let tree: MarkupTree
  private let resources: DocumentReader.Resources
  private var sheets: [StyleSheet] = []
  private var loadedBytes = 0
  private var loadedSheets = 0
  private(set) var warnings: [String] = []
  /// The sheets being imported, from the document's own on: one that imports itself ends there.
  private var path: [String] = []

  static let maximumBytes = 4 << 20
  static let maximumSheets = 64
  static let maximumDepth = 8

  init(tree: MarkupTree, resources: DocumentReader.Resources) {
    self.tree = tree
    self.resources = resources
  }

  private enum Source {
    case linked(String)
    case written([UInt8])
  }

  mutating func load() -> StyleIndex {
    let sources = collect()
    var key = resources.userStyle ?? ""
    for source in sources {
      switch source {
      case .linked(let address): key += "\u{0}l" + resources.resolve(address)
      case .written(let text): key += "\u{0}w" + String(decoding: text, as: UTF8.self)
      }
    }
    if let known = resources.cache?.index(key) { return known }
    for source in sources {
      switch source {
      case .linked(let address): load(address, base: nil, depth: 0)
      case .written(let text):
        loadedBytes += text.count
        guard loadedBytes <= Self.maximumBytes else { break }
        add(StyleSheet(text), base: nil, depth: 0)
      }
    }
    let user = resources.userStyle.map { StyleSheet(Array($0.utf8)) }
    let index = StyleIndex(author: sheets, user: user)
    resources.cache?.keep(index, as: key)
    return index
  }

  private func collect() -> [Source] {
    var sources = tree.styleSheetInstructions.map { Source.linked($0) }
    for place in tree.nodes.indices {
      let node = Int32(place)
      switch tree.tag(node) {
      case .link:
        guard tree.attribute(node, .rel, holdsAnyOf: "stylesheet", "StyleSheet", "Stylesheet"),
          !tree.attribute(node, .rel, holdsAnyOf: "alternate"), isForUs(node),
          let address = tree.attribute(node, .href), !address.isEmpty
        else { continue }
        sources.append(.linked(address))
      case .style:
        guard isForUs(node) else { continue }
        var text: [UInt8] = []
        var child = tree.nodes[place].firstChild
        while child >= 0 {
          let item = tree.nodes[Int(child)]
          if item.name == MarkupTree.textName { text += tree.bytes[Int(item.start)..<Int(item.end)] }
          child = item.nextSibling
        }
        sources.append(.written(text))
      default: continue
      }
      if sources.count >= Self.maximumSheets { break }
    }
    return sources
  }

  private func isForUs(_ node: Int32) -> Bool {
    if let type = tree.attribute(node, .type)?.lowercased(), !type.isEmpty, !type.contains("css") { return false }
    guard let media = tree.attribute(node, .media) else { return true }
    return MediaQuery.matches(CSSTokenizer.tokens(Array(media.utf8)).filter { $0 != .space })
  }

  private mutating func load(_ address: String, base: String?, depth: Int) {
    guard loadedSheets < Self.maximumSheets, depth <= Self.maximumDepth, loadedBytes <= Self.maximumBytes else {
      if warnings.isEmpty { warnings.append("the document has more style sheets than are read") }
      return
    }
    loadedSheets += 1
    guard let (source, ownBase) = resources.styleSheet(address, base) else {
      if warnings.count < 8 { warnings.append("style sheet \(address) cannot be read") }
      return
    }
    loadedBytes += source.count
    guard loadedBytes <= Self.maximumBytes else { return }
    let sheet: StyleSheet
    if let known = resources.cache?.sheet(ownBase) {
      sheet = known
    } else {
      sheet = StyleSheet(TextDecoder.decode(source, declared: nil).bytes)
      resources.cache?.keep(sheet, as: ownBase)
    }
    guard !path.contains(ownBase) else { return }
    path.append(ownBase)
    add(sheet, base: ownBase, depth: depth)
    path.removeLast()
  }

  private mutating func add(_ sheet: StyleSheet, base: String?, depth: Int) {
    for address in sheet.imports { load(address, base: base, depth: depth + 1) }
    sheets.append(sheet)
  }
}
