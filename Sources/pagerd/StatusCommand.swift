internal import EventLoop
internal import InputDaemon
internal import ReaderClient
internal import ReaderIPC

/// `status` and `devices`: what the running daemon does and knows.
struct StatusCommand {
  let isOnlyDevices: Bool
  let json: Bool
  let files: ConfigurationFiles

  func run() -> ExitCode {
    if isOnlyDevices, let session = DaemonSession.openQuietly() { return ask(session) }
    if isOnlyDevices { return look() }
    let (session, code) = DaemonSession.open()
    guard let session else { return code }
    return ask(session)
  }

  /// Without a daemon: what one would make of each device.
  private func look() -> ExitCode {
    do throws(SystemError) {
      let watcher = try RawWatcher(loop: EventLoop())
      let devices = watcher.statuses(files.load().configuration)
      let report = StatusReport(server: "", isRouting: false, isEmitting: false, clients: 0, devices: devices)
      if json {
        var line: [UInt8] = []
        ServerMessage.devices(report).append(to: &line)
        Output.raw(line)
      } else {
        Output.print("(No pagerd is running; this is what it would make of the devices.)")
        Output.print(StatusCommand.text(report, isOnlyDevices: true))
      }
      return .success
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
  }

  private func ask(_ session: DaemonSession) -> ExitCode {
    return session.converse([isOnlyDevices ? .devices : .status]) { answer in
      switch answer {
      case .status(let report), .devices(let report):
        if json {
          var line: [UInt8] = []
          answer.append(to: &line)
          Output.raw(line)
        } else {
          Output.print(StatusCommand.text(report, isOnlyDevices: isOnlyDevices))
        }
        return .success
      case .error(let code, let message):
        Output.error("pagerd: \(message) (\(code))")
        return DaemonSession.code(ofError: code)
      default: return nil
      }
    }
  }

  static func text(_ report: StatusReport, isOnlyDevices: Bool) -> String {
    var lines: [String] = []
    if !isOnlyDevices {
      lines.append("\(report.server), \(report.clients) client\(report.clients == 1 ? "" : "s")")
      lines.append(report.isRouting ? "Somebody takes the page commands." : "Nobody takes page commands now.")
      if report.isEmitting { lines.append("Commands that nobody takes are sent as keys.") }
    }
    let shared = report.devices.filter { $0.role != .ignore || $0.state == .waitingForUdev }
    let others = report.devices.filter { $0.role == .ignore && $0.state != .waitingForUdev }
    if shared.isEmpty { lines.append("There is no page device.") }
    for device in shared { lines += text(device) }
    if isOnlyDevices, !others.isEmpty {
      lines.append("Not used:")
      for device in others { lines += text(device) }
    }
    if report.omitted > 0 { lines.append("(\(report.omitted) more devices did not fit)") }
    return lines.joined(separator: "\n")
  }

  private static func text(_ device: DeviceStatus) -> [String] {
    var line = "  \(device.name): \(device.role.rawValue), \(device.state.rawValue)"
    if let percent = device.batteryPercent { line += ", battery \(percent) %" }
    line += " (\(device.nodes.joined(separator: ", ")))"
    guard let detail = device.detail else { return [line] }
    return [line, "    \(detail)"]
  }
}
