internal import ReaderIPC

/// What the device side asks of the socket side: who is there, who gets the commands, and take this one.
///
/// Everything happens on the loop's thread. The questions allocate nothing and may be asked for every event.
protocol Audience: AnyObject {
  /// Somebody with rights on the seat is there (a reader or a background client, suspended or not), or emitting is on:
  /// the seat's devices are to be held.
  func wantsHolding(seat: String) -> Bool

  /// Somebody takes the seat's commands now: the latest standing claim, else the latest background client, else the
  /// emitter.
  func hasTaker(seat: String) -> Bool

  /// The emitter is the seat's taker: only the commands that it has keys for are taken.
  func isEmitting(seat: String) -> Bool

  /// Changes whenever the seat's taker changes; a hold in progress is cancelled then. 0 is nobody.
  func takerToken(seat: String) -> UInt64

  /// Hands a command to the seat's taker and to the observers. It is written when the wake-up ends, after the clones.
  ///
  /// - Parameter timeMicroseconds: when it fell due, on CLOCK_MONOTONIC.
  func deliver(_ command: Command, gesture: Gesture, device: String, seat: String, timeMicroseconds: UInt64)

  /// The panic hold: nobody on this seat is served, and nothing is to be held for it, until somebody claims anew.
  func giveBack(seat: String)

  /// Somebody who may see raw keys (`monitor`, `learn`, `record`) listens: every device is read, held or not.
  var wantsRawEvents: Bool { get }

  /// One event as the kernel sent it, for those listeners.
  func observe(_ event: RawEvent, device: String, node: String)

  /// Holding wanted, taker or listeners changed: the device side looks again, at once.
  var onChange: (() -> Void)? { get set }
}

/// What the socket side asks of the device side.
protocol DeviceRegistry: AnyObject {
  /// The names of the seat's devices that are held now.
  func heldNames(seat: String) -> [String]

  /// Every device that pagerd knows, ignored ones too.
  func statuses() -> [DeviceStatus]

  /// `heldNames` of some seat changed.
  var onHeldChange: (() -> Void)? { get set }

  /// Reads configuration and profiles anew; the last good ones stay when they have errors.
  ///
  /// - Returns: the errors, one a line (`pagerd.conf:3:7: …`); empty when all went well.
  func reload() -> [String]

  /// Sends a command as a key through pagerd's own virtual keyboard.
  ///
  /// - Returns: false when `[emit]` names no key for it, or there is no keyboard.
  func emit(_ command: Command) -> Bool

  /// The head of an evemu recording of a node (`/dev/input/event5`): its description, one line each.
  func recordingHead(node: String) -> [String]?
}
