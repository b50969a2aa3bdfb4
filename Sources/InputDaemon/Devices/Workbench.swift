internal import PageKeys

/// The buffers through which every event goes: made once, used by one device after the other.
final class Workbench {
  /// What one read brings.
  let input = EventBuffer(capacity: 256)
  /// What one write takes.
  let output = EventBuffer(capacity: 1024)
  private(set) var outputCount = 0

  /// The frame that is being collected.
  private let frame = UnsafeMutablePointer<InputEvent>.allocate(capacity: Workbench.frameCapacity)
  private(set) var frameCount = 0
  static let frameCapacity = 1024

  var outcome = Outcome()

  init() {}

  deinit { frame.deallocate() }

  var frameEvents: UnsafeBufferPointer<InputEvent> { UnsafeBufferPointer(start: frame, count: frameCount) }

  /// - Returns: false when the frame is longer than any that a device sends.
  @inline(__always)
  func collect(_ event: InputEvent) -> Bool {
    guard frameCount < Workbench.frameCapacity else { return false }
    (frame + frameCount).initialize(to: event)
    frameCount += 1
    return true
  }

  @inline(__always)
  func clearFrame() { frameCount = 0 }

  var hasRoomForOutcome: Bool { outputCount + outcome.passed.count <= output.capacity }

  /// What staged events bring with them.
  struct Staged: OptionSet {
    let rawValue: UInt8
    /// The kernel will hand some of it to the clone's own descriptor.
    static let echo = Staged(rawValue: 1)
    /// A key that switches a light.
    static let light = Staged(rawValue: 2)
  }

  /// Puts the outcome's frame behind what is to be written already.
  @discardableResult
  @inline(__always)
  func stageOutcome() -> Staged {
    var staged: Staged = []
    for index in 0..<min(outcome.passed.count, output.capacity - outputCount) {
      let event = outcome.passed[index]
      output.put(event, at: outputCount)
      outputCount += 1
      if event.type == EventType.msc {
        staged.insert(.echo)
      } else if event.type == EventType.key, Workbench.switchesLight(event.code) {
        staged.insert(.light)
      }
    }
    return staged
  }

  @inline(__always)
  private static func switchesLight(_ key: UInt16) -> Bool {
    key == KeyCode.capsLock || key == KeyCode.numLock || key == KeyCode.scrollLock
  }

  func stage(_ event: InputEvent) {
    guard outputCount < output.capacity else { return }
    output.put(event, at: outputCount)
    outputCount += 1
  }

  @inline(__always)
  func clearOutput() { outputCount = 0 }
}
