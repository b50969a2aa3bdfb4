/// A place in a book that survives any change of window, type or edition.
public struct Position: Sendable, Hashable, Codable {
  /// Which itemref of the spine, from 0.
  public var spineIndex: Int
  /// That itemref's idref, to find it again in another edition.
  public var idref: String
  /// Unicode scalars from the start of the item's text; see `Document`.
  public var offset: Int
  /// Up to 32 scalars of text before and after the place, white space collapsed.
  public var before: String
  public var after: String

  public init(spineIndex: Int, idref: String, offset: Int, before: String = "", after: String = "") {
    self.spineIndex = spineIndex
    self.idref = idref
    self.offset = offset
    self.before = before
    self.after = after
  }
}
