extension Matcher {
  func attribute(_ node: Int32, _ test: CompiledSelectors.AttributeTest) -> Bool {
    let item = tree.nodes[Int(node)]
    let number = attributeNumbers[Int(test.name)]
    guard item.name != MarkupTree.textName, number >= 0 else { return false }
    for place in Int(item.start)..<Int(item.end) where Int32(tree.attributes[place].name) == number {
      let attribute = tree.attributes[place]
      return tree.bytes.withUnsafeBufferPointer { bytes in
        selectors.bytes.withUnsafeBufferPointer { values in
          Comparison(
            found: UnsafeBufferPointer(rebasing: bytes[Int(attribute.start)..<Int(attribute.end)]),
            wanted: UnsafeBufferPointer(rebasing: values[Int(test.value.lowerBound)..<Int(test.value.upperBound)]),
            ignoresCase: test.ignoresCase
          ).holds(test.match)
        }
      }
    }
    return false
  }

  /// An attribute's value and what a selector asks of it.
  private struct Comparison {
    let found: UnsafeBufferPointer<UInt8>
    let wanted: UnsafeBufferPointer<UInt8>
    let ignoresCase: Bool

    func holds(_ match: Selector.AttributeMatch) -> Bool {
      switch match {
      case .exists: true
      case .equals: found.count == wanted.count && stands(at: 0)
      case .word: hasWord()
      case .language: stands(at: 0) && (found.count == wanted.count || found[wanted.count] == 0x2d)
      case .prefix: !wanted.isEmpty && stands(at: 0)
      case .suffix: !wanted.isEmpty && stands(at: found.count - wanted.count)
      case .substring: !wanted.isEmpty && (0...max(found.count - wanted.count, 0)).contains { stands(at: $0) }
      }
    }

    private func stands(at start: Int) -> Bool {
      guard start >= 0, start + wanted.count <= found.count else { return false }
      for index in 0..<wanted.count {
        let byte = found[start + index]
        if (ignoresCase ? byte.lowercasedASCII : byte) != wanted[index] { return false }
      }
      return true
    }

    private func hasWord() -> Bool {
      guard !wanted.isEmpty else { return false }
      var start = 0
      while start + wanted.count <= found.count {
        var end = start
        while end < found.count, !found[end].isMarkupSpace { end += 1 }
        if end - start == wanted.count, stands(at: start) { return true }
        start = end + 1
      }
      return false
    }
  }
}
