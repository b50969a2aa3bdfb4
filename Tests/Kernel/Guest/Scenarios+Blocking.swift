import CKernelShims
import Glibc

/// Calls that the kernel lets wait, and that nobody else may wait for.
extension Scenarios {
  /// The maker of a virtual pad does not answer an effect for a while; the kernel would wait 30 s for it.
  static func padAnswersLate(_ world: World) throws {
    world.configure("[device \"Late Pad\"]\nrole = page-turner\n")
    var plan = DevicePlan(
      name: "Late Pad", phys: "test/late-pad/input0", keys: [0x130, 0x131, 0x133], scans: false, repeats: false)
    plan.effects = 4
    let held = try world.held(plan)
    let other = try VirtualDevice(.keyboard("Patient Keyboard"), in: world)
    try held.daemon.reach("held", "Patient Keyboard")
    let clone = try Observer(held.daemon.clone(of: other).path, in: world)
    held.device.answersEffects = false
    world.unwatch(held.device)
    let rumble = try Process(
      ["/proc/self/exe", "--rumble", held.clone.path], log: held.daemon.process.log, in: world)
    var request = pollfd(fd: held.device.descriptor, events: Int16(POLLIN), revents: 0)
    try world.require("the pad is asked for the effect") {
      request.revents = 0
      return poll(&request, 1, 0) > 0
    }
    other.press(Key.a)
    try world.require("letters of another device pass meanwhile", seconds: 3) { clone.keys(Key.a) == [1, 0] }
    other.press(Key.volumeDown)
    try world.require("its page keys turn", seconds: 3) { held.reader.names == ["next"] }
    held.device.press(0x131)
    try world.require("and so do the pad's own", seconds: 3) { held.reader.names == ["next", "prev"] }
    try held.reader.release(world)
    held.device.press(0x133)
    try world.require("its other buttons pass", seconds: 3) { held.clone.keys(0x133) == [1, 0] }
    // Giving the pad back has to wait for the answer; nobody else has to.
    held.reader.connection.shut()
    try held.daemon.reach("ready", "Patient Keyboard", seconds: 3)
    world.equal("the pad is still held", held.daemon.state(of: "Late Pad"), "held")
    world.check("nobody has answered so far", rumble.exitCode == nil)
    held.device.answersEffects = true
    world.watch(held.device)
    try world.require("with the answer the effect plays", detail: { held.daemon.tail }) { rumble.exitCode != nil }
    world.equal("and the asker is told", rumble.exitCode, 0, held.daemon.tail)
    try world.require("the device was told to", detail: { "\(held.device.uploads) \(held.device.plays)" }) {
      held.device.uploads == [4096] && held.device.plays.contains { $0.value == 1 } && held.device.erases == 1
    }
    try held.daemon.reach("ready", "Late Pad")
    held.checkNothingStuck("nothing is pressed")
  }

  /// The kernel takes its time to destroy a clone; presses on other devices are not late for that.
  ///
  /// What is looked at is who waits, the loop's thread or another: times say little on an emulated processor.
  static func unplugDelaysNobody(_ world: World) throws {
    let held = try world.held(.keyboard("Prompt Keyboard"))
    let plugged = try (0..<5).map { try VirtualDevice(.keyboard("Leaving Keyboard \($0)"), in: world) }
    for device in plugged { try held.daemon.reach("held", device.plan.name) }
    let clones = try plugged.map { try Observer(held.daemon.clone(of: $0).path, in: world) }
    plugged[0].key(Key.s, 1)
    try world.require("a letter is held on a device that goes") { clones[0].down == [Key.s] }
    for device in plugged { device.unplugApart() }
    var (loopWaits, othersWait, letters) = (0, 0, 0)
    let came = world.wait {
      // D: in the kernel, and not to be disturbed.
      let waiting = held.daemon.process.threads.filter { $0.state == "D" }
      if waiting.contains(where: { $0.identifier == held.daemon.process.identifier }) { loopWaits += 1 }
      if waiting.contains(where: { $0.identifier != held.daemon.process.identifier }) { othersWait += 1 }
      guard held.clone.keys(Key.a).count == 2 * letters else { return false }
      if clones.allSatisfy(\.gone) { return true }
      letters += 1
      held.device.press(Key.a)
      return false
    }
    world.check("the clones go, and letters pass meanwhile", came && letters > 5, "\(letters) \(held.daemon.tail)")
    world.check("readers of the clone saw the letter come up", clones[0].down.isEmpty, clones[0].keyText)
    world.check(
      "the loop does not wait for them", othersWait > 0 && loopWaits * 4 <= othersWait,
      "the loop was seen waiting \(loopWaits) times, others \(othersWait) times, \(letters) letters passed")
    try held.checkNextPressWorks()
    held.checkNothingStuck("nothing is pressed")
  }
}
