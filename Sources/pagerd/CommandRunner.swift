internal import EventLoop
internal import Glibc
internal import ReaderIPC

/// Runs a shell command for each page command, one at a time and in order.
final class CommandRunner {
  /// A program that is slower than the reader's thumb must not turn pages long afterwards.
  private static let longestQueue = 8

  private let script: String
  private var queue: [PageCommand] = []
  private var child: pid_t?

  init(script: String) {
    self.script = script
  }

  func run(_ command: PageCommand) {
    guard queue.count < CommandRunner.longestQueue else {
      Output.error("pagerd: the program is too slow; \(command.command) was dropped")
      return
    }
    queue.append(command)
    startNext()
  }

  /// To be called on SIGCHLD.
  func reap() {
    var status: Int32 = 0
    while true {
      let pid = waitpid(-1, &status, WNOHANG)
      guard pid > 0 else { break }
      if pid == child { child = nil }
    }
    startNext()
  }

  private func startNext() {
    guard child == nil, !queue.isEmpty else { return }
    let command = queue.removeFirst()
    setenv("PAGERD_COMMAND", command.command.description, 1)
    setenv("PAGERD_DEVICE", command.device, 1)
    setenv("PAGERD_GESTURE", command.gesture.rawValue, 1)
    setenv("PAGERD_SEQ", String(command.seq), 1)
    let words = ["sh", "-c", script, "pagerd", command.command.description]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The loop keeps its signals blocked; a child must not inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var pid: pid_t = 0
    let result = posix_spawn(&pid, "/bin/sh", nil, &attributes, &arguments, environ)
    if result == 0 {
      child = pid
    } else {
      Output.error("pagerd: /bin/sh cannot be started: \(SystemError.text(of: result))")
    }
  }
}
