import Glibc
import TestSupport
import Testing

/// A folder for one test: its book, its library, its settings. It goes with its last user.
final class TestFolder {
  let path: String

  init() {
    var template = Array("/tmp/reader-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    mkdir(path + "/.config", 0o700)
    mkdir(path + "/.config/pagerd", 0o700)
    // Blanks stay as they are, so that a test can look for words.
    write(Array("alignment = left\nhyphenation = off\n".utf8), to: ".config/pagerd/reader.conf")
  }

  deinit {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove(path + "/" + name) }
      }
      closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// - Returns: the path of the file.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, $0.count - done) }
      if count <= 0 { break }
      done += count
    }
    #expect(done == bytes.count)
    return path + "/" + name
  }
}

/// The `reader` of this build in a process of its own.
class ReaderProcess {
  static let executable: String = {
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
    var parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast()
    return (parts + ["reader"]).joined(separator: "/")
  }()

  /// How long a state is waited for: a busy machine is no failure.
  static let patience: Duration = .seconds(30)

  let pid: pid_t
  private(set) var status: Int32?

  /// - Parameter prepare: adds to what the child does with its descriptors.
  init(
    _ arguments: [String], folder: TestFolder, environment more: [String: String] = [:], session: Bool = false,
    prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A test's thread has most signals blocked; a shell's child has none. POSIX_SPAWN_SETSID is 0x80.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (session ? 0x80 : 0)))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var environment = [
      "HOME": folder.path, "TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      "PAGERD_SOCKET": folder.path + "/pagerd.sock", "XDG_RUNTIME_DIR": folder.path,
    ]
    environment.merge(more) { $1 }
    var argv: [UnsafeMutablePointer<CChar>?] = ([Self.executable] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for pointer in argv + envp { free(pointer) }
    }
    var child: pid_t = 0
    let result = posix_spawn(&child, Self.executable, &actions, &attributes, &argv, &envp)
    try #require(result == 0, "cannot start \(Self.executable)")
    pid = child
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      var ignored: Int32 = 0
      waitpid(pid, &ignored, 0)
    }
  }

  func send(_ signal: Int32) { kill(pid, signal) }

  /// Whether the process has changed its state: ended, or stopped.
  func poll(_ options: Int32 = 0) -> Int32? {
    if let status { return status }
    var value: Int32 = 0
    guard waitpid(pid, &value, WNOHANG | options) == pid else { return nil }
    if value & 0xFF != 0x7F { status = value }
    return value
  }
}

extension Int32 {
  /// Of a wait status.
  var exitCode: Int32? { self & 0x7F == 0 ? self >> 8 & 0xFF : nil }
  var endingSignal: Int32? { self & 0x7F != 0 && self & 0x7F != 0x7F ? self & 0x7F : nil }
  var isStopped: Bool { self & 0xFF == 0x7F }
}
