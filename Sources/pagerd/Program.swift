internal import ReaderIPC

/// Runs what the command line asks for.
enum Program {
  static func run(_ arguments: [String], program: String) -> ExitCode {
    let invocation: Invocation
    do throws(ArgumentError) {
      invocation = try Invocation(arguments)
    } catch {
      Output.error("pagerd: " + Messages.text(error))
      return .usage
    }
    return run(invocation, program: program)
  }

  private static func run(_ invocation: Invocation, program: String) -> ExitCode {
    switch invocation {
    case .run(let folder): return RunCommand(program: program, folder: folder).run()
    case .devices(let json): return StatusCommand(isOnlyDevices: true, json: json).run()
    case .status(let json): return StatusCommand(isOnlyDevices: false, json: json).run()
    case .send(let command): return AskCommand(.send(command)).run()
    case .emit(let isOn): return AskCommand(.emit(isOn)).run()
    case .reload: return AskCommand(.reload).run()
    case .subscribe(let role, let exec, let json): return SubscribeCommand(role: role, exec: exec, json: json).run()
    case .monitor, .learn, .record, .replay, .check, .doctor:
      Output.error("pagerd: this command is not built yet")
      return .failure
    case .help(let topic):
      Output.print(Usage.text(topic))
      return .success
    case .version:
      Output.print(Version.name)
      return .success
    }
  }
}
