internal import EventLoop
internal import Glibc
internal import ReaderClient
internal import ReaderIPC

/// `subscribe`: prints commands, or runs a program for each.
struct SubscribeCommand {
  let role: ClientRole
  let exec: String?
  let json: Bool

  func run() -> ExitCode {
    let loop: EventLoop
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    let runner = exec.map { CommandRunner(script: $0) }
    let json = json
    let client = ReaderClient(loop: loop, name: "pagerd subscribe", role: role) { event in
      switch event {
      case .command(let command):
        if let runner {
          runner.run(command)
        } else if json {
          var line: [UInt8] = []
          ServerMessage.command(command).append(to: &line)
          Output.raw(line)
        } else {
          Output.print(command.command.description)
        }
      case .disconnected(let end): Output.error("pagerd: \(Messages.text(end)); waiting for it to come back")
      case .message(.error(let code, let message)): Output.error("pagerd: \(message) (\(code))")
      case .connected, .active, .missed, .message: break
      }
    }
    client.start()
    if !client.isGreeted, let error = client.lastError {
      Output.error("pagerd: " + Messages.text(error))
      if case .noServer(let tried) = error, tried.contains(where: \.isPermission) { return .noRights }
      return .noDaemon
    }
    do throws(SystemError) {
      try loop.handleSignals([SIGINT, SIGTERM, SIGHUP, SIGCHLD]) { number in
        if number == SIGCHLD { runner?.reap() } else { loop.stop() }
      }
      try loop.run()
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    client.stop()
    return .success
  }
}
