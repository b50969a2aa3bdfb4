internal import Document

/// One row being drawn: runs put at columns, the blanks between them filled in at the end.
struct LineCanvas {
  private var placed: [(column: Int, run: CellRun)] = []

  mutating func place(_ run: CellRun, at column: Int) {
    guard run.width > 0 || !run.text.isEmpty else { return }
    placed.append((max(column, 0), run))
  }

  mutating func place(_ runs: [CellRun], at column: Int) {
    var column = column
    for run in runs {
      place(run, at: column)
      column += run.width
    }
  }

  mutating func place(_ text: String, width: Int, kind: CellRun.Kind, role: Block.Role, at column: Int) {
    place(CellRun(text: text, width: width, kind: kind, role: role), at: column)
  }

  /// The runs from left to right. What would stand on another run, or beyond the measure, is pushed or left out.
  func finish(measure: Int) -> [CellRun] {
    var runs: [CellRun] = []
    var column = 0
    for (place, run) in placed.sorted(by: { $0.column < $1.column }) {
      if place > column {
        runs.append(
          CellRun(text: String(repeating: " ", count: place - column), width: place - column, kind: .space))
        column = place
      }
      guard column + run.width <= measure else { continue }
      runs.append(run)
      column += run.width
    }
    // Blanks at the end of a line are nothing.
    while var last = runs.popLast() {
      while last.text.hasSuffix(" ") {
        last.text.removeLast()
        last.width -= 1
      }
      if last.text.isEmpty { continue }
      runs.append(last)
      break
    }
    return runs
  }
}
