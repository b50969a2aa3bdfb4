internal import EventLoop
internal import PageKeys
internal import ReaderIPC

/// pagerd's own virtual keyboard: emitted keys, and the sign that a person is there.
final class OwnKeyboard {
  /// KEY_UNKNOWN: it has no key symbol anywhere, and counts as a sign of life everywhere.
  static let activityKey: UInt16 = 240

  private let configuration: Configuration
  private var keyboard: VirtualKeyboard?
  private var hasFailed = false
  private var gauge = ActivityGauge()
  private let buffer = EventBuffer(capacity: 64)

  init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// There is something that it is needed for.
  private var isUseful: Bool { configuration.keepsAwake || !configuration.emitted.isEmpty }

  /// Makes the keyboard if it is needed and not there; one failure is told once.
  func make(tell: (DeviceNotice) -> Void) {
    guard keyboard == nil, isUseful else { return }
    var keys = CodeSet([OwnKeyboard.activityKey])
    for emission in configuration.emitted {
      for key in emission.keys { keys.insert(key) }
    }
    do throws(SystemError) {
      keyboard = try VirtualKeyboard(keys: keys.codes)
      hasFailed = false
    } catch {
      if !hasFailed { tell(.emitter(error)) }
      hasFailed = true
    }
  }

  /// - Returns: false when there is no keyboard or `[emit]` names no key for the command.
  func emit(_ command: Command) -> Bool {
    guard keyboard != nil, let emission = configuration.emitted.last(where: { $0.command == command }),
      !emission.keys.isEmpty
    else { return false }
    var count = 0
    func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
      guard count < buffer.capacity else { return }
      buffer.put(InputEvent(type: type, code: code, value: value, time: 0), at: count)
      count += 1
    }
    for key in emission.keys.prefix(8) {
      put(EventType.key, key, 1)
      put(EventType.syn, 0, 0)
    }
    for key in emission.keys.prefix(8).reversed() {
      put(EventType.key, key, 0)
      put(EventType.syn, 0, 0)
    }
    keyboard?.write(buffer, count: count)
    return true
  }

  /// A routed press; nothing is written yet.
  ///
  /// - Returns: whether `showActivity` is due.
  @inline(__always)
  func pressed(at time: UInt64) -> Bool { configuration.keepsAwake && gauge.pressed(at: time) }

  /// Shows the desktop that somebody is there.
  func showActivity() {
    let end = InputEvent(type: EventType.syn, code: 0, value: 0, time: 0)
    buffer.put(InputEvent(type: EventType.key, code: OwnKeyboard.activityKey, value: 1, time: 0), at: 0)
    buffer.put(end, at: 1)
    buffer.put(InputEvent(type: EventType.key, code: OwnKeyboard.activityKey, value: 0, time: 0), at: 2)
    buffer.put(end, at: 3)
    keyboard?.write(buffer, count: 4)
  }
}
