internal import EventLoop
internal import InputDaemon
internal import PageKeys
internal import ReaderClient

/// Everything that this program says about errors and devices, in one place.
enum Messages {
  // MARK: The command line

  static func text(_ error: ArgumentError) -> String {
    switch error {
    case .unknownCommand(let word, let nearest):
      "pagerd has no command \"\(word)\"" + meant(nearest) + "; see 'pagerd --help'"
    case .unknownOption(let word, let topic, let nearest):
      "\(topic.rawValue) has no option \"\(word)\"" + meant(nearest) + "; see 'pagerd \(topic.rawValue) --help'"
    case .missingValue(let option): "\(option) needs a value"
    case .badValue(let value, let option, let expected): "\(option): \"\(value)\" is not \(expected)"
    case .missing(let what, let topic): "\(topic.rawValue) needs \(what): pagerd \(topic.synopsis)"
    case .tooMuch(let word, let topic): "\"\(word)\" is one word too many: pagerd \(topic.synopsis)"
    }
  }

  private static func meant(_ nearest: String?) -> String { nearest.map { "; did you mean \"\($0)\"?" } ?? "" }

  // MARK: Starting

  static func text(_ error: InputDaemonError) -> String {
    switch error {
    case .socketInUse(let path):
      "\(path) is in use by another pagerd that is running; stop that one, or set PAGERD_SOCKET to another path"
    case .notASocket(let path):
      "\(path) is not a socket, so it was left alone; move it away, or set PAGERD_SOCKET to another path"
    case .noSocketPath: "there is no place for the socket: set XDG_RUNTIME_DIR, or PAGERD_SOCKET to a path"
    case .system(let error): error.description
    }
  }

  static func text(_ error: ConnectionError) -> String {
    switch error {
    case .noServer(let tried):
      if tried.contains(where: { $0.isPermission }) {
        "pagerd runs, but its socket lets you not in (\(list(tried)))"
      } else {
        "no pagerd is running (\(list(tried))); start it with 'systemctl start pagerd', or as 'pagerd run'"
      }
    case .failed(let error): error.description
    }
  }

  private static func list(_ errors: [SystemError]) -> String {
    errors.map { "\($0.subject): \(SystemError.text(of: $0.errno))" }.joined(separator: "; ")
  }

  static func text(_ end: Connection.End) -> String {
    switch end {
    case .bye("shutdown"): "pagerd has ended"
    case .bye(let reason): "pagerd ended the connection: \(reason)"
    case .closed: "pagerd is gone"
    case .notPagerd(let why): "whoever listens there is not pagerd: \(why)"
    case .failed(let error): error.description
    }
  }

  // MARK: Devices

  static func text(_ notice: DeviceNotice) -> String {
    switch notice {
    case .found(let name, let node, let role, let reason): "\(name) (\(node)): \(role), \(reason)"
    case .gone(let name, let node): "\(name) (\(node)): gone"
    case .held(let name, let node): "\(name) (\(node)): held"
    case .givenBack(let name, let node): "\(name) (\(node)): given back"
    case .waitingForKey(let name, let node, let keys):
      "\(name) (\(node)): a key is down on it (\(codes(keys))); it is taken when that comes up"
    case .phantom(let name, let node, let key):
      "\(name) (\(node)): \(KeyNames.name(ofKey: key)) has been down since before pagerd opened it; taken for stuck and released"
    case .busy(let name, let node):
      "\(name) (\(node)): held by another program; 'pagerd doctor' may say which. Trying again later"
    case .noPermission(let name, let node):
      "\(name) (\(node)): no permission to open it; run pagerd as root, or install its udev rules"
    case .unusable(let name, let node, let error): "\(name) (\(node)): \(error)"
    case .noUinput(let error):
      "no device is held, since no virtual device can be made (\(error)): "
        + "load the module with 'modprobe uinput', and let pagerd write to /dev/uinput"
    case .loop(let name, let node, let clone):
      "\(name) (\(node)): another program has grabbed the copy that pagerd made of it (\(clone)); what that makes "
        + "of it would come back to pagerd. It is not shared any more until 'pagerd reload'"
    case .forceFeedback(let name, let node, let errno):
      "\(name) (\(node)): its force feedback cannot be carried over (\(SystemError.text(of: errno))); it is not held"
    case .overflow(let name, let node):
      "\(name) (\(node)): the kernel dropped events; a press among them may be missing"
    case .panic(let name): "\(name): both page buttons were held; everything is given back until a reader claims anew"
    case .discovery(let error): "devices cannot be watched: \(error)"
    case .emitter(let error): "no virtual keyboard can be made (\(error)); nothing is emitted"
    }
  }

  private static func codes(_ keys: [UInt16]) -> String { keys.map(KeyNames.name(ofKey:)).joined(separator: ", ") }
}

extension SystemError {
  /// EACCES or EPERM.
  var isPermission: Bool { errno == 13 || errno == 1 }
}
