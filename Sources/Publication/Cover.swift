import Markup

/// The cover image, by every convention that is in use.
enum Cover {
  /// Path of the image in the archive; nil if the book has none.
  static func find(archive: Archive, package: Package, landmarks: [NamedPlace]) -> String? {
    let images = package.manifest.items.filter { $0.isImage && $0.remote == nil }
    func name(_ item: Manifest.Item?) -> String? { item.flatMap { archive.entry(named: $0.path)?.name } }
    if let path = name(images.first { $0.properties.contains("cover-image") }) { return path }
    if let reference = package.coverReference {
      if let item = package.manifest.item(id: reference) {
        if item.isImage, let path = name(item) { return path }
        if item.isDocument, let path = image(in: item.path, archive) { return path }
      }
      if case .inside(let path, _) = ContainerPath.resolve(reference, from: package.path),
        let entry = archive.entry(named: path), isImage(entry.name)
      {
        return entry.name
      }
    }
    let ids = ["cover-image", "cover", "coverimage", "cover_jpg", "cover-img", "cover_image", "img-cover"]
    for id in ids {
      if let path = name(images.first { $0.id.lowercased() == id }) { return path }
    }
    for landmark in landmarks where landmark.type?.contains("cover") == true {
      if isImage(landmark.path), let entry = archive.entry(named: landmark.path) { return entry.name }
      if let path = image(in: landmark.path, archive) { return path }
    }
    if let path = name(images.first { isCoverName($0.path) }) { return path }
    if let first = package.spine.first.flatMap({ package.manifest.item(id: $0.idref) }), isCoverName(first.path),
      let path = image(in: first.path, archive)
    {
      return path
    }
    return archive.entries.first { isImage($0.name) && isCoverName($0.name) }?.name
  }

  private static func isCoverName(_ path: String) -> Bool {
    let file = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
    return ["cover", "cover_image", "cover-image", "coverimage", "front-cover", "frontcover", "cover1"].contains(stem)
  }

  private static func isImage(_ path: String) -> Bool {
    let path = path.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".avif"].contains { path.hasSuffix($0) }
  }

  /// The first image of a cover page.
  private static func image(in path: String, _ archive: Archive) -> String? {
    guard let page = archive.entry(named: path), !isImage(page.name),
      let source = try? archive.read(page, limit: 1 << 20).bytes
    else { return nil }
    let tree = MarkupParser.parse(source, as: .xmlElseHTML)
    for (element, attribute) in [("img", "src"), ("image", "xlink:href"), ("image", "href")] {
      for node in tree.elements(named: element) {
        guard let address = tree.attribute(node, attribute),
          case .inside(let target, _) = ContainerPath.resolve(address, from: page.name),
          let entry = archive.entry(named: target)
        else { continue }
        return entry.name
      }
    }
    return nil
  }
}
