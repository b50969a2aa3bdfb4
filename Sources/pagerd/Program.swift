internal import Glibc
internal import InputDaemon
internal import ReaderIPC

/// Runs what the command line asks for.
enum Program {
  /// The path of the running program.
  static var path: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : "pagerd"
  }

  static func files(_ folder: String = Invocation.defaultFolder) -> ConfigurationFiles {
    ConfigurationFiles(program: path, folder: folder)
  }

  static func run(_ arguments: [String]) -> ExitCode {
    let invocation: Invocation
    do throws(ArgumentError) {
      invocation = try Invocation(arguments)
    } catch {
      Output.error("pagerd: " + Messages.text(error))
      return .usage
    }
    switch invocation {
    case .run(let folder): return RunCommand(files: files(folder)).run()
    case .devices(let json): return StatusCommand(isOnlyDevices: true, json: json, files: files()).run()
    case .status(let json): return StatusCommand(isOnlyDevices: false, json: json, files: files()).run()
    case .monitor(let raw, let json): return MonitorCommand(raw: raw, json: json).run()
    case .record(let node, let file): return RecordCommand(word: node, file: file).run()
    case .replay(let file, let role, let bindings, let json):
      return ReplayCommand(file: file, role: role, bindings: bindings, json: json, files: files()).run()
    case .subscribe(let role, let exec, let json): return SubscribeCommand(role: role, exec: exec, json: json).run()
    case .send(let command): return AskCommand(.send(command)).run()
    case .emit(let isOn): return AskCommand(.emit(isOn)).run()
    case .check(let named, let folder): return CheckCommand(named: named, files: files(folder)).run()
    case .reload: return AskCommand(.reload).run()
    case .learn(let device, let file): return LearnCommand(device: device, file: file).run()
    case .doctor(let json): return DoctorCommand(json: json, files: files()).run()
    case .help(let topic):
      Output.print(Usage.text(topic))
      return .success
    case .version:
      Output.print(Version.name)
      return .success
    }
  }
}
