/// A place in the text of a book.
struct Place: Sendable, Hashable, Comparable {
  /// Which itemref of the spine, from 0.
  var spineIndex: Int
  /// In scalars from the start of its text; see `Document`.
  var offset: Int

  static func < (one: Place, other: Place) -> Bool {
    (one.spineIndex, one.offset) < (other.spineIndex, other.offset)
  }
}
