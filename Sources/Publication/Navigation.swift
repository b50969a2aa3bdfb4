import Markup

/// One line of the table of contents.
public struct TOCEntry: Sendable, Equatable {
  public var title: String
  /// Path in the container with "#fragment", decoded; "" for a heading that leads nowhere itself.
  public var href: String
  public var path: String
  public var fragment: String?
  /// 1 is the outermost.
  public var level: Int
  /// The itemref that it leads to; nil if it leads to none.
  public var spineIndex: Int?
  /// Known where the entry was made from a heading without an id; otherwise the fragment decides.
  public var offset: Int?
}

/// A place that the publisher named: a page of the printed edition, or a landmark.
public struct NamedPlace: Sendable, Equatable {
  /// "12", "xiv", "Cover".
  public var label: String
  public var path: String
  public var fragment: String?
  public var spineIndex: Int?
  /// A landmark's epub:type or guide type: "bodymatter", "cover", "toc".
  public var type: String?
}

/// What a navigation document or an NCX holds, before the spine is looked up.
struct Navigation {
  struct Point {
    var label: String
    var target: ContainerPath.Target?
    var level: Int
    var type: String?
  }

  var contents: [Point] = []
  var pages: [Point] = []
  var landmarks: [Point] = []

  /// Deeper entries than this are listed at this level.
  static let maximumLevel = 32
  static let maximumPoints = 50_000

  var hasLinks: Bool { contents.contains { $0.target != nil } }
}

extension Navigation {
  /// EPUB 3: the `nav` elements of a navigation document.
  init(document source: [UInt8], path: String) {
    let tree = MarkupParser.parse(source, as: .xmlElseHTML)
    guard !tree.isEmpty else { return }
    let navs = tree.elements(named: "nav")
    func find(_ type: String, _ role: String) -> MarkupTree.NodeID? {
      navs.first { Package.words(tree.attribute($0, "epub:type")).contains(type) }
        ?? navs.first { Package.words(tree.attribute($0, "role")).contains(role) }
    }
    let untyped = navs.first { tree.attribute($0, "epub:type") == nil && tree.attribute($0, "role") == nil }
    if let nav = find("toc", "doc-toc") ?? untyped { contents = Self.list(tree, nav, path) }
    if let nav = find("page-list", "doc-pagelist") { pages = Self.list(tree, nav, path) }
    if let nav = find("landmarks", "doc-landmarks") { landmarks = Self.list(tree, nav, path) }
    if contents.isEmpty, navs.isEmpty, let body = tree.elements(named: "body").first {
      contents = Self.list(tree, body, path)
    }
  }

  /// Every `li` below `nav` in document order; its level is the number of lists around it.
  private static func list(_ tree: MarkupTree, _ nav: MarkupTree.NodeID, _ path: String) -> [Point] {
    var points: [Point] = []
    for item in tree.elements(named: "li", below: nav) {
      guard points.count < maximumPoints else { break }
      var level = 0
      var steps = 0
      var ancestor = item
      while ancestor != nav, ancestor >= 0, level < maximumLevel, steps < 1000 {
        steps += 1
        if tree.name(ancestor) == "ol" || tree.name(ancestor) == "ul" { level += 1 }
        ancestor = tree.parent(ancestor)
      }
      var label = ""
      var target: ContainerPath.Target?
      var type: String?
      for child in tree.children(of: item) {
        let name = tree.name(child)
        if name == "ol" || name == "ul" { break }
        let link = name == "a" ? child : firstLink(tree, child)
        if let link {
          label = Self.label(tree, link)
          type = tree.attribute(link, "epub:type")
          if let href = tree.attribute(link, "href"), !href.isEmpty {
            target = ContainerPath.resolve(href, from: path)
          }
          break
        }
        if label.isEmpty { label = Self.label(tree, child) }
      }
      if label.isEmpty { label = Self.ownText(tree, item) }
      if !label.isEmpty || target != nil {
        points.append(Point(label: label, target: target, level: max(1, level), type: type))
      }
    }
    return points
  }

  private static func firstLink(_ tree: MarkupTree, _ node: MarkupTree.NodeID) -> MarkupTree.NodeID? {
    tree.elements(named: "a", below: node).first
  }

  /// The text before a nested list, of an `li` that holds bare text.
  private static func ownText(_ tree: MarkupTree, _ item: MarkupTree.NodeID) -> String {
    var text = ""
    var child = tree.firstChild(item)
    while child >= 0, tree.name(child) != "ol", tree.name(child) != "ul" {
      text += tree.text(child)
      child = tree.nextSibling(child)
    }
    return text
  }

  /// The text of a link; images in it speak by their alt, everything else by its title.
  private static func label(_ tree: MarkupTree, _ node: MarkupTree.NodeID) -> String {
    var parts: [String] = []
    var current = node
    while current >= 0 {
      if tree.name(current) == "img" {
        if let alt = tree.attribute(current, "alt"), !alt.isEmpty {
          parts.append(alt)
        } else if let title = tree.attribute(current, "title") {
          parts.append(title)
        }
      } else if !tree.isElement(current) {
        parts.append(tree.rawText(current))
      }
      current = tree.next(after: current, within: node)
    }
    let label = collapse(parts.joined())
    return label.isEmpty ? collapse(tree.attribute(node, "title") ?? "") : label
  }

  static func collapse(_ text: String) -> String {
    text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" || $0 == "\r" })
      .joined(separator: " ")
  }
}

extension Navigation {
  /// EPUB 2: the NCX.
  init(ncx source: [UInt8], path: String) {
    let tree = MarkupParser.parse(source, as: .xml)
    guard !tree.isEmpty else { return }
    if let map = tree.elements(named: "navMap").first {
      for point in tree.elements(named: "navPoint", below: map).prefix(Self.maximumPoints) {
        var level = 1
        var ancestor = tree.parent(point)
        while ancestor != map, ancestor >= 0, level < Self.maximumLevel {
          level += 1
          ancestor = tree.parent(ancestor)
        }
        contents.append(Self.point(tree, point, path, level: level))
      }
    }
    for target in tree.elements(named: "pageTarget").prefix(Self.maximumPoints) {
      pages.append(Self.point(tree, target, path, level: 1))
    }
  }

  private static func point(
    _ tree: MarkupTree, _ node: MarkupTree.NodeID, _ path: String, level: Int
  ) -> Point {
    var point = Point(label: "", target: nil, level: level, type: nil)
    for child in tree.children(of: node) {
      switch tree.name(child) {
      case "navLabel" where point.label.isEmpty: point.label = tree.text(child)
      case "content":
        if point.target == nil, let source = tree.attribute(child, "src"), !source.isEmpty {
          point.target = ContainerPath.resolve(source, from: path)
        }
      default: break
      }
    }
    if point.label.isEmpty { point.label = tree.attribute(node, "value") ?? "" }
    return point
  }
}
