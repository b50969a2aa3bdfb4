extension RemotePipeline {
  /// Lets deadlines up to and including `time` come due, in their order: of all nodes, or of one.
  mutating func comeDue(_ time: UInt64, of node: Int?, into outcome: inout Outcome) {
    while openWindows > 0, let window = nextWindow(of: node), window <= time {
      gestures.comeDue(window, of: node, buttons, into: &outcome)
      settleWindows(window, of: node, into: &outcome)
    }
    gestures.comeDue(time, of: node, buttons, into: &outcome)
  }

  /// The earliest end of a debounce window or of a scan pair.
  func nextWindow(of node: Int?) -> UInt64? {
    var earliest: UInt64?
    for index in nodes.indices where nodes[index].isAttached && (node == nil || node == index) {
      if nodes[index].openCells > 0 {
        for cell in nodes[index].cells { earliest = earlier(earliest, cell.windowEnd) }
      }
      earliest = earlier(earliest, nodes[index].scans.nextDeadline)
    }
    return earliest
  }

  private mutating func settleWindows(_ time: UInt64, of node: Int?, into outcome: inout Outcome) {
    for index in nodes.indices where nodes[index].isAttached && (node == nil || node == index) {
      if nodes[index].openCells > 0 { settleCells(index, time, into: &outcome) }
      while let pair = nodes[index].scans.takeExpired(time) {
        openWindows -= 1
        if !pair.isEcho, pair.disposition == .gesture, pair.button >= 0 {
          gestures.release(Int(pair.button), of: index, at: pair.deadline, buttons, into: &outcome)
        }
      }
    }
  }

  private mutating func settleCells(_ node: Int, _ time: UInt64, into outcome: inout Outcome) {
    for number in nodes[node].cells.indices {
      guard let end = nodes[node].cells[number].windowEnd, end <= time else { continue }
      let edge = nodes[node].cells[number].settle()
      nodes[node].openCells -= 1
      openWindows -= 1
      guard nodes[node].cells[number].disposition == .gesture else { continue }
      switch edge {
      case .none: break
      case .press:
        if nodes[node].cells[number].wasRouted { begin(number, of: node, at: end, into: &outcome) }
      case .release: gestures.release(number, of: node, at: end, buttons, into: &outcome)
      }
    }
  }

  /// Forgets debounce windows and scan pairs of a node.
  mutating func closeWindows(_ node: Int) {
    openWindows -= nodes[node].openCells + nodes[node].scans.open.count
    for pair in nodes[node].scans.open where pair.button >= 0 && !pair.isEcho {
      gestures.drop(Int(pair.button), of: node, buttons)
    }
    nodes[node].scans.reset()
    guard nodes[node].openCells > 0 else { return }
    nodes[node].openCells = 0
    for number in nodes[node].cells.indices where nodes[node].cells[number].windowEnd != nil {
      // Without its window the contact is where it was last seen.
      if nodes[node].cells[number].settle() == .release { gestures.drop(number, of: node, buttons) }
    }
  }
}
