internal import EventLoop
internal import Glibc
internal import InputDaemon
internal import PageKeys
internal import ReaderClient
internal import ReaderIPC

/// `monitor`: commands as they happen, and with `--raw` events.
struct MonitorCommand {
  let raw: Bool
  let json: Bool

  func run() -> ExitCode {
    let (session, code) = DaemonSession.open()
    guard let session else { return code }
    guard session.endOnSignals() else { return .failure }
    return session.converse([.monitor(raw: raw)], patience: nil) { message in
      if case .error(let code, let text) = message {
        Output.error("pagerd: \(text) (\(code))")
        return DaemonSession.code(ofError: code)
      }
      if json {
        switch message {
        case .command, .event:
          var line: [UInt8] = []
          message.append(to: &line)
          Output.raw(line)
        default: break
        }
      } else if let line = MonitorCommand.text(message) {
        Output.print(line)
      }
      return nil
    }
  }

  static func text(_ message: ServerMessage) -> String? {
    switch message {
    case .command(let command): "\(command.command) (\(command.gesture.rawValue)) from \(command.device)"
    case .event(let event, let device, let node): text(event, device: device, node: node)
    default: nil
    }
  }

  static func text(_ raw: RawEvent, device: String, node: String) -> String? {
    let event = InputEvent(type: raw.type, code: raw.code, value: raw.value, time: raw.timeMicroseconds)
    return event.isFrameEnd ? nil : "\(node) \(device): \(KeyNames.name(of: event)) \(event.value)"
  }
}
