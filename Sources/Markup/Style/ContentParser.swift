/// The value of `content`.
enum ContentParser {
  /// nil if it is invalid; empty for `none` and `normal`.
  static func items(_ value: [CSSToken]) -> [Declaration.ContentItem]? {
    var items: [Declaration.ContentItem] = []
    var index = 0
    while index < value.count, items.count < 64 {
      switch value[index] {
      case .string(let text): items.append(.text(String(text.prefix(1024))))
      case .ident:
        switch value[index].word {
        case "none", "normal": return []
        case "open-quote": items.append(.openQuote)
        case "close-quote": items.append(.closeQuote)
        case "no-open-quote": items.append(.noOpenQuote)
        case "no-close-quote": items.append(.noCloseQuote)
        default: return nil
        }
      case .function(let name):
        var arguments: [CSSToken] = []
        index += 1
        while index < value.count, value[index] != .close(.round) {
          arguments.append(value[index])
          index += 1
        }
        guard let item = function(name, arguments) else { return nil }
        items.append(item)
      case .url: break
      case .delimiter(0x2f): return items  // What follows is the alternative text.
      default: return nil
      }
      index += 1
    }
    return items
  }

  private static func function(_ name: String, _ arguments: [CSSToken]) -> Declaration.ContentItem? {
    guard case .ident(let first)? = arguments.first else { return nil }
    let rest = arguments.dropFirst().filter { $0 != .comma }
    func style(_ tokens: some Sequence<CSSToken>) -> ListStyle {
      tokens.lazy.compactMap(\.word).compactMap(ListStyle.init(cssName:)).first ?? .decimal
    }
    switch name {
    case "attr":
      if rest.count == 2, rest.first == .delimiter(0x7c), case .ident(let local)? = rest.last {
        return .attribute(first == "epub" || first == "xml" ? first + ":" + local : local)
      }
      return .attribute(first)
    case "counter": return .counter(first, style(rest))
    case "counters":
      guard case .string(let separator)? = rest.first else { return nil }
      return .counters(first, separator: String(separator.prefix(64)), style(rest.dropFirst()))
    default: return nil
    }
  }
}
