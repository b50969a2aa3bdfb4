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
    let count = clone.read(into: bench.input)
    for index in 0..<count {
      let event = bench.input.event(index)
      switch event.type {
      case EventType.led, EventType.snd: device.write(type: event.type, code: event.code, value: event.value)
      case EventType.ff: play(event)
      case SharedDevice.requestType: answer(event)
      default: break
      }
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

  private func answer(_ event: InputEvent) {
    let request = UInt32(bitPattern: event.value)
    var failure: Int32 = 0
    if event.code == SharedDevice.uploadCode {
      _ = clone.answerUpload(request: request) { effect in
        let result = device.upload(effect, as: effects[effect.number])
        guard result >= 0 else {
          failure = -result
          return result
        }
        effects[effect.number] = Int16(truncatingIfNeeded: result)
        return 0
      }
    } else if event.code == SharedDevice.eraseCode {
      _ = clone.answerErase(request: request) { number in
        let own = effects[number]
        guard own >= 0 else { return 0 }
        effects[number] = -1
        return device.erase(effect: own)
      }
    }
    switch failure {
    // The asker's own mistake, a device that is full, or one that is gone: it would have had the same answer from it.
    case 0, EINVAL, ENOSPC, ENODEV, EINTR, ENOMEM: break
    default: manager.forceFeedbackFailed(self, errno: failure)
    }
  }
}
