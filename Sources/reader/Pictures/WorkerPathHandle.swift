internal import Glibc

/// Where the program that decodes images is: beside this one, or where an installation puts it.
enum WorkerPath {
  private static let name = "reader-images"

  static func find() -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return name }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.split(separator: "/").dropLast()
    let beside = "/" + (folder + [Substring(name)]).joined(separator: "/")
    let installed = "/" + (folder.dropLast() + ["libexec", "pagerd", Substring(name)]).joined(separator: "/")
    return access(beside, X_OK) == 0 ? beside : installed
  }
}
