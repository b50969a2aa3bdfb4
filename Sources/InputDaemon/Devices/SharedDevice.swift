internal import EventLoop
internal import PageKeys

/// A device with its clone: opened, and held when somebody is there.
///
/// It owns both for as long as the device lives. The event path is in `SharedDevice+Events.swift`, taking and giving
/// back in `SharedDevice+Holding.swift`.
final class SharedDevice {
  let device: EvdevDevice
  let clone: UinputClone
  /// Sees what the others see of the device.
  let bystander: Bystander
  let bench: Workbench
  /// Strong, since asking a weaker reference costs the event path; the node lets go of the device when it is gone.
  let node: KnownNode
  let remote: Remote
  let manager: DeviceManager
  /// Its number in the remote's pipeline.
  var index = 0

  var machine = HoldMachine()
  var watch: KeyWatch

  /// While it is held: what its events have put down, phantoms left out.
  var keys = KeyBits()
  var downCount = 0
  /// While it is held: the last value of each axis, nil where there is no such axis.
  var axes: [Int32?]
  var switches: UInt32 = 0
  var touch: MultiTouchState?
  /// Keys whose stuck press was written away: they count for nothing until they really come up.
  var phantoms = KeyBits()
  var hasPhantoms = false
  /// While it is not held: the kernel dropped events, so the keys are to be asked for.
  var hasLostUnheld = false
  /// Something waits for the last key to come up: the end of holding, another role.
  var awaitsKeyUp = false
  var effects = EffectTable()
  /// The device is busy with an effect: nothing but reading is to be asked of it.
  var isAnswering = false
  /// Its clone was nobody's when it was first taken.
  var hasBeenTaken = false
  /// It takes part in nothing any more; its clone is about to be destroyed.
  var isBuried = false
  /// Hears what becomes of the clone.
  var hearing = CloneHearing()

  let loop: EventLoop
  private var deviceRegistration: EventLoop.Registration?
  private(set) var isReading = false

  /// - Throws: what stands in the way of making the clone, or epoll_ctl.
  init(
    device: consuming EvdevDevice, node: KnownNode, manager: DeviceManager, loop: EventLoop, bench: Workbench
  ) throws(SystemError) {
    let now = loop.now
    var down = KeyBits()
    try device.readKeys(into: &down)
    let slots = device.slotCount
    let codes = device.codes(of: EventType.abs)
    bystander = try Bystander(path: device.path)
    clone = try UinputClone(of: device)
    self.device = device
    self.node = node
    remote = node.remote
    self.manager = manager
    self.loop = loop
    self.bench = bench
    touch = slots > 0 ? MultiTouchState(slotCount: slots) : nil
    axes = [Int32?](repeating: nil, count: CodeCount.abs)
    for code in codes where Int(code) < CodeCount.abs { axes[Int(code)] = 0 }
    watch = KeyWatch(downAtOpening: down, latches: KeyBits(node.remote.settings.latches.codes), at: now)
    hearing.own = try loop.add(clone.rawValue, .readable) { [unowned self] _ in cloneReady() }
    // Held strongly by the loop until `deafen`, which saves the event path the asking whether it is still there.
    deviceRegistration = try loop.add(self.device.rawValue, [], urgency: .input) { [self] in ready($0) }
  }

  deinit { stopListening() }

  private func stopListening() {
    for registration in [deviceRegistration, hearing.own, hearing.node] {
      if let registration { loop.remove(registration) }
    }
    deviceRegistration = nil
    hearing.own = nil
    hearing.node = nil
  }

  var name: String { remote.name }
  var path: String { node.found.path }
  var now: UInt64 { loop.now }

  /// A key, throw or touch is down: on the device, or on the clone.
  var isAnythingDown: Bool { machine.isHeld && (downCount > 0 || remote.pipeline.isDown(index)) }

  /// No key keeps the device from being taken, or none that is more than a phantom.
  var isClearToTake: Bool { watch.isClear }

  /// When to look at it again, in microseconds.
  var nextDeadline: UInt64? {
    machine.phase == .waitingForKey ? watch.nextDeadline : machine.nextDeadline
  }

  /// Brings the clone to the device's state as it is now.
  func synchronise() {
    remote.pipeline.synchronise(index, with: state, at: now, into: &bench.outcome)
    settleOutcome()
    flush()
  }

  /// Routing began or ended: the clone's axes and switches follow the device again.
  func catchUp() {
    remote.pipeline.catchUp(index, at: now, into: &bench.outcome)
    settleOutcome()
    flush()
    if touch != nil, downCount == 0 { copySlots() }
  }

  /// Reads the device from now on, or only hears of its hang-up.
  func read(_ isReading: Bool) {
    // Beginning once more is no waste: only what is new calls, and something may have been left.
    guard isReading || self.isReading else { return }
    self.isReading = isReading
    listenAnew()
  }

  /// Sets anew what is heard of the device; what is there already counts.
  func listenAnew() {
    guard let deviceRegistration else { return }
    do throws(SystemError) {
      try loop.modify(deviceRegistration, isReading ? [.readable, .edge] : [])
    } catch {
      // Only for lack of memory. A device that is held and not heard would be a dead keyboard.
      device.ungrab()
      isReading = false
    }
  }

  /// Hears what the desktop sends to the clone, or lets it wait.
  func hearClone(_ isHeard: Bool) {
    if let own = hearing.own { try? loop.modify(own, isHeard ? .readable : []) }
  }

  /// Hears nothing more of the device, nor of the clone: it is gone.
  func deafen() {
    stopListening()
    isReading = false
  }

  // MARK: The clone, written to

  /// Writes what has been staged with one system call.
  @inline(__always)
  func flush() {
    guard bench.outputCount > 0 else { return }
    if !hearing.isSettled { settleHearing() }
    clone.write(bench.output, count: bench.outputCount)
    bench.clearOutput()
  }

  /// Brings the repeat times of the clone to the device's: libevdev does not copy them.
  func copyRepeatTimes() {
    guard let times = device.repeatTimes() else { return }
    bench.stage(InputEvent(type: EventType.rep, code: 0, value: times.delay, time: 0))
    bench.stage(InputEvent(type: EventType.rep, code: 1, value: times.period, time: 0))
    bench.stage(InputEvent(type: EventType.syn, code: 0, value: 0, time: 0))
    flush()
  }

  /// Brings the switches of the clone to the device's: a fresh clone has them all off.
  func copySwitches() {
    guard let switches = try? device.switches(), device.has(type: EventType.sw) else { return }
    self.switches = switches
    for code in 0..<UInt16(CodeCount.sw) where device.has(type: EventType.sw, code: code) {
      let value = Int32((switches >> UInt32(code)) & 1)
      bench.stage(InputEvent(type: EventType.sw, code: code, value: value, time: 0))
    }
    bench.stage(InputEvent(type: EventType.syn, code: 0, value: 0, time: 0))
    flush()
  }

  /// Brings the slots of the clone to the device's; no contact may be down on either.
  func copySlots() {
    guard var touch else { return }
    for code in MultiTouchState.codes
    where code != MultiTouchState.trackingCode && device.has(type: EventType.abs, code: code) {
      guard let values = try? device.slots(of: code, count: touch.slotCount) else { continue }
      for (slot, value) in values.enumerated() { touch[slot, code] = value }
    }
    for slot in 0..<touch.slotCount {
      bench.stage(InputEvent(type: EventType.abs, code: MultiTouchState.slotCode, value: Int32(slot), time: 0))
      for code in MultiTouchState.codes
      where code != MultiTouchState.trackingCode && device.has(type: EventType.abs, code: code) {
        bench.stage(InputEvent(type: EventType.abs, code: code, value: touch[slot, code], time: 0))
      }
    }
    if let current = try? device.axis(MultiTouchState.slotCode) {
      touch.process(code: MultiTouchState.slotCode, value: current.value)
    }
    bench.stage(
      InputEvent(type: EventType.abs, code: MultiTouchState.slotCode, value: Int32(touch.current), time: 0))
    bench.stage(InputEvent(type: EventType.syn, code: 0, value: 0, time: 0))
    self.touch = touch
    flush()
  }

  /// Releases on the clone what is down there.
  func releaseClone() {
    remote.pipeline.detach(index, at: now, into: &bench.outcome)
    bench.stageOutcome()
    flush()
  }
}
