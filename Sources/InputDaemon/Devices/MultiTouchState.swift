internal import PageKeys

/// The slots of a multi-touch device as its events so far have left them.
///
/// libevdev compares with them after an overflow: a contact that lifted in the gap must be lifted on the clone too.
struct MultiTouchState {
  /// ABS_MT_SLOT, and the first and last of the axes that each slot has.
  static let slotCode: UInt16 = 0x2f
  static let codes: ClosedRange<UInt16> = 0x30...0x3d
  static let trackingCode: UInt16 = 0x39
  private static let codeCount = 14

  let slotCount: Int
  private(set) var current = 0
  private var values: [Int32]

  /// - Parameter slotCount: 1 to 64.
  init(slotCount: Int) {
    self.slotCount = max(1, min(slotCount, 64))
    values = [Int32](repeating: 0, count: self.slotCount * MultiTouchState.codeCount)
    for slot in 0..<self.slotCount { self[slot, MultiTouchState.trackingCode] = -1 }
  }

  subscript(slot: Int, code: UInt16) -> Int32 {
    get { values[slot * MultiTouchState.codeCount + Int(code - MultiTouchState.codes.lowerBound)] }
    set { values[slot * MultiTouchState.codeCount + Int(code - MultiTouchState.codes.lowerBound)] = newValue }
  }

  /// Takes one event of type EV_ABS.
  mutating func process(code: UInt16, value: Int32) {
    if code == MultiTouchState.slotCode {
      current = max(0, min(Int(value), slotCount - 1))
    } else if MultiTouchState.codes.contains(code) {
      self[current, code] = value
    }
  }
}
