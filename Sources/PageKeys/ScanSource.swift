/// Scan codes of a device that sends no key events: press and release are two identical frames.
///
/// A pair that never closes ends after a second, so that one lost frame inverts nothing. A frame that comes soon after
/// that end is in doubt: the late release of a long press, or a press after a release that was lost. It counts when
/// another follows within a second; either way that one then shows exactly one press.
///
///  1. S0 S30          press@0 release@30        5. S0 S1200                    press@0 release@1000
///  2. S0 T10 S30 T40  each code has its pair    6. S0 S1200 S1500              press@0 release@1000 click@1500
///  3. S0 S1000 S2500  as 5, press@2500          7. S0 S1200 S1500 S1600        as 6
///  4. S0 (lost) S5000 S5030  press@0, press@5000, release@5030
struct ScanSource: Sendable {
  struct Pair: Sendable {
    let usage: UInt32
    let button: Int16
    let disposition: Disposition
    let begin: UInt64
    /// The press was in doubt and is dealt with; the pair only takes the frame that may follow.
    var isEcho = false
    var deadline: UInt64 { begin.after(ScanSource.time) }
  }

  /// What a frame is.
  enum Meaning: Sendable {
    case press
    case release(Pair)
    /// Possibly the release of a press that has been ended already.
    case doubt(Pair)
    /// It shows that it and the one in doubt were a press.
    case click
  }

  /// A pair that ended for want of a second frame.
  private struct Lapsed: Sendable {
    let pair: Pair
    /// When a frame came for which this pair puts it in doubt.
    var doubt: UInt64?
  }

  static let time: UInt64 = 1_000_000
  /// Longer than this after its press nobody's release is waited for.
  static let doubtTime: UInt64 = 3_000_000
  private static let most = 16

  /// The device sends no keys, or some of its scan codes are bound.
  let isEnabled: Bool
  private var meanings: [(usage: UInt32, button: Int16)] = []
  private(set) var open: [Pair] = []
  private var lapsed: [Lapsed] = []

  /// - Parameter hasKeys: the node sends key events; then only scan codes that are bound by number count.
  init(_ layout: Layout, hasKeys: Bool, canScan: Bool) {
    isEnabled = canScan && (!hasKeys || !layout.scans.isEmpty)
    guard isEnabled else { return }
    open.reserveCapacity(ScanSource.most)
    lapsed.reserveCapacity(ScanSource.most)
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

  /// Takes a frame of this code: closes its pair, if there is one.
  mutating func frame(_ usage: UInt32, at time: UInt64) -> Meaning {
    if let index = open.firstIndex(where: { $0.usage == usage }) { return .release(open.remove(at: index)) }
    guard let index = lapsed.firstIndex(where: { $0.pair.usage == usage }) else { return .press }
    let earlier = lapsed[index]
    if let doubt = earlier.doubt {
      lapsed.remove(at: index)
      return time.distance(from: doubt) <= ScanSource.time ? .click : .press
    }
    guard time.distance(from: earlier.pair.begin) <= ScanSource.doubtTime else {
      lapsed.remove(at: index)
      return .press
    }
    lapsed[index].doubt = time
    return .doubt(earlier.pair)
  }

  mutating func add(_ pair: Pair) {
    guard open.count < ScanSource.most else { return }
    open.append(pair)
  }

  /// A pair whose second has passed.
  mutating func takeExpired(_ time: UInt64) -> Pair? {
    guard let index = open.firstIndex(where: { $0.deadline <= time }) else { return nil }
    let pair = open.remove(at: index)
    if !pair.isEcho {
      if lapsed.count == ScanSource.most { lapsed.removeFirst() }
      lapsed.append(Lapsed(pair: pair))
    }
    return pair
  }

  var nextDeadline: UInt64? {
    var earliest: UInt64?
    for pair in open { earliest = earlier(earliest, pair.deadline) }
    return earliest
  }

  mutating func reset() {
    open.removeAll(keepingCapacity: true)
    lapsed.removeAll(keepingCapacity: true)
  }
}
