import CKernelShims
import Glibc

/// Small reads and writes of whole files, and what sysfs says about input devices.
enum Files {
  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  static func trimmed(_ path: String) -> String {
    var text = read(path) ?? ""
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  /// Makes the folder and its parents.
  static func makeFolder(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o755)
    }
  }
}

/// An event node as sysfs shows it, e.g. `/dev/input/event7`, "AB Shutter3", "pagerd/usb-1/input0".
struct InputNode: Equatable, Sendable, CustomStringConvertible {
  var path: String
  var name: String
  var phys: String

  var description: String { "\(path) '\(name)' \(phys)" }

  static func all() -> [InputNode] {
    Files.names(in: "/sys/class/input").filter { $0.hasPrefix("event") }.map { event in
      let device = "/sys/class/input/\(event)/device/"
      return InputNode(
        path: "/dev/input/\(event)", name: Files.trimmed(device + "name"), phys: Files.trimmed(device + "phys"))
    }
  }

  static func with(phys: String) -> InputNode? { all().first { $0.phys == phys } }
}
