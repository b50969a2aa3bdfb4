extension Screen {
  /// Before the cells are written: takes away the pictures that are not to be seen any more, and has the cells
  /// written anew that such a picture, or one that must be drawn again, was part of.
  mutating func removeOldPictures(into output: inout [UInt8]) {
    for id in stalePictures { KittyGraphics.appendRemoval(of: id, to: &output) }
    stalePictures.removeAll()
    let wanted = Set(pictures.map(\.place))
    for place in shownPictures where !wanted.contains(place) {
      if place.isCells {
        forget(place)
      } else {
        KittyGraphics.appendRemoval(of: place.id, to: &output)
      }
    }
    shownPictures.formIntersection(wanted)
    // Cells that change under a sixel picture wipe a part of it out.
    for place in shownPictures where place.isCells && isChanged(place) {
      shownPictures.remove(place)
    }
  }

  /// After the cells: draws what is not there yet.
  mutating func drawNewPictures(into output: inout [UInt8]) {
    for picture in pictures where !shownPictures.contains(picture.place) {
      guard (0..<rows).contains(picture.row), (0..<columns).contains(picture.column),
        picture.row + picture.rows <= rows, picture.column + picture.columns <= columns
      else { continue }
      Self.move(row: picture.row, column: picture.column, into: &output)
      picture.appendSequence(to: &output)
      shownPictures.insert(picture.place)
    }
  }

  /// Everything is to be drawn anew; what the terminal holds is taken away first.
  mutating func forgetPictures() {
    for place in shownPictures where !place.isCells { stalePictures.insert(place.id) }
    shownPictures.removeAll()
  }

  private mutating func forget(_ place: Picture.Place) {
    for index in cells(of: place) { shown[index] = .unknown }
  }

  private func isChanged(_ place: Picture.Place) -> Bool {
    cells(of: place).contains { next[$0] != shown[$0] }
  }

  private func cells(of place: Picture.Place) -> [Int] {
    var indices: [Int] = []
    for row in max(0, place.row)..<max(0, min(rows, place.row + place.rows)) where row >= place.row {
      for column in max(0, place.column)..<max(0, min(columns, place.column + place.columns))
      where column >= place.column {
        indices.append(row * columns + column)
      }
    }
    return indices
  }
}
