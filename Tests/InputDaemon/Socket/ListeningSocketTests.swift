import EventLoop
import Glibc
import Testing

@testable import InputDaemon

@Suite struct ListeningSocketTests {
  @Test func aLivingPagerdKeepsItsSocket() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    let living = try ListeningSocket.open(at: path)
    #expect(throws: SocketError.inUse(path: path)) { _ = try ListeningSocket.open(at: path) }
    #expect(throws: Never.self) { _ = try UnixSocket.connect(to: path) }
    living.removeFile()
    #expect(access(path, F_OK) != 0)
  }

  @Test func aDeadPagerdsSocketIsReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    do { _ = try ListeningSocket.open(at: path) }
    #expect(access(path, F_OK) == 0, "a dead one removed nothing")
    #expect(throws: SystemError(.connect, errno: ECONNREFUSED, subject: path)) {
      _ = try UnixSocket.connect(to: path)
    }
    let fresh = try ListeningSocket.open(at: path)
    #expect(throws: Never.self) { _ = try UnixSocket.connect(to: path) }
    withExtendedLifetime(fresh.rawValue) {}
  }

  /// Somebody listens there without the lock: another program, or a pagerd whose lock file was removed.
  @Test func anotherProgramsLivingSocketIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    let other = try UnixSocket.listen(at: path, mode: 0o600)
    #expect(throws: SocketError.inUse(path: path)) { _ = try ListeningSocket.open(at: path) }
    #expect(throws: Never.self) { _ = try UnixSocket.connect(to: path) }
    withExtendedLifetime(other.rawValue) {}
  }

  @Test(arguments: ["file", "folder", "link to nothing", "link to a file", "pipe"])
  func whatIsNoSocketIsNeverRemoved(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    let target = folder.path + "/target"
    switch kind {
    case "file": close(creat(path, 0o600))
    case "folder": mkdir(path, 0o700)
    case "pipe": mkfifo(path, 0o600)
    case "link to a file":
      close(creat(target, 0o600))
      symlink(target, path)
    default: symlink(target, path)
    }
    #expect(throws: SocketError.notASocket(path: path)) { _ = try ListeningSocket.open(at: path) }
    var status = stat()
    #expect(lstat(path, &status) == 0)
    rmdir(path)
  }

  @Test func aLockThatIsALinkIsNotFollowed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    symlink(folder.path + "/victim", path + ".lock")
    #expect(throws: SocketError.system(SystemError(.open, errno: ELOOP, subject: path + ".lock"))) {
      _ = try ListeningSocket.open(at: path)
    }
    #expect(access(folder.path + "/victim", F_OK) != 0)
  }

  @Test func aSocketThatIsNotOursIsNotRemovedAtTheEnd() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    let ours = try ListeningSocket.open(at: path)
    unlink(path)
    let other = try UnixSocket.listen(at: path, mode: 0o600)
    ours.removeFile()
    #expect(access(path, F_OK) == 0)
    withExtendedLifetime(other.rawValue) {}
  }

  @Test func aMissingFolderSaysWhichFile() {
    let path = "/tmp/pagerd-no-such-folder/pagerd.sock"
    #expect(throws: SocketError.system(SystemError(.open, errno: ENOENT, subject: path + ".lock"))) {
      _ = try ListeningSocket.open(at: path)
    }
  }

  @Test func anAbstractNameNeedsNoLock() throws {
    let path = "@pagerd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let first = try ListeningSocket.open(at: path)
    #expect(throws: SocketError.inUse(path: path)) { _ = try ListeningSocket.open(at: path) }
    #expect(throws: Never.self) { _ = try UnixSocket.connect(to: path) }
    withExtendedLifetime(first.rawValue) {}
  }

  /// Twenty starts at once on a dead one's socket: exactly one listens, and it can be reached.
  @Test func ofManyStartsAtOnceExactlyOneListens() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    do { _ = try ListeningSocket.open(at: path) }
    var kept: [ListeningSocketBox] = []
    for _ in 0..<20 {
      if let socket = try? ListeningSocketBox(path) { kept.append(socket) }
    }
    #expect(kept.count == 1)
    #expect(throws: Never.self) { _ = try UnixSocket.connect(to: path) }
  }

  @Test(arguments: [SystemCall.open, .flock, .stat, .socket, .bind, .chmod, .listen])
  func aCallThatFailsIsNamedAndLeavesNothingBehind(_ call: SystemCall) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pagerd.sock"
    Faults.inject(call, errno: EIO)
    defer { Faults.clear() }
    var failed: SocketError?
    do throws(SocketError) { _ = try ListeningSocket.open(at: path) } catch { failed = error }
    guard case .system(let error)? = failed else {
      Issue.record("\(String(describing: failed))")
      return
    }
    #expect(error.call == call)
    Faults.clear()
    // The lock is free again, and a socket that was left is replaced.
    #expect(throws: Never.self) { _ = try ListeningSocket.open(at: path) }
  }
}

private final class ListeningSocketBox {
  let socket: ListeningSocket
  init(_ path: String) throws(SocketError) { socket = try ListeningSocket.open(at: path) }
}
