internal import EventLoop
internal import Glibc
internal import InputDaemon
internal import PageKeys
internal import ReaderClient
internal import ReaderIPC

/// `learn`: asks for a press of each button and writes a profile.
struct LearnCommand {
  let device: String?
  let file: String?

  func run() -> ExitCode {
    // What a daemon holds, it alone can see.
    if let session = DaemonSession.openQuietly() { return overDaemon(session) }
    do throws(SystemError) {
      let loop = try EventLoop()
      let lesson = try Lesson(loop: loop, device: device, file: file) { loop.stop() }
      try lesson.begin()
      let failures = lesson.watch()
      guard failures < lesson.nodeCount else {
        Output.error("pagerd: no device may be opened; try as root")
        return .noRights
      }
      try loop.handleSignals([SIGINT, SIGTERM, SIGHUP]) { _ in lesson.abandon() }
      try loop.run()
      return lesson.result
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
  }

  private func overDaemon(_ session: DaemonSession) -> ExitCode {
    let lesson: Lesson
    do throws(SystemError) {
      lesson = try Lesson(loop: session.eventLoop, device: device, file: file) { [unowned session] in
        session.send(.reload)
      }
      try session.eventLoop.handleSignals([SIGINT, SIGTERM, SIGHUP]) { [unowned session] _ in
        lesson.abandon()
        session.finish(lesson.result)
      }
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    var hasBegun = false
    return session.converse([.monitor(raw: true)], patience: nil) { message in
      switch message {
      case .monitor(raw: true) where !hasBegun:
        hasBegun = true
        do throws(SystemError) {
          try lesson.begin()
        } catch {
          Output.error("pagerd: \(error)")
          return .failure
        }
      case .event(let raw, _, let node):
        lesson.take(
          InputEvent(type: raw.type, code: raw.code, value: raw.value, time: raw.timeMicroseconds), from: node)
      case .reload(let errors):
        for error in errors { Output.error("pagerd: " + error) }
        if errors.isEmpty, lesson.result == .success { Output.print("The daemon uses it from now on.") }
        return errors.isEmpty ? lesson.result : .failure
      case .error(let code, let text):
        Output.error("pagerd: \(text) (\(code)); try as root")
        return DaemonSession.code(ofError: code)
      default: break
      }
      return nil
    }
  }
}
