/// The entities of one document: XML's five stay as they are, its own and HTML's become text.
struct EntityTable {
  private var own: [String: [UInt8]] = [:]
  private var known: [String: [UInt8]?] = [:]
  private var budget: Int
  private(set) var isExhausted = false

  /// - Parameter limit: the most bytes that all expansions may add together.
  init(limit: Int) { budget = limit }

  /// The first declaration of a name counts, as in XML.
  mutating func declare(_ name: String, _ value: [UInt8]) {
    if own[name] == nil, own.count < 1000 { own[name] = value }
  }

  /// Writes what `&name;` stands for; false if there is no such entity.
  mutating func append(_ name: String, to output: inout [UInt8]) -> Bool {
    append(name, to: &output, depth: 0)
  }

  private mutating func append(_ name: String, to output: inout [UInt8], depth: Int) -> Bool {
    switch name {
    case "amp", "lt", "gt", "quot", "apos":
      output.append(0x26)
      output.append(contentsOf: name.utf8)
      output.append(0x3b)
      return true
    default: break
    }
    if let value = own[name] {
      guard depth < 8, budget >= value.count, !isExhausted else {
        isExhausted = true
        return true
      }
      budget -= value.count
      expand(value, to: &output, depth: depth + 1)
      return true
    }
    if known[name] == nil {
      known[name] = .some(ParserHandle.entity(name).map { Array(String(Character($0)).utf8) })
    }
    guard let text = known[name] ?? nil else { return false }
    output.append(contentsOf: text)
    return true
  }

  private mutating func expand(_ value: [UInt8], to output: inout [UInt8], depth: Int) {
    var index = 0
    while index < value.count {
      guard value[index] == 0x26, let end = value[index...].firstIndex(of: 0x3b), end > index + 1,
        value[index + 1] != 0x23
      else {
        output.append(value[index])
        index += 1
        continue
      }
      if !append(String(decoding: value[(index + 1)..<end], as: UTF8.self), to: &output, depth: depth) {
        output.append(contentsOf: value[index...end])
      }
      index = end + 1
    }
  }
}
