internal import EventLoop
internal import InputDaemon
internal import PageKeys
internal import ReaderClient
internal import ReaderIPC

/// `doctor`: what is wrong, and how to put it right.
struct DoctorCommand {
  let json: Bool
  let files: ConfigurationFiles

  func run() -> ExitCode {
    let report = daemonReport()
    var findings = [uinput(), udev(), rules(), service(), daemon(report), permissions(report)]
    findings += [session(), configuration()]
    findings += grabbers(report)
    findings.append(devices(report))
    if json {
      Output.print("{\"findings\":[\(findings.map(\.json).joined(separator: ","))]}")
    } else {
      for finding in findings { Output.print(finding.line) }
    }
    return findings.contains { $0.verdict == .bad } ? .failure : .success
  }

  // MARK: The machine

  private func uinput() -> Finding {
    guard let fault = Machine.uinputFault() else {
      return Finding(subject: "uinput", verdict: .good, text: "virtual devices can be made")
    }
    return DoctorCommand.uinput(fault, isRoot: Machine.user == 0)
  }

  static func uinput(_ fault: SystemError, isRoot: Bool) -> Finding {
    if fault.isPermission, !isRoot {
      return Finding(
        subject: "uinput", verdict: .note, text: "you may not open /dev/uinput",
        remedy: "none is needed if pagerd runs as a service; else let it run as root or as the user _pagerd")
    }
    return Finding(
      subject: "uinput", verdict: .bad, text: "no virtual device can be made (\(fault)), so no device is held",
      remedy: "modprobe uinput; to have it at every start: echo uinput > /etc/modules-load.d/pagerd.conf")
  }

  private func udev() -> Finding {
    Machine.hasUdev
      ? Finding(subject: "udev", verdict: .good, text: "udevd announces devices")
      : Finding(
        subject: "udev", verdict: .note, text: "udevd does not run; the kernel's own announcements are used",
        remedy: "on a desktop: systemctl start systemd-udevd")
  }

  private func rules() -> Finding {
    let folders = [
      "/etc/udev/rules.d/", "/usr/local/lib/udev/rules.d/", "/usr/lib/udev/rules.d/", "/lib/udev/rules.d/",
    ]
    if let folder = folders.first(where: { Machine.exists($0 + "70-pagerd.rules") }) {
      return Finding(subject: "rules", verdict: .good, text: "\(folder)70-pagerd.rules is installed")
    }
    return Finding(
      subject: "rules", verdict: .note, text: "the udev rules of pagerd are not installed",
      remedy: "they are needed unless pagerd runs as root: make install")
  }

  private func service() -> Finding {
    guard Machine.hasSystemd else {
      return Finding(subject: "service", verdict: .note, text: "systemd does not run here; start 'pagerd run' yourself")
    }
    let folders = [
      "/etc/systemd/system/", "/usr/local/lib/systemd/system/", "/usr/lib/systemd/system/", "/lib/systemd/system/",
    ]
    if let folder = folders.first(where: { Machine.exists($0 + "pagerd.service") }) {
      return Finding(subject: "service", verdict: .good, text: "\(folder)pagerd.service is installed")
    }
    return Finding(
      subject: "service", verdict: .note, text: "pagerd is not installed as a service",
      remedy: "make install; systemctl enable --now pagerd.socket")
  }

  // MARK: The daemon

  private enum DaemonReport {
    case running(StatusReport)
    case absent(String)
    case denied(String)
  }

  private func daemonReport() -> DaemonReport {
    do throws(SystemError) {
      let loop = try EventLoop()
      do throws(ConnectionError) {
        let connection = try Connection(loop: loop)
        var report: StatusReport?
        var end: String?
        connection.onMessage = { if case .status(let status) = $0 { report = status } }
        connection.onEnd = { end = Messages.text($0) }
        connection.send(.status)
        let deadline = loop.now + 3_000_000
        while report == nil, end == nil, loop.now < deadline { try turn(loop) }
        if let report { return .running(report) }
        return .absent(end ?? "it does not answer")
      } catch {
        if case .noServer(let tried) = error, tried.contains(where: \.isPermission) {
          return .denied(Messages.text(error))
        }
        return .absent(Messages.text(error))
      }
    } catch {
      return .absent(error.description)
    }
  }

  private func turn(_ loop: EventLoop) throws(ConnectionError) {
    do throws(SystemError) {
      try loop.turn(milliseconds: 100)
    } catch {
      throw .failed(error)
    }
  }

  private func daemon(_ report: DaemonReport) -> Finding {
    switch report {
    case .running(let status):
      Finding(subject: "daemon", verdict: .good, text: "\(status.server) runs, with \(status.clients) connections")
    case .denied(let why):
      Finding(subject: "daemon", verdict: .bad, text: why, remedy: "log in at the seat, or join the group pagerd")
    case .absent(let why):
      Finding(
        subject: "daemon", verdict: .bad, text: why,
        remedy: Machine.hasSystemd ? "systemctl start pagerd" : "start 'pagerd run' as root")
    }
  }

  private func permissions(_ report: DaemonReport) -> Finding {
    if case .running(let status) = report {
      let closed = status.devices.filter { $0.state == .noPermission }
      guard let first = closed.first else {
        return Finding(subject: "permissions", verdict: .good, text: "the daemon may open every page device")
      }
      return Finding(
        subject: "permissions", verdict: .bad,
        text: "the daemon may not use \(closed.map(\.name).joined(separator: ", "))",
        remedy: first.detail ?? "let its user join the group input")
    }
    let closed = Machine.closedNodes()
    guard !closed.isEmpty else {
      return Finding(subject: "permissions", verdict: .good, text: "you may open every input device")
    }
    return Finding(
      subject: "permissions", verdict: .note, text: "you may not open \(closed.count) of the input devices",
      remedy: "none is needed if pagerd runs as a service; else run it as root")
  }

  private func session() -> Finding {
    if Machine.user == 0 { return Finding(subject: "session", verdict: .good, text: "root may always take commands") }
    if Machine.isInGroup("pagerd") {
      return Finding(subject: "session", verdict: .good, text: "you are in the group pagerd")
    }
    guard Machine.hasLogind else {
      return Finding(
        subject: "session", verdict: .bad, text: "logind does not run, so nobody has rights by being at the screen",
        remedy: "join the group pagerd: usermod -aG pagerd USER")
    }
    if Machine.activeUser(onSeat: "seat0") == Machine.user {
      return Finding(subject: "session", verdict: .good, text: "your session is the active one on seat0")
    }
    return Finding(
      subject: "session", verdict: .bad, text: "your session is not the active one on seat0",
      remedy: "switch to it, or join the group pagerd: usermod -aG pagerd USER")
  }

  private func configuration() -> Finding {
    let load = files.load()
    guard let first = load.errors.first else {
      return Finding(
        subject: "configuration", verdict: .good,
        text: "\(files.paths.count) files, \(load.configuration.deviceCount) device sections, no faults")
    }
    return Finding(subject: "configuration", verdict: .bad, text: first, remedy: "pagerd check names all faults")
  }

  // MARK: Others

  /// Programs known to grab whole keyboards.
  static let knownGrabbers = [
    "keyd", "kanata", "kmonad", "xremap", "evsieve", "intercept", "input-remapper-service", "input-remapper-", "hawkd",
    "evremap", "makima", "actkbd", "triggerhappy", "thd", "evdevremapkeys", "kbct", "dual-function-k",
  ]

  private func grabbers(_ report: DaemonReport) -> [Finding] {
    var findings: [Finding] = []
    let holders = Machine.holders()
    var busy: [DeviceStatus] = []
    if case .running(let status) = report { busy = status.devices.filter { $0.state == .busy } }
    for device in busy {
      let suspects = holders.filter { holder in
        holder.name != "pagerd" && device.nodes.contains(where: holder.nodes.contains)
      }
      let names = suspects.map { "\($0.name) (\($0.pid))" }.joined(separator: ", ")
      findings.append(
        Finding(
          subject: "grabbed", verdict: .bad,
          text: "\(device.name) is held by another program" + (names.isEmpty ? "" : "; it is open in \(names)"),
          remedy: "end that program, or let it leave this device alone"))
    }
    let running = Machine.processNames()
    let known = DoctorCommand.knownGrabbers.filter { running.contains($0) }
    if !known.isEmpty, busy.isEmpty {
      findings.append(
        Finding(
          subject: "grabbers", verdict: .note, text: "\(known.joined(separator: ", ")) runs, which grabs keyboards",
          remedy: "let it leave page turners, and devices whose phys begins with pagerd/, alone"))
    }
    if findings.isEmpty {
      findings.append(Finding(subject: "grabbers", verdict: .good, text: "no other program is known to hold a device"))
    }
    return findings
  }

  private func devices(_ report: DaemonReport) -> Finding {
    guard case .running(let status) = report else {
      return Finding(subject: "devices", verdict: .note, text: "'pagerd devices' shows what a daemon would use")
    }
    let used = status.devices.filter { $0.role != .ignore }
    guard used.isEmpty else {
      let names = used.map { "\($0.name) (\($0.state.rawValue))" }
      return Finding(subject: "devices", verdict: .good, text: names.joined(separator: ", "))
    }
    return Finding(
      subject: "devices", verdict: .note, text: "there is no page device",
      remedy: "connect one and press a button on it; if it still is not listed, teach it: pagerd learn")
  }
}
