internal import CEvdev
internal import PageKeys

/// Room for the events of one read or one write, allocated once.
struct EventBuffer: ~Copyable {
  let storage: UnsafeMutablePointer<input_event>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: input_event(), count: capacity)
  }

  deinit { storage.deallocate() }

  var byteCount: Int { capacity * MemoryLayout<input_event>.stride }

  @inline(__always)
  func event(_ index: Int) -> InputEvent {
    let event = storage + index
    return InputEvent(
      type: event.pointee.type, code: event.pointee.code, value: event.pointee.value, time: ev_event_time(event))
  }

  /// Puts an event to be written; the kernel stamps it itself.
  @inline(__always)
  func put(_ event: InputEvent, at index: Int) {
    storage[index] = ev_event(event.type, event.code, event.value)
  }
}
