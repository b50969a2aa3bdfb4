internal import Document
internal import Typesetting

/// The links of what the window shows, in reading order, and the cells that they cover.
struct PageLinks {
  struct Item: Equatable {
    var link: Link
    /// What is to be read there, as far as the window shows it.
    var text: String
    var range: Range<Int>
    var cells: [Box]
  }

  private(set) var items: [Item] = []

  /// - Parameters:
  ///   - row: of the page's first line.
  ///   - column: of its left edge.
  mutating func add(_ page: Page, row: Int, column: Int) {
    for (index, line) in page.lines.enumerated() {
      var place = column
      for run in line.runs {
        defer { place += run.width }
        guard let link = run.link, run.width > 0 else { continue }
        let box = Box(row: row + index, column: place, rows: 1, columns: run.width)
        // Runs of one link follow each other, over lines, too.
        if let last = items.indices.last, items[last].link == link,
          items[last].range.upperBound >= run.range.lowerBound - 1
        {
          items[last].cells.append(box)
          items[last].text += run.text
          items[last].range = items[last].range.lowerBound..<max(items[last].range.upperBound, run.range.upperBound)
        } else {
          items.append(Item(link: link, text: run.text, range: run.range, cells: [box]))
        }
      }
    }
  }

  func index(row: Int, column: Int) -> Int? {
    items.firstIndex { item in item.cells.contains { $0.contains(row: row, column: column) } }
  }
}
