import Glibc
import KernelCatalogue
import TestSupport

/// A boot that did not come to a report.
struct BootFailure: Error, CustomStringConvertible {
  var description: String
}

/// Boots each machine once, whoever asks first, one after the other.
actor Boots {
  static let shared = Boots()

  private var boots: [Scenario.Machine: Task<Boot, any Error>] = [:]
  private var latest: Task<Boot, any Error>?

  func boot(of machine: Scenario.Machine) async throws -> Boot {
    if let known = boots[machine] { return try await known.value }
    let before = latest
    let task = Task {
      _ = await before?.result
      return try await Boot(machine)
    }
    boots[machine] = task
    latest = task
    return try await task.value
  }
}

/// What one boot left behind: the report and the logs.
struct Boot: Sendable {
  struct Check: Sendable {
    var name: String
    var holds: Bool
    var detail: String
  }

  struct Result: Sendable {
    var checks: [Check] = []
    var ended = false
  }

  let folder: String
  let results: [String: Result]
  /// How the machine ended, for a scenario that it did not reach.
  let ending: String

  init(_ machine: Scenario.Machine) async throws {
    folder = TestPaths.root + "/.build/kernel-tests/" + machine.rawValue
    let output = folder + ".output"
    mkdir(TestPaths.root + "/.build/kernel-tests", 0o755)
    let code = try await Boot.run(
      ["/bin/sh", TestPaths.root + "/Tests/Kernel/run", machine.rawValue, folder], output: output)
    let said = Boot.read(output)
    guard code <= 1 || access(folder + "/report.tsv", R_OK) == 0 else {
      throw BootFailure(
        description: "THE REAL-KERNEL TESTS DID NOT RUN (\(machine.rawValue)): exit code \(code): \(said)")
    }
    ending = "exit code \(code); \(said.suffix(1500))"
    var results: [String: Result] = [:]
    for line in Boot.read(folder + "/report.tsv").split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch fields[0] {
      case "begin" where fields.count > 1: results[fields[1]] = Result()
      case "end" where fields.count > 1: results[fields[1]]?.ended = true
      case "check" where fields.count > 4:
        results[fields[1]]?.checks.append(Check(name: fields[3], holds: fields[2] == "ok", detail: fields[4]))
      default: break
      }
    }
    self.results = results
  }

  /// The ends of the logs that a scenario's daemons and readers wrote.
  func logs(of scenario: String) -> String {
    guard let directory = opendir(folder) else { return "no folder \(folder)" }
    defer { closedir(directory) }
    var text = ""
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(scenario + ".") else { continue }
      text += "--- \(name)\n" + Boot.read(folder + "/" + name).split(separator: "\n").suffix(15).joined(separator: "\n")
      text += "\n"
    }
    return text.isEmpty ? "none" : text
  }

  static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  /// Runs a program to its end without blocking the other tests' threads; both outputs go to the file.
  private static func run(_ arguments: [String], output: String) async throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var identifier: pid_t = 0
    let failure = posix_spawn(&identifier, arguments[0], &actions, nil, &pointers, environ)
    guard failure == 0 else {
      throw BootFailure(description: "cannot start \(arguments[0]): \(String(cString: strerror(failure)))")
    }
    var status: Int32 = 0
    while waitpid(identifier, &status, WNOHANG) == 0 { try await Task.sleep(for: .milliseconds(100)) }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }
}
