internal import EventLoop
internal import Glibc
internal import InputDaemon
internal import PageKeys
internal import ReaderClient
internal import ReaderIPC

/// `record`: what one node sends, in the format of evemu 1.3.
struct RecordCommand {
  let word: String
  let file: String?

  func run() -> ExitCode {
    let sink: RecordingSink
    do throws(SystemError) {
      sink = try RecordingSink(file: file)
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    let loop: EventLoop
    let watcher: RawWatcher
    do throws(SystemError) {
      loop = try EventLoop()
      watcher = try RawWatcher(loop: loop)
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    guard let node = watcher.node(word) else {
      Output.error("pagerd: there is no device \"\(word)\"; 'pagerd devices' lists them")
      return .failure
    }
    // What a daemon holds, it alone can see.
    if let session = DaemonSession.openQuietly() { return record(node, over: session, sink) }
    return record(node, watcher, loop, sink)
  }

  private func record(_ node: RawWatcher.Node, over session: DaemonSession, _ sink: RecordingSink) -> ExitCode {
    guard session.endOnSignals() else { return .failure }
    var hasBegun = false
    return session.converse([.record(node: node.path)], patience: nil) { message in
      switch message {
      case .recordLine(let line): sink.write(line + "\n")
      case .event(let event, _, let path) where path == node.path:
        if !hasBegun { Output.error("recording \(node.name); Ctrl-C ends it") }
        hasBegun = true
        sink.write(
          InputEvent(type: event.type, code: event.code, value: event.value, time: event.timeMicroseconds))
      case .error(let code, let text):
        Output.error("pagerd: \(text) (\(code))")
        return DaemonSession.code(ofError: code)
      default: break
      }
      return nil
    }
  }

  private func record(
    _ node: RawWatcher.Node, _ watcher: RawWatcher, _ loop: EventLoop, _ sink: RecordingSink
  ) -> ExitCode {
    do throws(SystemError) {
      try loop.handleSignals([SIGINT, SIGTERM, SIGHUP]) { _ in loop.stop() }
      sink.write(Recording(node: try watcher.description(of: node)).head)
      if let failure = watcher.watch([node], onEvent: { event, _ in sink.write(event) }).first { throw failure }
      Output.error("recording \(node.name); Ctrl-C ends it")
      try loop.run()
      return .success
    } catch {
      Output.error("pagerd: \(error)")
      return error.isPermission ? .noRights : .failure
    }
  }
}

/// Where a recording goes, line by line, so that an interrupted one is whole up to there.
final class RecordingSink {
  private let descriptor: FileDescriptor
  private var origin: UInt64?

  init(file: String?) throws(SystemError) {
    if let file, file != "-" {
      descriptor = try FileDescriptor.open(file, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    } else {
      let standardOutput = dup(1)
      guard standardOutput >= 0 else { throw SystemError(.open, errno: errno, subject: "standard output") }
      descriptor = FileDescriptor(owning: standardOutput)
    }
  }

  func write(_ text: String) { Output.write(descriptor.rawValue, text) }

  func write(_ event: InputEvent) {
    let origin = origin ?? event.time
    self.origin = origin
    write(Recording.line(event, since: origin))
  }
}
