import CKernelShims
import Glibc

/// A program that a scenario started; killed when the scenario ends.
final class Process {
  let identifier: Int32
  let log: String
  private var code: Int32?

  init(_ arguments: [String], environment: [String: String] = [:], log: String, in world: World?) throws {
    self.log = log
    var variables = Process.inherited
    for (name, value) in environment { variables[name] = value }
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var environmentPointers: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    identifier = ks_spawn(arguments[0], &argumentPointers, &environmentPointers, log)
    guard identifier > 0 else { throw Stopped(reason: "cannot start \(arguments[0])") }
    world?.atEnd { [self] in end() }
  }

  /// nil while it runs; 128 + signal when a signal ended it.
  var exitCode: Int32? {
    if code == nil {
      let answer = ks_wait(identifier, 0)
      if answer >= 0 { code = answer }
    }
    return code
  }

  func signal(_ number: Int32) { if exitCode == nil { kill(identifier, number) } }

  func end() {
    guard exitCode == nil else { return }
    kill(identifier, SIGCONT)
    kill(identifier, SIGTERM)
    let deadline = ks_now() + 3_000_000
    while exitCode == nil, ks_now() < deadline { poll(nil, 0, 5) }
    if exitCode == nil {
      kill(identifier, SIGKILL)
      code = ks_wait(identifier, 1)
    }
  }

  /// Fields of /proc/PID/status, e.g. "voluntary_ctxt_switches" or "RssAnon" (in kB).
  func status(_ field: String) -> Int? {
    guard let text = Files.read("/proc/\(identifier)/status") else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(field + ":") {
      return Int(line.dropFirst(field.count + 1).split { $0 == " " || $0 == "\t" }.first ?? "")
    }
    return nil
  }

  /// Its threads, and what each is doing: R, S, D ...
  var threads: [(identifier: Int32, state: Character)] {
    Files.names(in: "/proc/\(identifier)/task").compactMap { name in
      guard let text = Files.read("/proc/\(identifier)/task/\(name)/stat"), let end = text.lastIndex(of: ")"),
        let identifier = Int32(name), let state = text[end...].dropFirst(2).first
      else { return nil }
      return (identifier, state)
    }
  }

  var descriptorCount: Int { Files.names(in: "/proc/\(identifier)/fd").count }

  /// Processor time so far, in microseconds.
  var processorTime: Int {
    let nanoseconds = Files.read("/proc/\(identifier)/schedstat")?.split(separator: " ").first.flatMap { Int($0) }
    return (nanoseconds ?? 0) / 1000
  }

  /// Runs a program to its end; its output and exit code.
  @discardableResult
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> (code: Int32, output: String) {
    let file = "/run/tmp/output-\(ks_now())"
    let process = try Process(arguments, environment: environment, log: file, in: nil)
    let deadline = ks_now() + 60_000_000
    while process.exitCode == nil, ks_now() < deadline { poll(nil, 0, 2) }
    if process.exitCode == nil { process.end() }
    let output = Files.read(file) ?? ""
    unlink(file)
    return (process.exitCode ?? -1, output)
  }

  private static var inherited: [String: String] {
    var variables: [String: String] = [:]
    for name in [
      "PATH", "HOME", "LANG", "TERM", "TMPDIR", "TMUX_TMPDIR", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME",
      "XDG_CONFIG_HOME",
    ] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }
}
