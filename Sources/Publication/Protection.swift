import Markup

/// Which entries a publisher's protection has encrypted, and which protection that is.
struct Protection: Sendable {
  /// Paths of encrypted entries; obfuscated fonts are none.
  private(set) var encrypted: Set<String> = []
  /// "Adobe ADEPT", "Readium LCP" …
  private(set) var scheme = "an unknown scheme"

  init() {}

  init(_ archive: Archive) throws(PublicationError) {
    guard let entry = archive.entry(named: "META-INF/encryption.xml") else { return }
    let tree = try Container.tree(archive, entry)
    var algorithms: [String] = []
    var usesLCP = false
    for data in tree.elements(named: "EncryptedData") {
      let method = tree.elements(named: "EncryptionMethod", below: data).first
      let algorithm = method.flatMap { tree.attribute($0, "Algorithm") } ?? ""
      if Self.obfuscations.contains(algorithm) { continue }
      algorithms.append(algorithm)
      for retrieval in tree.elements(named: "RetrievalMethod", below: data) {
        if tree.attribute(retrieval, "Type")?.contains("readium.org/2014/01/lcp") == true { usesLCP = true }
      }
      for reference in tree.elements(named: "CipherReference", below: data) {
        guard let uri = tree.attribute(reference, "URI"),
          case .inside(let path, _) = ContainerPath.resolve(uri, from: "")
        else { continue }
        encrypted.insert(archive.entry(named: path)?.name ?? path)
      }
    }
    if !encrypted.isEmpty { scheme = try Self.scheme(archive, algorithms: algorithms, usesLCP: usesLCP) }
  }

  private static let obfuscations: Set<String> = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC", "http://ns.adobe.com/pdf/enc#RC4",
  ]

  private static func scheme(
    _ archive: Archive, algorithms: [String], usesLCP: Bool
  ) throws(PublicationError) -> String {
    if usesLCP || archive.entry(named: "META-INF/license.lcpl") != nil { return "Readium LCP" }
    if archive.entry(named: "META-INF/sinf.xml") != nil
      || algorithms.contains(where: { $0.contains("itunes.apple.com") || $0.contains("apple.com") })
    {
      return "Apple FairPlay"
    }
    if let entry = archive.entry(named: "META-INF/rights.xml") {
      let bytes = try archive.read(entry, limit: 1 << 20, cutting: true).bytes
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      if text.contains("barnesandnoble") || text.contains("nook") || Self.keyLength(bytes) == 64 {
        return "Barnes & Noble"
      }
      if text.contains("kobo") || text.contains("kdrm") { return "Kobo" }
      if text.contains("ns.adobe.com/adept") { return "Adobe ADEPT" }
    }
    if algorithms.contains(where: { $0.contains("ns.adobe.com") }) { return "Adobe ADEPT" }
    if archive.entries.contains(where: { $0.name.lowercased().contains("kobo") }) { return "Kobo" }
    return "an unknown scheme"
  }

  /// Barnes & Noble use ADEPT's file with a key of their own length.
  private static func keyLength(_ bytes: [UInt8]) -> Int? {
    let tree = MarkupParser.parse(bytes, as: .xml)
    return tree.elements(named: "encryptedKey").first.map { tree.text($0).utf8.count }
  }
}
