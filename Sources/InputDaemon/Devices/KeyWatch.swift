/// Which keys keep a device from being taken, and which of them are phantoms.
///
/// A device is grabbed only while no key is down: whoever saw the press must see the release. A key that a person
/// holds is waited for without limit. A key that has been down since before the device was opened and has not changed
/// for two seconds is a phantom (a switch stuck for good): its release is written and the device is taken.
///
/// | # | what happens | outcome |
/// |---|---|---|
/// | 1 | nothing is down | clear at once |
/// | 2 | a key pressed after the opening stays down | waits without limit |
/// | 3 | a key down at the opening comes up within 2 s | clear then, no phantom |
/// | 4 | a key down at the opening stays for 2 s | phantom at 2 s |
/// | 5 | as 4, and it repeats (value 2) meanwhile | phantom at 2 s |
/// | 6 | as 4, and another key is pressed and let go meanwhile | phantom at 2 s, the other key changes nothing |
/// | 7 | a key down at the opening comes up and goes down again | no phantom, waits without limit |
/// | 8 | a latch key is down | does not count at all |
/// | 9 | as 4, but the queue overflowed meanwhile | 2 s from the overflow |
struct KeyWatch: Sendable, Equatable {
  /// How long a phantom has not changed, in microseconds.
  static let phantomAge: UInt64 = 2_000_000

  /// What is down now, latch keys left out.
  private(set) var down: KeyBits
  /// What has been down, unchanged, since before the opening.
  private var suspects: KeyBits
  private var unchangedSince: UInt64
  private let latches: KeyBits

  /// - Parameters:
  ///   - downAtOpening: the keys that were down when the device was opened.
  ///   - latches: keys that toggle by design and never count.
  ///   - time: of the opening, in microseconds.
  init(downAtOpening: KeyBits, latches: KeyBits = KeyBits(), at time: UInt64) {
    var state = downAtOpening
    state.subtract(latches)
    down = state
    suspects = state
    unchangedSince = time
    self.latches = latches
  }

  /// Takes the device's own word for what is down, as after an opening or an overflow.
  mutating func assign(_ state: KeyBits) {
    down = state
    down.subtract(latches)
    suspects.formIntersection(down)
  }

  /// Takes one key event.
  mutating func process(key: UInt16, value: Int32) {
    guard value != 2, !latches.contains(key) else { return }
    suspects.remove(key)
    if value == 0 { down.remove(key) } else { down.insert(key) }
  }

  /// Events were lost: a suspect may have changed unseen, so its age starts anew.
  mutating func overflowed(at time: UInt64) {
    unchangedSince = time
  }

  var isClear: Bool { down.isEmpty }

  /// When what is still down will count as a phantom, in microseconds; nil when no key is under suspicion.
  var nextDeadline: UInt64? {
    suspects.isEmpty ? nil : unchangedSince + KeyWatch.phantomAge
  }

  /// The phantoms at `time`: their releases are to be written.
  func phantoms(at time: UInt64) -> KeyBits {
    guard let deadline = nextDeadline, time >= deadline else { return KeyBits() }
    return suspects
  }
}
