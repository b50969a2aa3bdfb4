internal import Document

extension Composer {
  /// Only real tables become tables; what a sheet merely lays out like one stays text.
  func adaptTableDisplay(_ tag: Tag, _ style: inout ComputedStyle) {
    switch style.display {
    case .table: if tag != .table { style.display = .block }
    case .cell:
      if tables.last.map({ $0.isFlat || $0.openRow < 0 }) ?? true || tag != .td && tag != .th { style.display = .block }
    case .row: if tables.last?.isFlat ?? true || tag != .tr { style.display = .block }
    case .caption: if tables.last?.isFlat ?? true || tag != .caption { style.display = .block }
    case .rowGroup, .headerGroup, .footerGroup: if tables.last?.isFlat ?? true { style.display = .block }
    case .column: if tag != .col && tag != .colgroup { style.display = .block }
    case .none, .contents, .inline, .inlineBlock, .block, .listItem: break
    }
  }

  mutating func openTable() {
    let top = frames.count - 1
    // Beyond that depth all are flat, so the stack's height tells.
    let isFlat = tables.count >= Self.maximumTableDepth
    tables.append(TableState(isFlat: isFlat))
    frames[top].closing = isFlat ? .flatTable : .table
  }

  mutating func openRow() {
    guard let last = tables.indices.last else { return }
    let group = rowGroup()
    if group == .footerGroup { tables[last].footers.append(tables[last].rows.count) }
    tables[last].rows.append(Table.Row(cells: [], isHeader: group == .headerGroup))
    tables[last].openRow = frames.count - 1
    frames[frames.count - 1].closing = .row
  }

  /// What kind of group the row that has just been opened stands in.
  private func rowGroup() -> Declaration.Display {
    for frame in frames.dropLast().reversed() {
      switch frame.style.display {
      case .headerGroup, .footerGroup, .rowGroup, .table: return frame.style.display
      default: continue
      }
    }
    return .table
  }

  mutating func openCell() {
    openSink()
    let top = frames.count - 1
    frames[top].closing = .cell
    frames[top].marginLeft = 0
    frames[top].marginRight = 0
    frames[top].quoteDepth = 0
    frames[top].listDepth = 0
    frames[top].blocksAtOpen = 0
    // The cell's row must not be taken by a table inside of the cell that lacks rows of its own.
    if let last = tables.indices.last { tables[last].openRow = -1 }
  }

  mutating func closeCell(_ frame: Frame) {
    let sink = closeSink()
    guard let last = tables.indices.last, !tables[last].rows.isEmpty else { return }
    func span(_ name: AttributeName, _ limit: Int) -> Int {
      tree.attribute(frame.node, name).flatMap { Int(ContainerText.trim($0)) }.map { max(1, min(limit, $0)) } ?? 1
    }
    let cell = Table.Cell(
      blocks: sink.blocks, columnSpan: span(.colspan, 100), rowSpan: span(.rowspan, 1000), isHeader: frame.tag == .th)
    let row = tables[last].rows.count - 1
    tables[last].rows[row].cells.append(cell)
    tables[last].openRow = frames.count - 2
  }

  mutating func openCaption() {
    openSink()
    let top = frames.count - 1
    frames[top].closing = .caption
    frames[top].blocksAtOpen = 0
  }

  mutating func closeCaption() {
    let sink = closeSink()
    guard let last = tables.indices.last else { return }
    var runs: [InlineText.Run] = []
    for block in sink.blocks {
      guard case .text(let text) = block.content else { continue }
      if !runs.isEmpty { runs.append(InlineText.Run(text: "\n", offsets: .all(block.range.lowerBound))) }
      runs += text.runs
    }
    if !runs.isEmpty, tables[last].caption == nil { tables[last].caption = InlineText(runs: runs) }
  }

  mutating func closeTable(_ frame: Frame) {
    let state = tables.removeLast()
    let rows = state.rows.filter { !$0.cells.isEmpty }
    guard !rows.isEmpty || state.caption != nil else { return }
    pendingTop = frame.style.marginTop.map { max($0, pendingTop ?? $0) } ?? pendingTop
    // A table of one column is a frame around text, not a table.
    let isColumn = rows.allSatisfy { $0.cells.count == 1 && !$0.cells[0].isHeader }
    if isColumn {
      emitColumn(rows, state.caption, frame)
    } else {
      rangeStart = min(rangeStart, frame.offset)
      emit(.table(Table(caption: state.caption, rows: state.shownRows)), frame)
    }
    let sink = sinks.count - 1
    if let bottom = frame.style.marginBottom, let last = sinks[sink].blocks.indices.last {
      sinks[sink].blocks[last].style.marginBottom = Double(max(0, bottom))
    }
  }

  private mutating func emitColumn(_ rows: [Table.Row], _ caption: InlineText?, _ frame: Frame) {
    let sink = sinks.count - 1
    for row in rows {
      for cell in row.cells {
        for var block in cell.blocks {
          block.style.marginLeft += Double(max(0, min(16, frame.marginLeft)))
          block.style.quoteDepth += Int(frame.quoteDepth)
          block.style.listDepth += Int(frame.listDepth)
          if block.marker == nil, let marker = pendingMarker { block.marker = marker }
          pendingMarker = nil
          sinks[sink].blocks.append(block)
        }
      }
    }
    if let caption {
      let start = caption.runs.first?.offsets.offset(ofScalar: 0) ?? rangeStart
      var block = Block(content: .text(caption), role: .caption, range: start..<start)
      block.style.alignment = .center
      sinks[sink].blocks.append(block)
    }
  }
}
