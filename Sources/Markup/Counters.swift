internal import Document

/// CSS counters with their scopes. Source: CSS 2.2, section 12.4.
struct Counters {
  private struct Entry {
    var value: Int
    /// Depth of the element that made it: it lives until that element's parent ends.
    var depth: Int
  }

  private var table: [String: [Entry]] = [:]
  /// Names in the order in which entries were made, to undo them.
  private var log: [(name: String, depth: Int)] = []
  private var depth = 0

  static let listItem = "list-item"

  /// An element begins.
  mutating func open(_ rare: RareStyle?) {
    depth += 1
    if let rare { apply(rare) }
  }

  /// Counter properties of an element, or of generated content in it.
  mutating func apply(_ rare: RareStyle) {
    for counter in rare.reset { reset(counter.name, counter.value) }
    for counter in rare.increment { increment(counter.name, counter.value) }
    for counter in rare.set { set(counter.name, counter.value) }
  }

  /// An element ends: counters made by its children go.
  mutating func close() {
    while let last = log.last, last.depth > depth {
      log.removeLast()
      table[last.name]?.removeLast()
    }
    depth -= 1
  }

  mutating func reset(_ name: String, _ value: Int) {
    if let last = table[name]?.last, last.depth == depth {
      table[name]![table[name]!.count - 1].value = value
      return
    }
    guard log.count < 100_000 else { return }
    table[name, default: []].append(Entry(value: value, depth: depth))
    log.append((name, depth))
  }

  mutating func increment(_ name: String, _ value: Int) {
    set(name, clamp((table[name]?.last?.value ?? 0) &+ value))
  }

  mutating func set(_ name: String, _ value: Int) {
    if table[name]?.isEmpty ?? true { reset(name, 0) }
    guard let count = table[name]?.count, count > 0 else { return }
    table[name]![count - 1].value = value
  }

  func value(_ name: String) -> Int { table[name]?.last?.value ?? 0 }

  /// All scopes' values, the outermost first.
  func values(_ name: String) -> [Int] {
    let entries = table[name] ?? []
    return entries.isEmpty ? [0] : entries.suffix(64).map(\.value)
  }

  private func clamp(_ value: Int) -> Int { max(-1_000_000_000, min(1_000_000_000, value)) }
}

/// The ruby being read.
struct RubyState {
  /// The first run of the base that has not been recorded yet.
  var baseStart: Int
  /// Bases that wait for their readings.
  var bases: [Range<Int>] = []
  var isAnnotating = false
  var annotation: [UInt8] = []

  /// The block ended inside of the ruby.
  mutating func restart() {
    baseStart = 0
    bases = []
  }
}

/// The table being read.
struct TableState {
  /// Nested too deeply to be drawn: rows and cells are plain blocks.
  var isFlat = false
  var rows: [Table.Row] = []
  var caption: InlineText?
  /// Which rows are a footer's, wherever in the table it stands.
  var footers: [Int] = []
  /// The frame of the row that is open; -1 for none.
  var openRow = -1

  /// The rows that hold something: a footer may be written before what it ends.
  var shownRows: [Table.Row] {
    let last = Set(footers)
    let order = rows.indices.filter { !last.contains($0) } + footers
    return order.map { rows[$0] }.filter { !$0.cells.isEmpty }
  }
}
