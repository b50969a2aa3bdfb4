internal import CEvdev
internal import CLinux
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

  /// Reads what is there, at most as much as there is room for; never waits.
  ///
  /// - Returns: how many events; 0 also when the device is gone.
  func fill(from descriptor: Int32) -> Int {
    max(0, cl_read(descriptor, storage, byteCount)) / MemoryLayout<input_event>.stride
  }

  /// Puts an event to be written; the kernel stamps it itself.
  @inline(__always)
  func put(_ event: InputEvent, at index: Int) {
    storage[index] = ev_event(event.type, event.code, event.value)
  }
}
