import CKernelShims
import Glibc

/// The machine-readable result: one line a check, flushed at once so that a hung machine leaves what it had.
///
/// `begin NAME`, `check NAME ok|FAIL CHECK DETAIL`, `end NAME MILLISECONDS`, `done`, all separated by tabs.
final class Report {
  private let descriptor: Int32
  let folder: String

  init(folder: String) {
    self.folder = folder
    descriptor = open(folder + "/report.tsv", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
  }

  func begin(_ scenario: String) { write(["begin", scenario]) }
  func end(_ scenario: String, milliseconds: UInt64) { write(["end", scenario, "\(milliseconds)"]) }
  func done() { write(["done"]) }

  func check(_ scenario: String, _ name: String, _ holds: Bool, _ detail: String) {
    write(["check", scenario, holds ? "ok" : "FAIL", name, detail])
  }

  private func write(_ fields: [String]) {
    let clean = fields.map { field in
      String(field.prefix(2000).map { $0 == "\t" || $0 == "\n" || $0 == "\r\n" ? " " : $0 })
    }
    let line = Array((clean.joined(separator: "\t") + "\n").utf8)
    _ = Glibc.write(descriptor, line, line.count)
  }
}
