import Glibc
import ImageWorker
import Testing

@Suite struct ConfinementTests {
  /// The text of a small file, nil when it cannot be read.
  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func workers() -> [String] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard Int32(name) != nil, let status = text("/proc/\(name)/status") else { continue }
      if status.hasPrefix("Name:\treader-images\n"), status.contains("PPid:\t\(getpid())\n") { found.append(status) }
    }
    return found
  }

  @Test func `the worker is shut in before it sees an image`() throws {
    let harness = try WorkerHarness()
    let picture = Pictures.pixmap(width: 4, height: 4, red: 9, green: 9, blue: 9)
    _ = try #require(try harness.render(picture, ImageRequest(form: .pixels, columns: 1, rows: 1))).get()
    let statuses = Self.workers()
    #expect(!statuses.isEmpty)
    for status in statuses {
      // 2: a filter is in force. A worker of another test may still be starting; this one has answered.
      guard status.contains("Seccomp:\t2") else { continue }
      #expect(status.contains("NoNewPrivs:\t1"))
    }
    #expect(statuses.contains { $0.contains("Seccomp:\t2") })
  }
}
