/// A terminal in full-screen use: events in, cells out.
///
/// Belongs to one thread. The owner watches `descriptor` for input, and for output while `wantsWrite`.
public final class Terminal {
  /// More than this in one call is left for the next: a terminal that floods must not starve the rest of the loop.
  private static let readLimit = 64 * 1024

  public private(set) var capabilities: TerminalCapabilities
  public var screen: Screen
  /// Whether the terminal is gone: hung up, or not writable any more.
  public private(set) var isGone = false

  private let device: any TerminalDevice
  private var decoder = InputDecoder()
  private var pending: [UInt8] = []
  private var written = 0
  private var isActive = false
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)

  public init(device: any TerminalDevice, environment: (String) -> String?) {
    self.device = device
    capabilities = TerminalCapabilities(environment: environment)
    let size = device.size()
    screen = Screen(columns: size?.columns ?? 80, rows: size?.rows ?? 24, depth: capabilities.depth)
    windowSize = size ?? WindowSize(columns: 80, rows: 24)
  }

  deinit {
    chunk.deallocate()
  }

  public var descriptor: Int32 { device.descriptor }
  public var isForeground: Bool { device.isForeground }
  public private(set) var windowSize: WindowSize

  /// Whether bytes wait for the terminal to take them.
  public var wantsWrite: Bool { written < pending.count }

  /// When an unfinished sequence is given up, in microseconds of the clock that `readEvents` was told.
  public var nextDeadline: UInt64? { decoder.nextDeadline }

  /// Takes the terminal: raw mode, alternate screen, mouse, paste, focus; asks what it can do.
  public func enter() throws(TerminalError) {
    try device.enter(restore: TerminalModes.leave)
    isActive = true
    _ = sizeChanged()
    screen.invalidate()
    // The console would show what it does not know of these as text.
    pending = TerminalModes.enter
    if !capabilities.isConsole {
      if capabilities.depth > .none { pending += TerminalModes.colorQuestion }
      pending += TerminalModes.graphicsQuestion + TerminalModes.questions
    }
    written = 0
    drain()
  }

  /// Gives the terminal back.
  public func leave() {
    guard isActive else { return }
    isActive = false
    // What of the last picture is still to come would be drawn over the shell's screen.
    pending.removeAll()
    written = 0
    device.leave()
  }

  /// Gives the terminal back, stands still until continued, takes it again and draws everything anew.
  public func suspend(wholeGroup: Bool) throws(TerminalError) {
    leave()
    device.stop(wholeGroup: wholeGroup)
    try enter()
  }

  /// Takes the terminal once more, after a stop during which others have used it, and draws everything anew.
  public func resume() {
    guard isActive else { return }
    device.reenter()
    screen.invalidate()
    send(TerminalModes.enter)
  }

  /// Asks the window's size; returns whether it has changed. The screen is blank then.
  public func sizeChanged() -> Bool {
    guard let size = device.size(), size.columns > 0, size.rows > 0 else { return false }
    let isChanged = size.columns != windowSize.columns || size.rows != windowSize.rows
    windowSize = size
    if isChanged {
      screen.resize(columns: size.columns, rows: size.rows)
    }
    return isChanged
  }

  /// Reads what is there.
  public func readEvents(now: UInt64) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var total = 0
    reading: while total < Self.readLimit {
      switch device.read(into: chunk) {
      case .bytes(let count):
        total += count
        decoder.feed(UnsafeRawBufferPointer(rebasing: chunk[..<count]), at: now, into: &events)
        if count < chunk.count { break reading }
      case .wouldBlock:
        break reading
      case .gone:
        isGone = true
        break reading
      }
    }
    return learned(from: events)
  }

  /// Gives up an unfinished sequence whose time is over.
  public func advance(to now: UInt64) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    decoder.advance(to: now, into: &events)
    return learned(from: events)
  }

  private func learned(from events: [TerminalEvent]) -> [TerminalEvent] {
    for case .answer(let answer) in events where capabilities.learn(answer) {
      screen.depth = capabilities.depth
    }
    return events
  }

  /// Sends the difference between what was drawn and what is shown: one write, unless the terminal is slow; then the
  /// rest goes out with `drain`, and what is drawn meanwhile is sent after it as one difference.
  public func flush() {
    guard isActive, !isGone, !wantsWrite else { return }
    pending.removeAll(keepingCapacity: true)
    written = 0
    screen.render(into: &pending, synchronized: capabilities.hasSynchronizedUpdate)
    drain()
  }

  /// Sends bytes as they are, after what is waiting: for image protocols. Never text of a book.
  public func send(_ bytes: [UInt8]) {
    guard isActive, !isGone else { return }
    pending.removeFirst(written)
    written = 0
    pending.append(contentsOf: bytes)
    drain()
  }

  /// Goes on sending what waits.
  /// - Returns: whether everything has been sent.
  @discardableResult
  public func drain() -> Bool {
    while wantsWrite, !isGone {
      let result = pending.withUnsafeBytes { device.write(UnsafeRawBufferPointer(rebasing: $0[written...])) }
      switch result {
      case .bytes(let count): written += count
      case .wouldBlock: return false
      case .gone: isGone = true
      }
    }
    return true
  }
}
