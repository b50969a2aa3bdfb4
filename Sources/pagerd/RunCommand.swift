internal import Glibc
internal import InputDaemon

/// `pagerd run`: the daemon.
struct RunCommand {
  let files: ConfigurationFiles

  func run() -> ExitCode {
    // Whoever reads the log may go; that must not take the daemon with it.
    signal(SIGPIPE, SIG_IGN)
    let load = files.load()
    for error in load.errors { say(error) }
    do throws(InputDaemonError) {
      let daemon = try InputDaemon(
        files: files, configuration: load, serverName: Version.name, onNotice: { say(Messages.text($0)) },
        onLog: { say($0) })
      try daemon.run()
      return .success
    } catch {
      say(Messages.text(error))
      return .failure
    }
  }

  private func say(_ text: String) { Output.error("pagerd: " + text) }
}
