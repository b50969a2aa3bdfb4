import Glibc

/// Lists files of the shared test material.
public enum SharedFiles {
  /// Paths of all files below `shared/FOLDER` that end so, sorted; empty if the folder is absent.
  public static func list(_ folder: String, ending: String) -> [String] {
    var found: [String] = []
    var pending = [TestPaths.shared + "/" + folder]
    while let path = pending.popLast() {
      guard let directory = opendir(path) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasPrefix(".") { continue }
        if Int32(entry.pointee.d_type) == Int32(DT_DIR) {
          pending.append(path + "/" + name)
        } else if name.lowercased().hasSuffix(ending) {
          found.append(path + "/" + name)
        }
      }
    }
    return found.sorted()
  }
}
