import CKernelShims
import Glibc

/// A detached tmux of its own with one program in it.
final class TerminalPane {
  private let server: String
  private var looked: UInt64 = 0
  private(set) var screen = ""

  init(_ name: String, command: String, columns: Int, rows: Int, in world: World) throws {
    server = "\(world.scenario)-\(name)"
    let run = try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command])
    guard run.code == 0 else { throw Stopped(reason: "tmux does not start: \(run.output)") }
    world.atEnd { [self] in _ = try? tmux(["kill-server"]) }
  }

  @discardableResult
  func tmux(_ arguments: [String]) throws -> (code: Int32, output: String) {
    try Process.run(["/usr/bin/tmux", "-L", server] + arguments)
  }

  func type(_ keys: String) throws { try tmux(["send-keys", keys]) }

  /// What the pane shows, asked for at most every 80 ms.
  func look() -> String {
    if ks_now() > looked + 80_000 {
      screen = (try? tmux(["capture-pane", "-p"]))?.output ?? screen
      looked = ks_now()
    }
    return screen
  }

  /// The first child of the pane's shell. A pane's own process tmux would wake up again as soon as it is stopped.
  var child: Int32? {
    guard let answer = try? tmux(["display-message", "-p", "#{pane_pid}"]) else { return nil }
    let shell = answer.output.filter(\.isNumber)
    let children = Files.trimmed("/proc/\(shell)/task/\(shell)/children")
    return Int32(children.split(separator: " ").first ?? "")
  }
}

/// A real `reader` in a terminal; focus is injected as the terminal would report it.
final class ReaderPane {
  private let pane: TerminalPane
  private let world: World

  init(book: String, daemon: Daemon, label: String = "pane", in world: World) throws {
    self.world = world
    let log = String(cString: getenv("TESTBED_OUT") ?? strdup("/run/tmp")) + "/\(world.scenario).\(label).err"
    let home = "/run/home/\(world.scenario)-\(label)"
    pane = try TerminalPane(
      label,
      command: "PAGERD_SOCKET=\(daemon.socket) XDG_DATA_HOME=\(home) \(Daemon.binaries)/reader \(book) 2>\(log); true",
      columns: 60, rows: 16, in: world)
  }

  func focus(_ inside: Bool) throws { try pane.tmux(["send-keys", "-H", "1b", "5b", inside ? "49" : "4f"]) }

  func look() -> String { pane.look() }

  /// The page number that the reader shows, from "3 / 120".
  var page: Int? {
    for line in look().split(separator: "\n").reversed() {
      let words = line.split(separator: " ")
      for (index, word) in words.enumerated() where word == "/" && index > 0 && index + 1 < words.count {
        if let page = Int(words[index - 1]), Int(words[index + 1].filter(\.isNumber)) != nil { return page }
      }
    }
    return nil
  }

  /// The process of the reader itself.
  var identifier: Int32? { pane.child }

  func requirePage(_ number: Int, _ name: String) throws {
    try world.require(name, detail: { "the screen shows: \(pane.screen)" }) { page == number }
  }
}
