internal import CLinux
internal import EventLoop
internal import Glibc

/// Standard input, output and error as they were given to this process: their modes belong to others, too.
enum StandardStreams {
  /// Writes everything, waiting where the other side is slow.
  ///
  /// - Returns: false when nobody reads any more.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { cl_write(descriptor, $0.baseAddress! + done, $0.count - done) }
      if count > 0 {
        done += count
      } else if count == -Int(EAGAIN) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = cl_poll(&entry, 1, -1)
      } else {
        return false
      }
    }
    return true
  }

  static func complain(_ message: String) {
    // One line, whatever the message quotes.
    let line = message.unicodeScalars.map { scalar -> Character in
      scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? " " : Character(scalar)
    }
    write("reader: " + String(line) + "\n", to: STDERR_FILENO)
  }

  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether this process's group is the foreground group of the terminal that any of the three streams is.
  static var isForeground: Bool {
    [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { stream in
      let group = tcgetpgrp(stream)
      return group > 0 && group == getpgrp()
    }
  }

  /// A write to a pipe without a reader is an outcome of `write`, not the end of the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ends the process as the signal would have, so that whoever started it sees what happened.
  static func end(bySignal number: Int32) -> Never {
    signal(number, SIG_DFL)
    SignalMask.unblock([number])
    raise(number)
    exit(128 + number)
  }

  /// Seconds since 1970.
  static var wallClock: Int64 { Int64(time(nil)) }
}

/// Files of the user's own that are small.
enum UserFile {
  static let sizeLimit = 1 << 20

  /// The text; nil when there is no such file.
  static func read(_ path: String) throws(ReaderError) -> String? {
    let file = cl_open(path, O_RDONLY, 0)
    if file == -Int(ENOENT) || file == -Int(ENOTDIR) { return nil }
    guard file >= 0 else { throw .system(call: "open", subject: path, errno: Int32(-file)) }
    defer { _ = cl_close(Int32(file)) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while bytes.count < sizeLimit {
      let count = cl_read(Int32(file), &buffer, buffer.count)
      guard count >= 0 else { throw .system(call: "read", subject: path, errno: Int32(-count)) }
      if count == 0 { break }
      bytes.append(contentsOf: buffer.prefix(count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces the file as a whole; its folder, and that folder's, are made if they are missing.
  static func write(_ text: String, to path: String) throws(ReaderError) {
    let parts = path.split(separator: "/").dropLast()
    for count in parts.indices.suffix(3) {
      _ = cl_mkdir("/" + parts[...count].joined(separator: "/"), 0o700)
    }
    let temporary = path + ".new"
    let file = cl_open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw .system(call: "open", subject: temporary, errno: Int32(-file)) }
    let isWritten = StandardStreams.write(text, to: Int32(file))
    _ = cl_close(Int32(file))
    guard isWritten else {
      _ = cl_unlink(temporary)
      throw .system(call: "write", subject: temporary, errno: ENOSPC)
    }
    let result = cl_rename(temporary, path)
    guard result >= 0 else { throw .system(call: "rename", subject: path, errno: Int32(-result)) }
  }
}
