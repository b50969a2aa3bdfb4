/// A drawing inside of a document, or one that is a document.
struct VectorImage {
  let tree: MarkupTree
  let node: Int32
  private(set) var title: String?
  private(set) var description: String?
  private(set) var words: [String] = []
  /// The one image that a cover page wraps into a drawing; nil if there is more to it.
  private(set) var onlyImage: String?

  /// Drawings larger than this are not carried along.
  private static let limit = 256 << 10
  private static let sheetLimit = 16 << 10

  init(tree: MarkupTree, node: Int32) {
    self.tree = tree
    self.node = node
    var images: [String] = []
    var shapes = 0
    var texts = 0
    var current = tree.next(after: node, within: node)
    while current >= 0 {
      if tree.isElement(current) {
        switch tree.tag(current) {
        case .title: title = title ?? nonEmpty(tree.text(current))
        case .desc: description = description ?? nonEmpty(tree.text(current))
        case .text, .foreignObject:
          texts += 1
          if texts <= 200, let text = nonEmpty(tree.text(current)) { words.append(text) }
        case .image:
          if let address = tree.attribute(current, .xlinkHref) ?? tree.attribute(current, .href) {
            images.append(address)
          }
        default:
          switch tree.name(current) {
          case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use": shapes += 1
          default: break
          }
        }
      }
      current = tree.next(after: current, within: node)
    }
    if images.count == 1, words.isEmpty, shapes <= 1 { onlyImage = images[0] }
  }

  private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// What it is called, or the words in it.
  var label: String? {
    if let name = tree.attribute(node, .ariaLabel) ?? title { return name }
    let joined = words.joined(separator: " ")
    return nonEmpty(joined) ?? description
  }

  /// Whether a text node is drawn as letters.
  func isShownText(_ textNode: Int32) -> Bool {
    var ancestor = tree.nodes[Int(textNode)].parent
    var steps = 0
    while ancestor >= 0, ancestor != node, steps < 64 {
      steps += 1
      switch tree.tag(ancestor) {
      case .text, .foreignObject: return true
      case .title, .desc: return false
      default: break
      }
      ancestor = tree.nodes[Int(ancestor)].parent
    }
    return false
  }

  /// The drawing as a `data:` address; "" if it is too large.
  ///
  /// - Parameter sheets: what `sheets` told of its document.
  func dataAddress(sheets: [UInt8]) -> String {
    var bytes = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8)
    appendAttributes(node, to: &bytes)
    bytes.append(0x3e)
    bytes.append(contentsOf: sheets)
    var open: [Int32] = [node]
    var current = tree.next(after: node, within: node)
    while current >= 0 {
      while let last = open.last, tree.parent(current) != last, open.count > 1 { close(open.removeLast(), &bytes) }
      if tree.isElement(current) {
        bytes.append(0x3c)
        bytes.append(contentsOf: tree.name(current).utf8)
        appendAttributes(current, to: &bytes)
        if tree.firstChild(current) >= 0 {
          bytes.append(0x3e)
          open.append(current)
        } else {
          bytes.append(contentsOf: "/>".utf8)
        }
      } else {
        Self.escape(tree.bytes[Int(tree.nodes[Int(current)].start)..<Int(tree.nodes[Int(current)].end)], &bytes)
      }
      guard bytes.count < Self.limit, open.count < 512 else { return "" }
      current = tree.next(after: current, within: node)
    }
    while let last = open.popLast() { close(last, &bytes) }
    return "data:image/svg+xml;base64," + Base64.encode(bytes)
  }

  /// The style elements of a page's head, as they stand in a drawing: they hold for its drawings, too. As long as no
  /// drawing may be at most; once for a document, however many drawings it has.
  static func sheets(of tree: MarkupTree, near node: Int32) -> [UInt8] {
    var root = node
    for _ in 0..<512 {
      guard tree.parent(root) >= 0, tree.tag(root) != .html else { break }
      root = tree.parent(root)
    }
    var bytes: [UInt8] = []
    guard let head = tree.children(of: root).first(where: { tree.tag($0) == .head }) else { return bytes }
    for sheet in tree.children(of: head) where tree.tag(sheet) == .style {
      let text = tree.text(sheet)
      guard text.utf8.count < sheetLimit else { continue }
      bytes.append(contentsOf: "<style>".utf8)
      escape(Array(text.utf8)[...], &bytes)
      bytes.append(contentsOf: "</style>".utf8)
      guard bytes.count < limit else { break }
    }
    return bytes
  }

  private func close(_ element: Int32, _ bytes: inout [UInt8]) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: (element == node ? "svg" : tree.name(element)).utf8)
    bytes.append(0x3e)
  }

  private func appendAttributes(_ element: Int32, to bytes: inout [UInt8]) {
    let item = tree.nodes[Int(element)]
    for place in Int(item.start)..<Int(item.end) {
      let attribute = tree.attributes[place]
      let name = tree.attributeNames[Int(attribute.name)]
      guard !name.isEmpty, !name.hasPrefix("xmlns"), !name.hasPrefix("epub:") else { continue }
      bytes.append(0x20)
      bytes.append(contentsOf: name.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      Self.escape(tree.bytes[Int(attribute.start)..<Int(attribute.end)], &bytes)
      bytes.append(0x22)
    }
  }

  private static func escape(_ text: ArraySlice<UInt8>, _ bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case 0x26: bytes.append(contentsOf: "&amp;".utf8)
      case 0x3c: bytes.append(contentsOf: "&lt;".utf8)
      case 0x22: bytes.append(contentsOf: "&quot;".utf8)
      default: bytes.append(byte)
      }
    }
  }
}

enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 4)
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let second = index + 1 < bytes.count ? bytes[index + 1] : 0
      let third = index + 2 < bytes.count ? bytes[index + 2] : 0
      text.append(digits[Int(first >> 2)])
      text.append(digits[Int(first & 3) << 4 | Int(second >> 4)])
      text.append(index + 1 < bytes.count ? digits[Int(second & 15) << 2 | Int(third >> 6)] : 0x3d)
      text.append(index + 2 < bytes.count ? digits[Int(third & 63)] : 0x3d)
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
