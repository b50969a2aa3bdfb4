internal import EventLoop
internal import InputDaemon
internal import PageKeys

/// `check`: are configuration and profiles in order?
struct CheckCommand {
  let named: [String]
  let files: ConfigurationFiles

  func run() -> ExitCode {
    let paths = named.isEmpty ? files.paths : named
    var configuration = Configuration()
    var faults = 0
    for path in paths {
      do throws(SystemError) {
        let text = String(decoding: try TextFile.bytes(path), as: UTF8.self)
        do throws(PageKeysError) {
          try configuration.add(text, file: path)
        } catch {
          faults += 1
          Output.error("\(error)")
        }
      } catch {
        faults += 1
        Output.error("pagerd: \(error)")
      }
    }
    guard faults == 0 else { return .failure }
    Output.print("\(paths.count) file\(paths.count == 1 ? "" : "s"), no faults")
    return .success
  }
}
