import CKernelShims
import Glibc

/// A real `reader` in a detached tmux of its own; focus is injected as the terminal would report it.
final class ReaderPane {
  private let server: String
  private let world: World
  private var looked: UInt64 = 0
  private var screen = ""

  init(book: String, daemon: Daemon, label: String = "pane", in world: World) throws {
    self.world = world
    server = "\(world.scenario)-\(label)"
    let log = String(cString: getenv("TESTBED_OUT") ?? strdup("/run/tmp")) + "/\(world.scenario).\(label).err"
    let command =
      "PAGERD_SOCKET=\(daemon.socket) XDG_DATA_HOME=/run/home/\(server) \(Daemon.binaries)/reader \(book) 2>\(log); true"
    let run = try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "60", "-y", "16", command])
    guard run.code == 0 else { throw Stopped(reason: "tmux does not start: \(run.output)") }
    world.atEnd { [self] in _ = try? tmux(["kill-server"]) }
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> (code: Int32, output: String) {
    try Process.run(["/usr/bin/tmux", "-L", server] + arguments)
  }

  func focus(_ inside: Bool) throws { try tmux(["send-keys", "-H", "1b", "5b", inside ? "49" : "4f"]) }
  func type(_ keys: String) throws { try tmux(["send-keys", keys]) }

  /// What the pane shows, asked for at most every 80 ms.
  func look() -> String {
    if ks_now() > looked + 80_000 {
      screen = (try? tmux(["capture-pane", "-p"]))?.output ?? screen
      looked = ks_now()
    }
    return screen
  }

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

  /// The process of the reader itself. It is a child of the pane's shell: a pane's own process tmux would wake up again
  /// as soon as it is stopped.
  var identifier: Int32? {
    guard let answer = try? tmux(["display-message", "-p", "#{pane_pid}"]) else { return nil }
    let shell = answer.output.filter(\.isNumber)
    let children = Files.trimmed("/proc/\(shell)/task/\(shell)/children")
    return Int32(children.split(separator: " ").first ?? "")
  }

  func requirePage(_ number: Int, _ name: String) throws {
    try world.require(name, detail: { "the screen shows: \(self.screen)" }) { page == number }
  }
}
