import Glibc
import TestSupport
import Testing

/// A reader on a terminal of its own, and a model of what that terminal shows.
final class TerminalProcess {
  let process: ReaderProcess
  private(set) var model: EmulatorModel
  private(set) var output: [UInt8] = []
  private let main: Int32
  /// Kept open, so that the terminal is still there when the reader has left.
  private let other: Int32
  let modeBefore: termios

  init(
    _ arguments: [String], folder: TestFolder, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, which Swift cannot import.
    var unlock: Int32 = 0
    var number: UInt32 = 0
    try #require(main >= 0 && ioctl(main, 0x4004_5431, &unlock) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
    let path = "/dev/pts/\(number)"
    other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0)
    var mode = termios()
    tcgetattr(other, &mode)
    modeBefore = mode
    model = EmulatorModel(columns: columns, rows: rows)
    Self.setSize(main, columns, rows)
    process = try ReaderProcess(arguments, folder: folder, environment: environment, session: true) { actions in
      // The first terminal that a session's leader opens becomes its own.
      posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
  }

  deinit {
    close(main)
    close(other)
  }

  private static func setSize(_ descriptor: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
  }

  func resize(columns: Int, rows: Int) {
    read()
    model.resize(columns: columns, rows: rows)
    Self.setSize(main, columns, rows)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(main, bytes, bytes.count) == bytes.count)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(main, &buffer, buffer.count)
      guard count > 0 else { return }
      output += buffer.prefix(count)
      model.take(Array(buffer.prefix(count)))
    }
  }

  /// Waits until the screen is as wanted.
  @discardableResult
  func wait(_ what: Comment, _ condition: (EmulatorModel) -> Bool) -> Bool {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < ReaderProcess.patience {
      read()
      if condition(model) { return true }
      if let status = process.poll() {
        read()
        if condition(model) { return true }
        Issue.record("the reader ended (\(status)) before \(what):\n\(model.screen)")
        return false
      }
      var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 200)
    }
    Issue.record("not seen: \(what)\n\(model.screen)")
    return false
  }

  @discardableResult
  func wait(forText text: String) -> Bool {
    wait("“\(text)”") { $0.screen.contains(text) }
  }

  /// Waits until the reader has ended or, with WUNTRACED, stopped.
  func waitForEnd(_ options: Int32 = 0) -> Int32? {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < ReaderProcess.patience {
      read()
      if let status = process.poll(options) {
        read()
        return status
      }
      var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 20)
    }
    Issue.record("the reader does not end")
    return nil
  }

  /// Whether the terminal is as it was before: modes and settings.
  func expectRestored(_ comment: Comment) {
    read()
    var mode = termios()
    #expect(tcgetattr(other, &mode) == 0)
    #expect(mode.c_lflag == modeBefore.c_lflag, comment)
    #expect(mode.c_iflag == modeBefore.c_iflag, comment)
    #expect(mode.c_oflag == modeBefore.c_oflag, comment)
    #expect(model.modes == [7, 25], comment)
    #expect(model.faults.isEmpty, comment)
  }
}
