/// A pattern with `*` (any text), `?` (any character) and `[...]` (one of these; `!` first: none of these).
struct Glob: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    case any
    case one
    case literal(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private var parts: [Part] = []

  init(_ pattern: String) {
    let scalars = Array(pattern.unicodeScalars)
    var index = 0
    while index < scalars.count {
      switch scalars[index] {
      case "*": if parts.last != .any { parts.append(.any) }
      case "?": parts.append(.one)
      case "[":
        if let (set, next) = Glob.set(scalars, from: index + 1) {
          parts.append(set)
          index = next
          continue
        }
        parts.append(.literal("["))
      case "\\" where index + 1 < scalars.count:
        index += 1
        parts.append(.literal(scalars[index]))
      default: parts.append(.literal(scalars[index]))
      }
      index += 1
    }
  }

  private static func set(_ scalars: [Unicode.Scalar], from start: Int) -> (Part, Int)? {
    var index = start
    let isNegated = index < scalars.count && (scalars[index] == "!" || scalars[index] == "^")
    if isNegated { index += 1 }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let first = index
    while index < scalars.count {
      if scalars[index] == "]", index > first { return (.set(ranges, isNegated: isNegated), index + 1) }
      if index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]",
        scalars[index] <= scalars[index + 2]
      {
        ranges.append(scalars[index]...scalars[index + 2])
        index += 3
      } else {
        ranges.append(scalars[index]...scalars[index])
        index += 1
      }
    }
    return nil
  }

  /// Steps back to the last star alone, so that no pattern takes longer than text times pattern.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var part = 0
    var position = 0
    var star = -1
    var resume = 0
    while position < scalars.count {
      if part < parts.count, parts[part] == .any {
        star = part
        resume = position
        part += 1
      } else if part < parts.count, Glob.matches(parts[part], scalars[position]) {
        part += 1
        position += 1
      } else if star >= 0 {
        resume += 1
        position = resume
        part = star + 1
      } else {
        return false
      }
    }
    while part < parts.count, parts[part] == .any { part += 1 }
    return part == parts.count
  }

  private static func matches(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .any, .one: true
    case .literal(let literal): literal == scalar
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
