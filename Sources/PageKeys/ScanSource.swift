/// Scan codes of a device that sends no key events: press and release are two identical frames.
///
/// A pair that never closes ends after a second, so that one lost frame inverts nothing.
///
///  1. S0 S30          press@0 release@30        3. S0 S1000       press@0 release@1000 press@1000
///  2. S0 T10 S30 T40  each code has its pair    4. S0 (lost) S5000 S5030  press@0, press@5000, release@5030
struct ScanSource: Sendable {
  struct Pair: Sendable {
    let usage: UInt32
    let button: Int16
    let disposition: Disposition
    let begin: UInt64
    var deadline: UInt64 { begin.after(ScanSource.time) }
  }

  static let time: UInt64 = 1_000_000
  private static let most = 16

  /// The device sends no keys, or some of its scan codes are bound.
  let isEnabled: Bool
  private var meanings: [(usage: UInt32, button: Int16)] = []
  private(set) var open: [Pair] = []

  /// - Parameter hasKeys: the node sends key events; then only scan codes that are bound by number count.
  init(_ layout: Layout, hasKeys: Bool, canScan: Bool) {
    isEnabled = canScan && (!hasKeys || !layout.scans.isEmpty)
    guard isEnabled else { return }
    open.reserveCapacity(ScanSource.most)
    meanings = layout.scans
    guard !hasKeys else { return }
    for (usage, key) in UsageTable.keys where layout.keys[Int(key)] >= 0 {
      meanings.append((usage, layout.keys[Int(key)]))
    }
  }

  /// The button of a scan code: its own, else that of the key which Linux gives it; -1: none.
  func button(of usage: UInt32) -> Int16 {
    for meaning in meanings where meaning.usage == usage { return meaning.button }
    return -1
  }

  /// Closes the pair of this code.
  ///
  /// - Returns: nil if there was none: it is a press.
  mutating func close(_ usage: UInt32) -> Pair? {
    guard let index = open.firstIndex(where: { $0.usage == usage }) else { return nil }
    return open.remove(at: index)
  }

  mutating func add(_ pair: Pair) {
    guard open.count < ScanSource.most else { return }
    open.append(pair)
  }

  /// A pair whose second has passed.
  mutating func takeExpired(_ time: UInt64) -> Pair? {
    guard let index = open.firstIndex(where: { $0.deadline <= time }) else { return nil }
    return open.remove(at: index)
  }

  var nextDeadline: UInt64? {
    var earliest: UInt64?
    for pair in open { earliest = earlier(earliest, pair.deadline) }
    return earliest
  }

  mutating func reset() { open.removeAll(keepingCapacity: true) }
}
