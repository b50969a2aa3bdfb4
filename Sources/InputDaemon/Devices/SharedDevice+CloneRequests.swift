internal import EventLoop
internal import Glibc
internal import PageKeys

/// What the desktop sends to the clone goes back to the device: LEDs, sounds, force feedback.
extension SharedDevice {
  /// `EV_UINPUT`, and its two codes. Source: linux/uinput.h.
  private static let requestType: UInt16 = 0x0101
  private static let uploadCode: UInt16 = 1
  private static let eraseCode: UInt16 = 2
  /// Codes of EV_FF below this play an effect; FF_GAIN and FF_AUTOCENTER stand above. Source: linux/input.h.
  private static let effectCodes: UInt16 = 0x60

  func cloneReady() {
    // A bounded number a wake-up; what is left makes the descriptor ready again.
    for _ in 0..<64 {
      guard !isAnswering, let event = clone.read() else { return }
      sendBack(event)
    }
  }

  /// Does what an event that was read from the clone asks for.
  func sendBack(_ event: InputEvent) {
    switch event.type {
    case EventType.led, EventType.snd: device.write(type: event.type, code: event.code, value: event.value)
    case EventType.ff: play(event)
    case SharedDevice.requestType: answer(event)
    default: break
    }
  }

  private func play(_ event: InputEvent) {
    guard event.code < SharedDevice.effectCodes else {
      device.write(type: EventType.ff, code: event.code, value: event.value)
      return
    }
    let number = effects[Int16(event.code)]
    guard number >= 0 else { return }
    device.write(type: EventType.ff, code: UInt16(number), value: event.value)
  }

  /// Passes an upload or an erasure on to the device, beside the loop: the driver of a device that is a program itself
  /// waits for that program, and for up to 30 s. The kernel lets a clone have one such request at a time.
  private func answer(_ event: InputEvent) {
    let request = UInt32(bitPattern: event.value)
    if event.code == SharedDevice.uploadCode {
      guard let upload = clone.beginUpload(request: request) else { return }
      begin()
      device.upload(upload, as: effects[upload.number], manager.aside) { [self] result in
        if result == 0 { effects[upload.number] = upload.numberOnDevice }
        clone.end(upload, result: result)
        end(failure: -result)
      }
    } else if event.code == SharedDevice.eraseCode {
      guard let number = clone.beginErase(request: request) else { return }
      let own = effects[number]
      guard own >= 0 else { return clone.endErase(request: request, result: 0) }
      effects[number] = -1
      begin()
      device.erase(effect: own, manager.aside) { [self] result in
        clone.endErase(request: request, result: result)
        end(failure: 0)
      }
    }
  }

  /// Until the answer is there the kernel lets nobody do more with the device than read its events.
  private func begin() {
    isAnswering = true
    hearClone(false)
  }

  private func end(failure: Int32) {
    isAnswering = false
    guard !isBuried else { return }
    hearClone(true)
    switch failure {
    // The asker's own mistake, a device that is full, or one that is gone: it would have had the same answer from it.
    case 0, EINVAL, ENOSPC, ENODEV, EINTR, ENOMEM: break
    default: return manager.forceFeedbackFailed(self, errno: failure)
    }
    // What had to wait for it.
    manager.update(self)
    manager.finish()
  }
}
