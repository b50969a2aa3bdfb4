internal import Publication
internal import Shelf
internal import Terminal

/// What ends the program with an exit code above 0.
enum ReaderError: Error, Sendable, Equatable {
  /// The arguments make no sense; what was expected.
  case usage(String)
  case book(path: String, reason: String)
  /// `pages` is how many there are, from 1.
  case noSuchPage(path: String, page: Int, pages: Int)
  case terminal(TerminalError)
  case settings(path: String, line: Int, reason: String)
  /// A search that makes no sense or costs too much.
  case search(String)
  case library(ShelfError)
  case system(call: String, subject: String, errno: Int32)

  /// 2: the command line; 1: everything else.
  var exitCode: Int32 {
    switch self {
    case .usage: 2
    case .book, .noSuchPage, .terminal, .settings, .search, .library, .system: 1
    }
  }
}

extension ReaderError: CustomStringConvertible {
  /// One sentence: what, on which object, what to try.
  var description: String {
    switch self {
    case .usage(let reason):
      "\(reason); try `reader --help`"
    case .book(let path, let reason):
      reason.hasPrefix(path) ? reason : "\(path): \(reason)"
    case .noSuchPage(let path, let page, let pages):
      "\(path): there is no page \(page); this book has pages 1 to \(pages) at this size"
    case .terminal(let error):
      error.description
    case .settings(let path, let line, let reason):
      "\(path):\(line): \(reason)"
    case .search(let reason):
      reason
    case .library(let error):
      error.reason
    case .system(let call, let subject, let errno):
      "\(subject): \(call) failed (error \(errno))"
    }
  }
}
