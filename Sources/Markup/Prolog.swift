/// What stands before the root element: the XML declaration and the DOCTYPE are read here and kept from the parser.
struct Prolog {
  /// Comments and processing instructions, to be parsed with the rest.
  private(set) var kept: [UInt8] = []
  /// Where the root element (or whatever it is) begins.
  private(set) var bodyStart = 0

  init(_ source: [UInt8], entities: inout EntityTable) {
    var index = source.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while index < source.count {
      let byte = source[index]
      if byte <= 0x20 {
        index += 1
      } else if source[index...].starts(with: "<?".utf8) {
        let end = Self.end(of: "?>", in: source, from: index + 2)
        let isDeclaration =
          source[index...].starts(with: "<?xml".utf8) && index + 5 < source.count && source[index + 5].isMarkupSpace
        if !isDeclaration { kept.append(contentsOf: source[index..<end]) }
        index = end
      } else if source[index...].starts(with: "<!--".utf8) {
        index = Self.end(of: "-->", in: source, from: index + 4)
      } else if Self.isDoctype(source[index...]) {
        index = Self.readDoctype(source, from: index + 9, entities: &entities)
      } else {
        break
      }
    }
    bodyStart = min(index, source.count)
  }

  private static func isDoctype(_ slice: ArraySlice<UInt8>) -> Bool {
    slice.count > 9 && slice.prefix(9).map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 32 : $0 }.elementsEqual("<!DOCTYPE".utf8)
  }

  private static func end(of mark: StaticString, in source: [UInt8], from start: Int) -> Int {
    mark.withUTF8Buffer { mark in
      var index = start
      while index + mark.count <= source.count {
        if source[index] == mark[0], source[index..<index + mark.count].elementsEqual(mark) {
          return index + mark.count
        }
        index += 1
      }
      return source.count
    }
  }

  /// Behind the DOCTYPE; its internal subset's general entities are declared.
  private static func readDoctype(_ source: [UInt8], from start: Int, entities: inout EntityTable) -> Int {
    var index = start
    var isInSubset = false
    while index < source.count {
      switch source[index] {
      case 0x22, 0x27:
        index = (source[(index + 1)...].firstIndex(of: source[index]) ?? source.count - 1) + 1
      case 0x5b:
        isInSubset = true
        index += 1
      case 0x5d:
        isInSubset = false
        index += 1
      case 0x3c where isInSubset && source[index...].starts(with: "<!--".utf8):
        index = end(of: "-->", in: source, from: index + 4)
      case 0x3c where isInSubset && source[index...].starts(with: "<!ENTITY".utf8):
        index = readEntity(source, from: index + 8, entities: &entities)
      case 0x3e where !isInSubset:
        return index + 1
      default:
        index += 1
      }
    }
    return index
  }

  /// `<!ENTITY name "value">`: external and parameter entities are nothing to a reader.
  private static func readEntity(_ source: [UInt8], from start: Int, entities: inout EntityTable) -> Int {
    var index = start
    var words: [ArraySlice<UInt8>] = []
    while index < source.count, source[index] != 0x3e {
      let byte = source[index]
      if byte == 0x22 || byte == 0x27 {
        let end = source[(index + 1)...].firstIndex(of: byte) ?? source.count
        if words.count == 1, let name = words.first, name.first != 0x25 {
          entities.declare(String(decoding: name, as: UTF8.self), Array(source[min(index + 1, end)..<end]))
        }
        words.append([])
        index = end + 1
      } else if byte.isMarkupSpace {
        index += 1
      } else {
        let end = source[index...].firstIndex { $0.isMarkupSpace || $0 == 0x3e || $0 == 0x22 || $0 == 0x27 }
        words.append(source[index..<(end ?? source.count)])
        index = end ?? source.count
      }
    }
    // External entities are declared as empty, so that a reference to one shows nothing.
    if let name = words.first, words.count > 1 { entities.declare(String(decoding: name, as: UTF8.self), []) }
    return index
  }
}
