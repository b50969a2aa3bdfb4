internal import Glibc

/// Paths as people type them.
enum UserPath {
  /// The absolute path with every symbolic link followed; as it was given where that is not possible.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
