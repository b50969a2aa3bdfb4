internal import EventLoop
internal import InputDaemon
internal import PageKeys
internal import ReaderIPC

/// `replay`: a recording through the pipeline, without a kernel.
struct ReplayCommand {
  let file: String
  let role: Role?
  let bindings: [String]
  let json: Bool
  let files: ConfigurationFiles

  func run() -> ExitCode {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try TextFile.bytes(file)
    } catch {
      Output.error("pagerd: \(error)")
      return .failure
    }
    let load = files.loadProfiles()
    for error in load.errors { Output.error("pagerd: " + error) }
    do throws(PageKeysError) {
      let recording = try Recording(evemu: String(decoding: bytes, as: UTF8.self))
      var extra: [Binding] = []
      for text in bindings { extra.append(try Configuration.binding(text)) }
      for fired in recording.replay(load.configuration, role: role, bindings: extra) {
        show(fired, device: recording.node.name)
      }
    } catch {
      switch error {
      case .recording: Output.error("pagerd: \(file): \(error)")
      case .configuration: Output.error("pagerd: \(error)")
      }
      return .failure
    }
    return load.errors.isEmpty ? .success : .failure
  }

  private func show(_ fired: Fired, device: String) {
    guard json else { return Output.print(fired.command.description) }
    var line: [UInt8] = []
    ServerMessage.command(
      PageCommand(
        command: fired.command, device: device, gesture: fired.gesture, seq: 0, timeMicroseconds: fired.time)
    ).append(to: &line)
    Output.raw(line)
  }
}
