internal import Document
internal import EventLoop
internal import Glibc
internal import ImageWorker
internal import ReaderClient
internal import ReaderIPC
internal import Terminal
internal import Typesetting

/// A book on a terminal: one loop for keys, pagerd, the shelf's answers and the work in the background.
final class InteractiveSession {
  /// How long the work in the background goes on before keys are looked at again, in µs.
  private static let slice: UInt64 = 4_000

  private let loop: EventLoop
  private let terminal: Terminal
  private let model: ReaderModel
  private let keeper: PlaceKeeper
  private let pictures: PictureStore
  private let claims: Bool
  private var client: ReaderClient?
  private var console: ConsoleFocus?
  private var registration: EventLoop.Registration?
  private var hasMoved = false
  private var isOver = false
  private var endingSignal: Int32?
  private var failure: ReaderError?
  private lazy var idle = loop.makeTimer { [weak self] in self?.workABit() }
  private lazy var decoding = loop.makeTimer { [weak self] in self?.advanceDecoder() }
  private lazy var messages = loop.makeTimer { [weak self] in self?.advanceMessages() }
  private var isDirty = true
  private var pageTables: PageTables

  /// - Parameter notice: what the reader is told first.
  init(
    content: any BookContent, settings: ReaderSettings, claims: Bool, notice: String? = nil
  ) throws(ReaderError) {
    self.claims = claims
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw .system(call: "\(error.call)", subject: error.subject, errno: error.errno)
    }
    do throws(TerminalError) {
      terminal = Terminal(device: try TerminalHandle(), environment: { Environment[$0] })
    } catch {
      throw .terminal(error)
    }
    // The shelf is opened while the first page is laid out.
    keeper = PlaceKeeper(content: content, loop: loop, dayBegins: settings.dayBegins)
    pageTables = PageTables(identity: content.outline.identity)
    model = ReaderModel(
      content: content, settings: settings, depth: terminal.capabilities.depth,
      window: (terminal.screen.rows, terminal.screen.columns), turnsWords: terminal.capabilities.turnsWords)
    pictures = PictureStore(loop: loop, worker: WorkerPath.find()) { source in
      content.resource(source, limit: ImageRequest.byteLimit)
    }
    model.pictures = pictures
    if let notice { model.say(notice.withoutControls, now: loop.now) }
  }

  /// Runs until the reader leaves. The terminal is given back before this returns or throws.
  ///
  /// - Returns: the signal that ended it, for the shell to see; nil when the reader left.
  func run() throws(ReaderError) -> Int32? {
    do throws(SystemError) {
      try loop.handleSignals([SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]) { [weak self] number in
        self?.handle(signal: number)
      }
      prepareShelf()
      try keeper.start()
      try keeper.waitForPlace(milliseconds: 1000)
      do throws(TerminalError) {
        try terminal.enter()
      } catch {
        throw SystemError(.ioctl, errno: EIO, subject: error.description)
      }
      defer { terminal.leave() }
      registration = try loop.add(terminal.descriptor, .readable) { [weak self] _ in self?.readTerminal() }
      pictures.onChange = { [weak self] in self?.isDirty = true }
      defer { pictures.stop() }
      startClient()
      try startConsole()
      loop.atBatchEnd { [weak self] in self?.endOfTurn() }
      adoptPageTable()
      endOfTurn()
      while !isOver { try loop.turn() }
      client?.stop()
    } catch {
      throw .system(call: "\(error.call)", subject: error.subject, errno: error.errno)
    }
    terminal.leave()
    if !keeper.finish() { StandardStreams.complain("the last place could not be saved") }
    if let failure { throw failure }
    return endingSignal
  }

  private func end(signal: Int32? = nil) {
    isOver = true
    endingSignal = endingSignal ?? signal
  }

  // MARK: The shelf

  private func prepareShelf() {
    keeper.onPlace = { [weak self] place in
      // An answer that comes late does not pull the page away from somebody who reads.
      guard let self, !self.hasMoved else { return }
      self.model.pager.go(to: place)
      self.isDirty = true
    }
    keeper.onMarks = { [weak self] marks in
      self?.model.marks = marks
      self?.isDirty = true
    }
    keeper.onMessage = { [weak self] text in
      guard let self else { return }
      self.model.say(text.withoutControls, now: self.loop.now)
      self.isDirty = true
    }
  }

  // MARK: pagerd

  private func startClient() {
    let client = ReaderClient(loop: loop, name: "reader", role: .reader) { [weak self] event in
      self?.handle(event)
    }
    self.client = client
    if claims || terminal.isForeground { client.hasFocus = true }
    client.start()
  }

  private func startConsole() throws(SystemError) {
    guard terminal.capabilities.isConsole, let console = ConsoleFocus(loop: loop) else { return }
    self.console = console
    if !claims { client?.hasFocus = console.isActive && terminal.isForeground }
    try console.watch { [weak self] isActive in
      if let self, self.client?.hasFocus != isActive { self.client?.hasFocus = isActive }
    }
  }

  private func handle(_ event: ReaderClient.Event) {
    touch()
    switch event {
    case .connected: model.connection = .waiting
    case .active(true, let devices): model.connection = .active(devices: devices.map(\.withoutControls))
    case .active(false, _): model.connection = .waiting
    case .command(let command): model.handle(command.command, now: loop.now)
    case .disconnected: model.connection = .absent
    case .missed, .message: break
    }
  }

  // MARK: The terminal

  private func readTerminal() {
    if terminal.wantsWrite { terminal.drain() }
    for event in terminal.readEvents(now: loop.now) { handle(event) }
    decoding.deadline = terminal.nextDeadline
    if terminal.isGone { end(signal: SIGHUP) }
  }

  private func advanceDecoder() {
    for event in terminal.advance(to: loop.now) { handle(event) }
    decoding.deadline = terminal.nextDeadline
  }

  private func handle(_ event: TerminalEvent) {
    touch()
    switch event {
    case .focus(let isFocused):
      client?.hasFocus = isFocused
    case .answer:
      model.depth = terminal.capabilities.depth
      choosePictureForm()
    case .key, .mouse, .paste:
      model.handle(event, now: loop.now)
    }
  }

  private func choosePictureForm() {
    var capabilities = terminal.capabilities
    let before = pictures.form
    if capabilities.cellWidth == nil, let cell = terminal.windowSize.cell {
      (capabilities.cellWidth, capabilities.cellHeight) = cell
    }
    pictures.use(
      PictureForm(capabilities), cellWidth: capabilities.cellWidth, cellHeight: capabilities.cellHeight,
      background: model.settings.theme.background)
    if pictures.form != before { model.layOutAgain() }
  }

  private func handle(signal number: Int32) {
    switch number {
    case SIGWINCH:
      resize()
    case SIGTSTP:
      suspend(wholeGroup: false)
    case SIGCONT:
      // After a stop that could not be caught the terminal may have been used by others.
      resize()
      terminal.resume()
      isDirty = true
    default:
      end(signal: number)
    }
  }

  private func resize() {
    guard terminal.sizeChanged() else { return }
    model.resize(rows: terminal.screen.rows, columns: terminal.screen.columns)
    touch()
  }

  private func suspend(wholeGroup: Bool) {
    let hadFocus = client?.hasFocus == true
    if hadFocus { client?.hasFocus = false }
    do throws(TerminalError) {
      try terminal.suspend(wholeGroup: wholeGroup)
    } catch {
      failure = .terminal(error)
      return end()
    }
    model.resize(rows: terminal.screen.rows, columns: terminal.screen.columns)
    if hadFocus, claims || terminal.isForeground { client?.hasFocus = true }
    touch()
  }

  private func advanceMessages() {
    model.advance(to: loop.now)
    isDirty = true
  }

  // MARK: The end of a turn

  /// Something has happened: the screen may look different, and there may be work in the background.
  private func touch() {
    isDirty = true
    isWorkDone = false
  }

  /// Does what the model asks for and shows what has changed, with one write.
  private func endOfTurn() {
    for effect in model.takeEffects() { perform(effect) }
    guard !isOver else { return }
    if seenLayout != model.layoutNumber {
      seenLayout = model.layoutNumber
      adoptPageTable()
    }
    messages.deadline = model.nextDeadline
    if isDirty, !terminal.wantsWrite {
      isDirty = false
      model.draw(on: &terminal.screen)
      terminal.flush()
    }
    watchForWriting()
    if terminal.isGone { end(signal: SIGHUP) }
    if idle.deadline == nil, !isWorkDone { idle.deadline = loop.now }
  }

  private var isWaitingToWrite = false
  /// Which layout's page counts have been looked for.
  private var seenLayout = 0
  private var isWorkDone = false

  private func watchForWriting() {
    guard isWaitingToWrite != terminal.wantsWrite, let registration else { return }
    isWaitingToWrite = terminal.wantsWrite
    do throws(SystemError) {
      try loop.modify(registration, isWaitingToWrite ? [.readable, .writable] : .readable)
    } catch {
      failure = .system(call: "\(error.call)", subject: error.subject, errno: error.errno)
      end()
    }
  }

  private func perform(_ effect: ReaderModel.Effect) {
    switch effect {
    case .moved:
      hasMoved = true
      isWorkDone = false
      pictures.forgetPending()
      let progress = model.pager.progress
      keeper.save(progress.position, fraction: progress.fraction)
    case .quit:
      end()
    case .suspend:
      suspend(wholeGroup: true)
    case .redraw:
      terminal.screen.invalidate()
      isDirty = true
    case .addMark(let position):
      keeper.addMark(position)
    case .removeMark(let position):
      keeper.removeMark(position)
    case .setting(let name):
      isWorkDone = false
      do throws(ReaderError) {
        try SettingsStore.save(name, of: model.settings)
      } catch {
        model.say(error.description.withoutControls, now: loop.now)
      }
    }
  }

  // MARK: In the background

  private func workABit() {
    let start = loop.now
    let before = progressLabel
    while loop.now - start < Self.slice {
      if !model.work() {
        isWorkDone = true
        pageTables.save(model.pager.map, for: model.pager)
        break
      }
    }
    if before != progressLabel { isDirty = true }
  }

  /// What of the work in the background is seen.
  private var progressLabel: [String] {
    [
      model.pageLabel, "\(model.pager.pagesLeftInChapter ?? -1)",
      model.search.map { "\($0.results.count) \($0.isDone)" } ?? "",
    ]
  }

  /// Page counts of an earlier time, for this window and these settings.
  private func adoptPageTable() {
    isWorkDone = false
    if let map = pageTables.load(for: model.pager) { model.pager.adopt(map) }
  }
}
