/// How the program ends.
enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  /// It did not work; standard error says what and why.
  case failure = 1
  /// The command line is wrong.
  case usage = 2
  /// No pagerd is running, or none that answers.
  case noDaemon = 3
  /// pagerd runs, but the user may not do this.
  case noRights = 4

  var meaning: String {
    switch self {
    case .success: "it worked"
    case .failure: "it did not; standard error says why"
    case .usage: "the command line is wrong"
    case .noDaemon: "no pagerd is running"
    case .noRights: "pagerd does not let this user do it"
    }
  }
}
