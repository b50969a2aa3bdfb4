internal import CLinux
internal import Document
internal import EventLoop
internal import Glibc
internal import ReaderClient
internal import ReaderIPC
internal import Typesetting

/// A book without a terminal: each page that is shown is printed, and commands turn the pages.
///
/// Commands come from pagerd and, a line each, from standard input. At the end of that input the session is over;
/// with `--claim` it goes on for pagerd until that says bye, somebody ends it, or nobody reads its output any more.
final class PrintSession {
  private let loop: EventLoop
  private let pager: Pager
  private let keeper: PlaceKeeper
  private let claims: Bool
  private var client: ReaderClient?
  private var inputRegistration: EventLoop.Registration?
  private var outputRegistration: EventLoop.Registration?
  private var input: [UInt8] = []
  private var isInputOver = false
  private var isOver = false
  private var endingSignal: Int32?
  private var hasPrinted = false

  init(content: any BookContent, window: WindowArguments, claims: Bool) throws(ReaderError) {
    self.claims = claims
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw .system(call: "\(error.call)", subject: error.subject, errno: error.errno)
    }
    pager = Pager(
      content: content, geometry: Geometry(columns: window.width, rows: window.height),
      settings: TextCommand.settings(for: content.outline))
    keeper = PlaceKeeper(content: content, loop: loop, dayBegins: SettingsStore.loadOrDefaults().0.dayBegins)
  }

  /// - Returns: the signal that ended it; nil when it came to its own end.
  func run() throws(ReaderError) -> Int32? {
    do throws(SystemError) {
      try loop.handleSignals([SIGTERM, SIGINT, SIGHUP]) { [weak self] number in
        self?.endingSignal = number
        self?.isOver = true
      }
      keeper.onPlace = { [weak self] place in
        guard let self, !self.hasPrinted else { return }
        self.pager.go(to: place)
      }
      keeper.onMessage = { StandardStreams.complain($0) }
      try keeper.start()
      try keeper.waitForPlace(milliseconds: 1000)
      printPage()
      startClient()
      try watchOutput()
      try watchInput()
      while !isOver { try loop.turn() }
      client?.stop()
    } catch {
      throw .system(call: "\(error.call)", subject: error.subject, errno: error.errno)
    }
    if !keeper.finish() { StandardStreams.complain("the last place could not be saved") }
    return endingSignal
  }

  private func startClient() {
    let client = ReaderClient(loop: loop, name: "reader", role: .reader) { [weak self] event in
      self?.handle(event)
    }
    self.client = client
    client.hasFocus = claims || StandardStreams.isForeground
    client.start()
  }

  private func handle(_ event: ReaderClient.Event) {
    switch event {
    case .command(let command): handle(command.command)
    case .disconnected(.bye): if isInputOver { isOver = true }
    case .connected, .active, .missed, .message, .disconnected: break
    }
  }

  private func handle(_ command: Command) {
    let turn: Pager.Turn
    switch command {
    case .next: turn = pager.next()
    case .prev: turn = pager.previous()
    case .nextChapter: turn = pager.nextChapter()
    case .prevChapter: turn = pager.previousChapter()
    case .first: turn = pager.first()
    case .last: turn = pager.last()
    case .back: turn = pager.back() ? .moved : .atStart
    case .toggle, .custom: return
    }
    guard turn == .moved else { return }
    let progress = pager.progress
    keeper.save(progress.position, fraction: progress.fraction)
    printPage()
  }

  private func printPage() {
    let text = pager.layout.plainText(ofPage: pager.page)
    if !StandardStreams.write((hasPrinted ? "\u{0C}" : "") + text + "\n") { isOver = true }
    hasPrinted = true
  }

  // MARK: Standard streams

  /// Hears when nobody reads any more, although nothing is being written.
  private func watchOutput() throws(SystemError) {
    do throws(SystemError) {
      outputRegistration = try loop.add(STDOUT_FILENO, []) { [weak self] _ in self?.isOver = true }
    } catch {
      // A file has no reader that could leave.
      guard error.errno == EPERM else { throw error }
    }
  }

  private func watchInput() throws(SystemError) {
    do throws(SystemError) {
      inputRegistration = try loop.add(STDIN_FILENO, .readable) { [weak self] _ in self?.readInput() }
    } catch {
      // A file, /dev/null, or nothing at all: it is read now.
      guard error.errno == EPERM || error.errno == EBADF else { throw error }
      while !isInputOver, !isOver { readInput() }
    }
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = cl_read(STDIN_FILENO, &buffer, buffer.count)
    if count == -Int(EAGAIN) { return }
    if count <= 0 {
      if let inputRegistration { loop.remove(inputRegistration) }
      inputRegistration = nil
      isInputOver = true
      if !claims { isOver = true }
      return
    }
    input.append(contentsOf: buffer.prefix(count))
    while !isOver, let end = input.firstIndex(of: 0x0A) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeFirst(end + 1)
      take(line: line)
    }
    // No command is longer than a screen's line.
    if input.count > 4096 { input.removeAll() }
  }

  private func take(line: String) {
    let word = line.filter { !$0.isWhitespace }
    if word == "quit" || word == "bye" {
      isOver = true
    } else if word.isEmpty {
      handle(.next)
    } else if let command = Command(word) {
      handle(command)
    } else {
      let nearest = Spelling.nearest(to: word, among: Command.standard.map(\.description))
      StandardStreams.complain("no command `\(word)`; did you mean `\(nearest)`?")
    }
  }
}
