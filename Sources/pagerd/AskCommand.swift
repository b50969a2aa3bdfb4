internal import ReaderClient
internal import ReaderIPC

/// `send`, `emit` and `reload`: one question to the daemon, and its answer.
struct AskCommand {
  private let message: ClientMessage

  init(_ message: ClientMessage) { self.message = message }

  func run() -> ExitCode {
    let (session, code) = DaemonSession.open()
    guard let session else { return code }
    // A command that was delivered has no answer of its own; the pong behind it says that it was taken.
    return session.converse([message, .ping]) { answer in
      switch answer {
      case .error(let code, let message):
        Output.error("pagerd: \(message) (\(code))")
        return DaemonSession.code(ofError: code)
      case .reload(let errors):
        for error in errors { Output.error("pagerd: " + error) }
        return errors.isEmpty ? .success : .failure
      case .pong: return .success
      default: return nil
      }
    }
  }
}
