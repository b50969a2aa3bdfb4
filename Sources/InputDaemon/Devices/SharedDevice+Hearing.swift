internal import EventLoop
internal import PageKeys

/// How a device hears what becomes of its clone.
///
/// Lights, sounds and effects that the desktop sends come by the clone's own descriptor, at once. But the kernel gives
/// that descriptor the scan codes back, too, so every letter would wake pagerd a second time. While somebody types, the
/// clone's node tells of the lights instead, filtered by the kernel. It tells of a light that was set without the end of
/// a frame (`/sys/class/leds` does that) only with the next frame or, by the own descriptor, after a second; for the keys
/// that switch lights themselves the own descriptor is therefore listened to.
struct CloneHearing: ~Copyable {
  /// The clone's own descriptor.
  var own: EventLoop.Registration?
  /// Reads along on the clone's node, once that can be opened.
  var witness: CloneWitness?
  /// The node, where it can tell of the lights.
  var node: EventLoop.Registration?

  /// The own descriptor is listened to.
  var isListening = true
  /// The kernel has handed some of what was written to the own descriptor.
  var isEchoed = false
  /// A key that may switch a light is about to be written.
  var mayLight = false
  /// Nothing is left to be done before something is written to the clone.
  var isSettled = false
  /// Something was written to the clone in this second, so the witness will be asked at its end.
  var isWitnessDue = false
  /// The witness has seen something of that.
  var hasProof = false
}

extension SharedDevice {
  /// What a frame for the clone brings with it.
  @inline(__always)
  func note(_ staged: Workbench.Staged) {
    if staged.contains(.echo) { hearing.isEchoed = true }
    if staged.contains(.light) {
      hearing.mayLight = true
      hearing.isSettled = false
    }
  }

  /// Prepares for writing to the clone: for the first write in a second, and for keys that may switch lights.
  func settleHearing() {
    if !hearing.isWitnessDue {
      hearing.isWitnessDue = true
      manager.expectWitness()
    }
    if hearing.mayLight {
      hearing.mayLight = false
      listen()
    } else {
      if hearing.node != nil, hearing.isListening, let own = hearing.own {
        loop.pause(own)
        hearing.isListening = false
      }
      hearing.isSettled = true
    }
  }

  private func listen() {
    guard !hearing.isListening, let own = hearing.own else { return }
    cloneReady()
    // Only for lack of memory: it is tried again after a second, and meanwhile the node tells of the lights.
    hearing.isListening = (try? loop.resume(own, .readable)) != nil
  }

  /// Scan codes came back from the clone: read now, they wake nobody.
  func takeEcho() {
    hearing.isEchoed = false
    if hearing.isListening { cloneReady() }
  }

  // MARK: The witness

  /// The clone is to be shown to be nobody's: before its first use, and when a program that grabs came.
  func isCloneGrabbed() -> Bool {
    if hearing.witness == nil { openWitness() }
    return hearing.witness?.isGrabbedByOther ?? false
  }

  private func openWitness() {
    hearing.witness = try? CloneWitness(node: clone.node)
    // Effects come by the own descriptor alone.
    guard !device.has(type: EventType.ff), let fd = hearing.witness?.rawValue,
      hearing.witness?.show(everything: true) == true
    else { return }
    hearing.node = try? loop.add(fd, .readable) { [unowned self] _ in readWitness() }
  }

  private func readWitness() {
    var count = bench.input.capacity
    while count == bench.input.capacity {
      count = hearing.witness?.read(into: bench.input) ?? 0
      if count > 0, !hearing.hasProof {
        hearing.hasProof = true
        if hearing.node != nil { hearing.witness?.show(everything: false) }
      }
      for index in 0..<count where !hearing.isListening { sendBack(bench.input.event(index)) }
    }
  }

  /// Asks, a second after something was written to the clone, whether that could be read there.
  ///
  /// - Returns: whether another program has grabbed the clone.
  func isCloneSilent() -> Bool {
    hearing.isWitnessDue = false
    hearing.isSettled = false
    listen()
    if !hearing.hasProof { readWitness() }
    let isSilent = !hearing.hasProof
    hearing.hasProof = false
    if !isSilent, hearing.node != nil { hearing.witness?.show(everything: true) }
    return isSilent && hearing.witness?.isGrabbedByOther ?? false
  }
}
