import CKernelShims

/// One input event as a test writes or sees it, e.g. `Event(.key, Key.a, 1)`.
struct Event: Equatable, Sendable, CustomStringConvertible {
  enum Kind: UInt16 {
    case synchronise = 0
    case key = 1
    case relative = 2
    case absolute = 3
    case misc = 4
    case toggle = 5
    case led = 0x11
    case repetition = 0x14
    case forceFeedback = 0x15
    case uinput = 0x101
  }

  var type: UInt16
  var code: UInt16
  var value: Int32
  /// Microseconds on CLOCK_MONOTONIC; 0 when the event was made by a test.
  var time: UInt64 = 0

  init(_ kind: Kind, _ code: UInt16, _ value: Int32) {
    (type, self.code, self.value) = (kind.rawValue, code, value)
  }

  init(raw: input_event) {
    (type, code, value) = (raw.type, raw.code, raw.value)
    time = UInt64(raw.time.tv_sec) * 1_000_000 + UInt64(raw.time.tv_usec)
  }

  var kind: Kind? { Kind(rawValue: type) }

  var raw: input_event {
    var event = input_event()
    (event.type, event.code, event.value) = (type, code, value)
    return event
  }

  /// Equal but for the time.
  func same(as other: Event) -> Bool { type == other.type && code == other.code && value == other.value }

  var description: String { "\(type)/\(code)=\(value)" }

  static let report = Event(.synchronise, 0, 0)
}

/// Codes of linux/input-event-codes.h that the scenarios use.
enum Key {
  static let escape: UInt16 = 1
  static let enter: UInt16 = 28
  static let leftControl: UInt16 = 29
  static let a: UInt16 = 30
  static let s: UInt16 = 31
  static let d: UInt16 = 32
  static let leftShift: UInt16 = 42
  static let z: UInt16 = 44
  static let b: UInt16 = 48
  static let leftAlt: UInt16 = 56
  static let space: UInt16 = 57
  static let capsLock: UInt16 = 58
  static let right: UInt16 = 106
  static let pageUp: UInt16 = 104
  static let left: UInt16 = 105
  static let pageDown: UInt16 = 109
  static let mute: UInt16 = 113
  static let volumeDown: UInt16 = 114
  static let volumeUp: UInt16 = 115
  static let power: UInt16 = 116
  static let nextSong: UInt16 = 163
  static let playPause: UInt16 = 164
  static let previousSong: UInt16 = 165
  static let buttonLeft: UInt16 = 0x110
  static let buttonRight: UInt16 = 0x111
  static let buttonSouth: UInt16 = 0x130
  static let buttonEast: UInt16 = 0x131
  static let touch: UInt16 = 0x14a

  /// The usual typewriter keys, 1 to 88 without gaps.
  static let typewriter: [UInt16] = Array(1...88)
  /// The letters of the home row's neighbourhood, in code order.
  static let letters: [UInt16] = Array(16...25) + Array(30...38) + Array(44...50)
}

enum Axis {
  static let x: UInt16 = 0
  static let y: UInt16 = 1
  static let hatX: UInt16 = 16
  static let hatY: UInt16 = 17
}

enum Led {
  static let numLock: UInt16 = 0
  static let capsLock: UInt16 = 1
}
