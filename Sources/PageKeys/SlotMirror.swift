/// The values of multi-touch slots on the device and on its clone, so that a swallowed touch leaves no trace.
struct SlotMirror: Sendable {
  static let slots = 16
  private static let codes = Int(AbsoluteCode.lastOfSlot - AbsoluteCode.firstOfSlot) + 1
  private static let unknown = Int32.min

  private var device: [Int32] = []
  private var clone: [Int32] = []
  private var deviceSlot: Int32 = 0
  private var cloneSlot: Int32 = 0

  init(isPresent: Bool, slot: Int32) {
    guard isPresent else { return }
    device = [Int32](repeating: SlotMirror.unknown, count: SlotMirror.slots * SlotMirror.codes)
    clone = device
    deviceSlot = slot
    cloneSlot = slot
  }

  static func covers(_ code: UInt16) -> Bool { (AbsoluteCode.slot...AbsoluteCode.lastOfSlot).contains(code) }

  private func index(_ slot: Int32, _ code: UInt16) -> Int? {
    guard !device.isEmpty, slot >= 0, slot < Int32(SlotMirror.slots) else { return nil }
    return Int(slot) * SlotMirror.codes + Int(code - AbsoluteCode.firstOfSlot)
  }

  mutating func note(_ code: UInt16, _ value: Int32, passes: Bool) {
    if code == AbsoluteCode.slot {
      deviceSlot = value
      if passes { cloneSlot = value }
    } else {
      if let index = index(deviceSlot, code) { device[index] = value }
      if passes, let index = index(cloneSlot, code) { clone[index] = value }
    }
  }

  /// Adds what brings the clone's slots to the device's values; fingers themselves are never made up.
  mutating func catchUp(at time: UInt64, into events: inout [InputEvent]) {
    for slot in 0..<Int32(device.isEmpty ? 0 : SlotMirror.slots) {
      for code in AbsoluteCode.firstOfSlot...AbsoluteCode.lastOfSlot where code != AbsoluteCode.trackingID {
        guard let index = index(slot, code), device[index] != clone[index], device[index] != SlotMirror.unknown else {
          continue
        }
        select(slot, at: time, into: &events)
        clone[index] = device[index]
        events.append(InputEvent(type: EventType.abs, code: code, value: device[index], time: time))
      }
    }
    select(deviceSlot, at: time, into: &events)
  }

  /// Adds the lift of every finger that the clone has.
  mutating func lift(at time: UInt64, into events: inout [InputEvent]) {
    for slot in 0..<Int32(device.isEmpty ? 0 : SlotMirror.slots) {
      guard let index = index(slot, AbsoluteCode.trackingID), clone[index] >= 0 else { continue }
      select(slot, at: time, into: &events)
      clone[index] = -1
      events.append(InputEvent(type: EventType.abs, code: AbsoluteCode.trackingID, value: -1, time: time))
    }
    select(deviceSlot, at: time, into: &events)
  }

  private mutating func select(_ slot: Int32, at time: UInt64, into events: inout [InputEvent]) {
    guard !device.isEmpty, slot != cloneSlot else { return }
    cloneSlot = slot
    events.append(InputEvent(type: EventType.abs, code: AbsoluteCode.slot, value: slot, time: time))
  }
}
