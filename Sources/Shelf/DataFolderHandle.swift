internal import Glibc

/// Where the library lives.
public enum DataFolder {
  /// `$XDG_DATA_HOME/pagerd/library.sqlite`, or the same below `~/.local/share`; its folder is made if it is missing.
  ///
  /// - Throws: `noHome`, `folder`.
  public static func libraryPath(environment: (String) -> String?) throws(ShelfError) -> String {
    let base: String
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      base = data
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      base = home + "/.local/share"
    } else {
      throw .noHome
    }
    let folder = base + "/pagerd"
    try makeFolder(folder)
    return folder + "/library.sqlite"
  }

  private static func makeFolder(_ path: String) throws(ShelfError) {
    var built = ""
    for part in path.split(separator: "/") {
      built += "/" + part
      // What somebody reads is their own affair.
      if mkdir(built, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        let error = errno
        var status = stat()
        guard stat(built, &status) == 0 else { throw .folder(path: built, errno: error) }
      }
    }
  }
}
