/// Which rows of a window are the page's.
struct StatusLayout: Equatable {
  let hasHeader: Bool
  let hasFooter: Bool
  let rows: Int

  init(rows: Int, isShown: Bool) {
    self.rows = max(1, rows)
    hasHeader = isShown && rows >= 8
    hasFooter = isShown && rows >= 3
  }

  var pageTop: Int { hasHeader ? 1 : 0 }
  var pageRows: Int { max(1, rows - (hasHeader ? 1 : 0) - (hasFooter ? 1 : 0)) }
}
