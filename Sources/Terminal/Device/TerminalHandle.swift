internal import CLinux
internal import Glibc

/// The terminal that a process was started from, opened once more for itself.
///
/// Its own descriptor, so that non-blocking mode stays its own affair: a shell shares the standard ones.
public final class TerminalHandle: TerminalDevice {
  public let descriptor: Int32
  private var isEntered = false

  /// - Throws: `notATerminal` when standard input or output is none.
  public init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    // Not every terminal is the controlling one, and not every one may be opened by its name.
    var opened = open("/proc/self/fd/0", flags)
    if opened < 0 {
      opened = open("/dev/tty", flags)
    }
    guard opened >= 0 else { throw .system(call: "open", errno: errno) }
    descriptor = opened
  }

  deinit {
    leave()
    close(descriptor)
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer) -> TerminalTransfer {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      // A terminal in raw mode ends only when it hangs up.
      if count == 0 { return .gone }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .gone
    }
  }

  public func write(_ bytes: UnsafeRawBufferPointer) -> TerminalTransfer {
    while true {
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .gone
    }
  }

  public func size() -> WindowSize? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    var width: Int32 = 0
    var height: Int32 = 0
    guard clinux_terminal_size(descriptor, &columns, &rows, &width, &height) == 0 else { return nil }
    return WindowSize(
      columns: Int(columns), rows: Int(rows), pixelWidth: Int(width), pixelHeight: Int(height))
  }

  public func enter(restore: [UInt8]) throws(TerminalError) {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { throw .system(call: "tcgetattr", errno: errno) }
    let failed = restore.withUnsafeBytes { bytes in
      clinux_terminal_guard(descriptor, &mode, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard failed == 0 else { throw .system(call: "sigaction", errno: failed) }
    cfmakeraw(&mode)
    guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else {
      let error = errno
      clinux_terminal_restore()
      throw .system(call: "tcsetattr", errno: error)
    }
    isEntered = true
  }

  public func reenter() {
    var mode = termios()
    guard isEntered, tcgetattr(descriptor, &mode) == 0 else { return }
    cfmakeraw(&mode)
    tcsetattr(descriptor, TCSANOW, &mode)
  }

  public func leave() {
    guard isEntered else { return }
    isEntered = false
    clinux_terminal_restore()
  }

  public func stop(wholeGroup: Bool) {
    clinux_terminal_stop(wholeGroup ? 1 : 0)
  }

  public var isForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group > 0 && group == getpgrp()
  }
}
