/// One itemref of the spine: one document in reading order.
public struct SpineItem: Sendable, Equatable {
  /// Path in the container, decoded.
  public var href: String
  /// The itemref's idref: with `Position`, what finds the item again in another edition.
  public var idref: String
  /// Whether it stands in the order of pages; if not, it is reached by links only.
  public var linear: Bool
  /// From the table of contents: the first entry that leads to this item; nil if none does.
  public var title: String?
  /// The file is not in the archive: its document is empty.
  public var isMissing: Bool
  /// Uncompressed bytes, as the archive states them; 0 if missing.
  public var size: Int
  /// Itemrefs that repeat this document with a fragment.
  public var positions: [String]

  var mediaType: String
}

/// The order of pages: which way "next" goes.
public enum ReadingDirection: String, Sendable, Hashable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
  case `default`
}
