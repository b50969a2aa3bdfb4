import Glibc
import TestSupport
import Testing

@testable import reader

/// A reader with pipes in place of a terminal.
final class PipedProcess {
  let process: ReaderProcess
  private var writing: Int32
  private let reading: Int32
  private let complaints: Int32
  private(set) var output = ""
  private var bytes: [UInt8] = []

  init(
    _ arguments: [String], folder: TestFolder, environment: [String: String] = [:], hasInput: Bool = true
  ) throws {
    var ends: [[Int32]] = []
    for _ in 0..<3 {
      var pair: [Int32] = [-1, -1]
      try #require(pipe(&pair) == 0)
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      ends.append(pair)
    }
    process = try ReaderProcess(arguments, folder: folder, environment: environment, session: true) { actions in
      if hasInput {
        posix_spawn_file_actions_adddup2(&actions, ends[0][0], 0)
      } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&actions, ends[1][1], 1)
      posix_spawn_file_actions_adddup2(&actions, ends[2][1], 2)
    }
    close(ends[0][0])
    close(ends[1][1])
    close(ends[2][1])
    writing = ends[0][1]
    reading = ends[1][0]
    complaints = ends[2][0]
  }

  deinit {
    closeInput()
    close(reading)
    close(complaints)
  }

  func closeInput() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Turns on and waits for each of the pages.
  func turn(through pages: ClosedRange<Int>) throws {
    for number in pages {
      type("next")
      _ = try wait(forPage: number)
    }
  }

  func type(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
  }

  private static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 30_000) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer.prefix(count)
    return true
  }

  /// Waits until so many form feeds, and a line break after the last, have come.
  func wait(forPage number: Int) throws -> String {
    while bytes.count(where: { $0 == 0x0C }) < number - 1 || bytes.last != 0x0A {
      try #require(Self.read(reading, into: &bytes), "no page \(number)")
    }
    let pages = String(decoding: bytes, as: UTF8.self).split(separator: "\u{0C}", omittingEmptySubsequences: false)
    return String(pages[number - 1])
  }

  /// The rest of what it prints, and what it complains of, when it has ended.
  func finish() throws -> (output: String, complaints: String, status: Int32) {
    while Self.read(reading, into: &bytes) {}
    var errors: [UInt8] = []
    while Self.read(complaints, into: &errors) {}
    let start = ContinuousClock.now
    while ContinuousClock.now - start < ReaderProcess.patience {
      if let status = process.poll() {
        return (String(decoding: bytes, as: UTF8.self), String(decoding: errors, as: UTF8.self), status)
      }
      sched_yield()
    }
    throw PipeError.noEnd
  }

  enum PipeError: Error { case noEnd }

  /// Runs to the end and returns what came of it.
  static func run(
    _ arguments: [String], folder: TestFolder, environment: [String: String] = [:]
  ) throws -> (output: String, complaints: String, status: Int32) {
    let process = try PipedProcess(arguments, folder: folder, environment: environment, hasInput: false)
    process.closeInput()
    return try process.finish()
  }
}

@Suite(.serialized) struct PrintingTests {
  private let folder = TestFolder()

  private func makeBook() -> String {
    folder.write(EPUBWriter.numbered(chapters: 3, paragraphs: 40).bytes(), to: "book.epub")
  }

  private func page(_ number: Int, of book: String) throws -> String {
    try PipedProcess.run(["text", book, "--page", "\(number)"], folder: folder).output
  }

  @Test func linesOfInputTurnPages() throws {
    let book = makeBook()
    let reader = try PipedProcess([book], folder: folder)
    #expect(try reader.wait(forPage: 1) == page(1, of: book))
    reader.type("next")
    #expect(try reader.wait(forPage: 2) == page(2, of: book))
    reader.type("")
    #expect(try reader.wait(forPage: 3) == page(3, of: book))
    reader.type("prev")
    #expect(try reader.wait(forPage: 4) == page(2, of: book))
    reader.type("nxt")
    reader.closeInput()
    let end = try reader.finish()
    #expect(end.status.exitCode == 0)
    #expect(end.complaints.contains("no command `nxt`; did you mean `next`?"))
    // The next one begins where this one ended.
    let again = try PipedProcess([book], folder: folder)
    #expect(try again.wait(forPage: 1) == page(2, of: book))
  }

  @Test func pagerdTurnsPagesWithoutATerminal() throws {
    let pagerd = try FakePagerd(folder: folder)
    let book = makeBook()
    let reader = try PipedProcess(["--claim", book], folder: folder, hasInput: false)
    #expect(try reader.wait(forPage: 1) == page(1, of: book))
    try pagerd.accept()
    try pagerd.expect(#""type":"focus""#, "true")
    pagerd.send(#"{"type":"active","value":true,"devices":[]}"#)
    pagerd.send(command: "next")
    #expect(try reader.wait(forPage: 2) == page(2, of: book))
    pagerd.send(#"{"type":"bye","reason":"shutdown"}"#)
    pagerd.drop()
    #expect(try reader.finish().status.exitCode == 0)
  }

  @Test func withoutAClaimItAsksForNothing() throws {
    let pagerd = try FakePagerd(folder: folder)
    let reader = try PipedProcess([makeBook()], folder: folder)
    _ = try reader.wait(forPage: 1)
    try pagerd.accept()
    try pagerd.expect(#""type":"subscribe""#)
    pagerd.send(#"{"type":"ping"}"#)
    #expect(try !pagerd.expect("type").contains("focus"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalsEndItAndThePlaceIsKept(signal: Int32) throws {
    let book = makeBook()
    let reader = try PipedProcess([book], folder: folder)
    _ = try reader.wait(forPage: 1)
    reader.type("next")
    _ = try reader.wait(forPage: 2)
    reader.process.send(signal)
    #expect(try reader.finish().status.endingSignal == signal)
    let again = try PipedProcess([book], folder: folder)
    #expect(try again.wait(forPage: 1) == page(2, of: book))
  }

  @Test func anotherEditionTakesThePlaceOverAndSaysSo() throws {
    let path = makeBook()
    do {
      let reader = try PipedProcess([path], folder: folder)
      _ = try reader.wait(forPage: 1)
      try reader.turn(through: 2...5)
      reader.closeInput()
      #expect(try reader.finish().status.exitCode == 0)
    }
    let words = try page(5, of: path).split(separator: "\n")[0]
    var edition = EPUBWriter.numbered(chapters: 3, paragraphs: 40)
    edition.chapters.insert(.init(name: "preface", title: "Preface", body: "<p>A preface.</p>"), at: 0)
    folder.write(edition.bytes(), to: "book.epub")
    let result = try PipedProcess.run([path], folder: folder)
    #expect(result.complaints.contains("another edition of this book was here: its place is taken over"))
    #expect(result.output.contains(words))
    // Said once; from now on this edition has a place of its own.
    let again = try PipedProcess.run([path], folder: folder)
    #expect(again.complaints.isEmpty && again.output == result.output)
  }

  @Test func aDamagedLibraryIsNamedLeftAloneAndReadingGoesOn() throws {
    let book = makeBook()
    for part in ["/.local", "/.local/share", "/.local/share/pagerd"] { mkdir(folder.path + part, 0o700) }
    folder.write(Array("this is no database, by far".utf8), to: ".local/share/pagerd/library.sqlite")
    let result = try PipedProcess.run([book], folder: folder)
    #expect(result.status.exitCode == 0)
    #expect(result.output == (try page(1, of: book)))
    #expect(result.complaints.contains("library.sqlite is damaged"))
    #expect(result.complaints.split(separator: "\n").count == 1)
  }

  @Test func twoReadersOfOneBookShareALibrary() throws {
    let book = makeBook()
    let first = try PipedProcess([book], folder: folder)
    let second = try PipedProcess([book], folder: folder)
    _ = try first.wait(forPage: 1)
    _ = try second.wait(forPage: 1)
    for number in 2...6 {
      first.type("next")
      second.type("next")
      _ = try first.wait(forPage: number)
      _ = try second.wait(forPage: number)
    }
    first.closeInput()
    let one = try first.finish()
    second.type("next")
    _ = try second.wait(forPage: 7)
    second.closeInput()
    let other = try second.finish()
    #expect(one.complaints.isEmpty && other.complaints.isEmpty)
    // The one that turned last is where the next begins.
    #expect(try PipedProcess.run([book], folder: folder).output == page(7, of: book))
  }
}
