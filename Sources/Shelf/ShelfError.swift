/// Why the library cannot be used. Reading goes on without it.
public enum ShelfError: Error, Sendable, Equatable {
  /// Neither $XDG_DATA_HOME nor $HOME says where the library is.
  case noHome
  case folder(path: String, errno: Int32)
  case cannotOpen(path: String, reason: String)
  case readOnly(path: String)
  case full(path: String)
  case busy(path: String)
  case damaged(path: String, reason: String)
  /// Written by a newer version of this program.
  case newer(path: String, version: Int)
  case failed(path: String, reason: String)

  /// Whether trying again later may help.
  public var isTemporary: Bool {
    switch self {
    case .busy, .full: true
    case .noHome, .folder, .cannotOpen, .readOnly, .damaged, .newer, .failed: false
    }
  }
}

extension ShelfError: CustomStringConvertible {
  public var description: String { "the place is not saved\(isTemporary ? " yet" : ""): \(reason)" }

  /// What is wrong with the library, and what to do.
  public var reason: String {
    switch self {
    case .noHome:
      "neither HOME nor XDG_DATA_HOME is set"
    case .folder(let path, let errno):
      "cannot make the folder \(path) (error \(errno)); check its permissions"
    case .cannotOpen(let path, let reason):
      "cannot open \(path) (\(reason)); check its permissions"
    case .readOnly(let path):
      "\(path) is read-only; check its permissions"
    case .full(let path):
      "no space left for \(path); free some, saving is tried again"
    case .busy(let path):
      "\(path) is in use; saving is tried again"
    case .damaged(let path, let reason):
      "\(path) is damaged (\(reason)); move it away to begin a new library"
    case .newer(let path, let version):
      "\(path) was written by a newer reader (format \(version)); update this one"
    case .failed(let path, let reason):
      "\(path): \(reason)"
    }
  }
}
