/// What the nodes of one remote have in common; nodes with an equal identity are one remote.
public struct RemoteIdentity: Sendable, Hashable {
  private var uniq: String
  private var physRoot: String
  private var vendor: UInt16
  private var product: UInt16

  /// - Returns: nil for a node that says nothing by which it could belong to others: it is a remote of its own.
  public init?(_ node: NodeDescription) {
    uniq = RemoteIdentity.root(uniq: node.uniq)
    physRoot = ""
    vendor = 0
    product = 0
    guard uniq.isEmpty else { return }
    physRoot = RemoteIdentity.root(phys: node.phys)
    vendor = node.vendor
    product = node.product
    if physRoot.isEmpty || node.bus == Bus.bluetooth { return nil }
  }

  /// The identifier in lower case; of one that begins with a Bluetooth address, the address alone.
  static func root(uniq: String) -> String {
    var bytes = [UInt8]()
    for byte in uniq.utf8 {
      if byte == UInt8(ascii: "/") || byte == 0 { break }
      bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte)
    }
    while let first = bytes.first, first == UInt8(ascii: " ") { bytes.removeFirst() }
    while let last = bytes.last, last == UInt8(ascii: " ") { bytes.removeLast() }
    if bytes.count >= 17, isAddress(bytes[..<17]) { bytes.removeSubrange(17...) }
    // Receivers without an identifier of their own fill the field with zeros.
    let says = bytes.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "-") }
    return says ? String(decoding: bytes, as: UTF8.self) : ""
  }

  private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    for (index, byte) in bytes.enumerated() {
      let isHex = (48...57).contains(byte) || (97...102).contains(byte)
      let isColon = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
      guard index % 3 == 2 ? isColon : isHex else { return false }
    }
    return true
  }

  /// The physical path up to `/input`.
  static func root(phys: String) -> String {
    let bytes = Array(phys.utf8)
    let mark = Array("/input".utf8)
    guard bytes.count >= mark.count else { return phys }
    for start in 0...(bytes.count - mark.count) where bytes[start..<(start + mark.count)].elementsEqual(mark) {
      return String(decoding: bytes[..<start], as: UTF8.self)
    }
    return phys
  }

  /// The one name of a remote with these nodes: the shortest, without the words that the kernel adds to each node.
  public static func name(of nodes: [NodeDescription]) -> String {
    if nodes.count == 1 { return nodes[0].name }
    let names = nodes.map { strip($0.name) }.filter { !$0.isEmpty }
    return names.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? nodes.first?.name ?? ""
  }

  private static let additions = [
    " Keyboard", " Mouse", " Consumer Control", " System Control", " Pointer", " Stylus", " Touchscreen", " Touchpad",
    " Digitizer", " Wireless Radio Control",
  ]

  private static func strip(_ name: String) -> String {
    for addition in additions where name.hasSuffix(addition) && name.utf8.count > addition.utf8.count {
      return String(name.dropLast(addition.count))
    }
    return name
  }
}
