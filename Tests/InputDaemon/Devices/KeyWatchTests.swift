import Testing

@testable import InputDaemon

@Suite("Key watch")
struct KeyWatchTests {
  private let enter: UInt16 = 28
  private let volume: UInt16 = 114
  private let age = KeyWatch.phantomAge

  @Test("1: nothing is down")
  func nothing() {
    let watch = KeyWatch(downAtOpening: KeyBits(), at: 0)
    #expect(watch.isClear)
    #expect(watch.nextDeadline == nil)
    #expect(watch.phantoms(at: age * 9).isEmpty)
  }

  @Test("2: a key pressed after the opening is waited for without limit")
  func pressedLater() {
    var watch = KeyWatch(downAtOpening: KeyBits(), at: 0)
    watch.process(key: enter, value: 1)
    #expect(!watch.isClear)
    #expect(watch.nextDeadline == nil)
    #expect(watch.phantoms(at: age * 1000).isEmpty)
  }

  @Test("3: a key down at the opening comes up in time")
  func comesUp() {
    var watch = KeyWatch(downAtOpening: KeyBits([enter]), at: 0)
    #expect(watch.nextDeadline == age)
    watch.process(key: enter, value: 0)
    #expect(watch.isClear)
    #expect(watch.nextDeadline == nil)
    #expect(watch.phantoms(at: age).isEmpty)
  }

  @Test("4: a key down at the opening stays: phantom at 2 s, not before")
  func phantom() {
    let watch = KeyWatch(downAtOpening: KeyBits([volume]), at: 7)
    #expect(watch.phantoms(at: age + 6).isEmpty)
    #expect(watch.phantoms(at: age + 7).codes == [volume])
  }

  @Test("5: autorepeat is no change")
  func repeats() {
    var watch = KeyWatch(downAtOpening: KeyBits([volume]), at: 0)
    watch.process(key: volume, value: 2)
    #expect(watch.phantoms(at: age).codes == [volume])
  }

  @Test("6: another key changes nothing for the phantom")
  func anotherKey() {
    var watch = KeyWatch(downAtOpening: KeyBits([volume]), at: 0)
    watch.process(key: enter, value: 1)
    watch.process(key: enter, value: 0)
    #expect(watch.phantoms(at: age).codes == [volume])
  }

  @Test("7: a key that came up and went down again is no phantom")
  func pressedAgain() {
    var watch = KeyWatch(downAtOpening: KeyBits([enter]), at: 0)
    watch.process(key: enter, value: 0)
    watch.process(key: enter, value: 1)
    #expect(!watch.isClear)
    #expect(watch.phantoms(at: age * 9).isEmpty)
  }

  @Test("8: a latch key does not count")
  func latch() {
    var watch = KeyWatch(downAtOpening: KeyBits([258]), latches: KeyBits([258]), at: 0)
    #expect(watch.isClear)
    watch.process(key: 258, value: 1)
    watch.assign(KeyBits([258]))
    #expect(watch.isClear)
    #expect(watch.nextDeadline == nil)
  }

  @Test("9: after an overflow the age starts anew")
  func overflow() {
    var watch = KeyWatch(downAtOpening: KeyBits([volume]), at: 0)
    watch.overflowed(at: age / 2)
    watch.assign(KeyBits([volume, enter]))
    #expect(watch.phantoms(at: age).isEmpty)
    #expect(watch.phantoms(at: age * 3 / 2).codes == [volume])
    #expect(watch.down.codes == [enter, volume])
  }

  @Test("The device's word takes suspects away that are up")
  func assigned() {
    var watch = KeyWatch(downAtOpening: KeyBits([volume]), at: 0)
    watch.assign(KeyBits())
    watch.assign(KeyBits([volume]))
    #expect(watch.phantoms(at: age * 9).isEmpty)
  }
}

@Suite("Waits and gauges")
struct WaitTests {
  @Test("Each wait is twice the one before, up to the longest")
  func backoff() {
    var backoff = Backoff(first: 100, longest: 500)
    let waits = (0..<5).map { _ in backoff.next(after: 1000).map { $0 - 1000 } }
    #expect(waits == [100, 200, 400, 500, 500])
    backoff.reset()
    let again = backoff.next(after: 0)
    #expect(again == 100)
  }

  @Test("A limited back-off ends")
  func limit() {
    var backoff = Backoff(first: 1, longest: 8, limit: 2)
    let waits = (0..<3).map { _ in backoff.next(after: 0) }
    #expect(waits == [1, 2, nil])
  }

  @Test("Waits never overflow")
  func many() {
    var backoff = Backoff.busy
    let waits = (0..<200).compactMap { _ in backoff.next(after: 0) }
    #expect(waits.count == 200)
    #expect(waits.max() == 8_000_000)
  }

  @Test("A sign of life at most once in 30 s")
  func activity() {
    var gauge = ActivityGauge()
    let shown = [5, 30_000_004, 30_000_005, 30_000_006].map { gauge.pressed(at: $0) }
    #expect(shown == [true, false, true, false])
  }
}

@Suite("Bitmaps")
struct BitmapTests {
  @Test("A set of keys", arguments: [[], [0], [63, 64], [1, 114, 115, 767]] as [[UInt16]])
  func keys(_ codes: [UInt16]) {
    var bits = KeyBits(codes)
    #expect(bits.codes == codes)
    #expect(bits.isEmpty == codes.isEmpty)
    for code in codes {
      #expect(bits.contains(code))
      bits.remove(code)
      #expect(!bits.contains(code))
    }
    #expect(bits.isEmpty)
  }

  @Test("Codes that no bitmap has are left out")
  func outside() {
    var bits = KeyBits([768, 65535])
    #expect(bits.isEmpty)
    bits.remove(65535)
    #expect(!bits.contains(768))
  }

  @Test(
    "sysfs's bitmaps",
    arguments: [
      ("0", []), ("3", [0, 1]), ("1 0", [64]), ("10000 8000000000000001", [0, 63, 80]), ("", []), ("zz", []),
      ("1 x", []), ("ffffffffffffffffff", []),
    ] as [(String, [UInt16])])
  func sysfs(_ text: String, _ codes: [UInt16]) {
    #expect(Sysfs.bits(in: text) == codes)
  }

  @Test("Slots remember what each contact did, and ignore slots that are not there")
  func slots() {
    var touch = MultiTouchState(slotCount: 2)
    touch.process(code: 0x39, value: 7)
    touch.process(code: 0x2f, value: 9)
    touch.process(code: 0x35, value: 100)
    touch.process(code: 0x00, value: 3)
    #expect(touch.current == 1)
    #expect(touch[0, 0x39] == 7)
    #expect(touch[1, 0x39] == -1)
    #expect(touch[1, 0x35] == 100)
  }
}
