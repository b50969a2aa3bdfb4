import CSQLite
import Document
import Glibc
import Testing

@testable import Shelf

/// A folder that goes with its last user.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/shelf-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] { unlink(path + "/" + name) }
    rmdir(path)
  }

  var library: String { path + "/library.sqlite" }

  func read(_ name: String) -> [UInt8] {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    let count = Glibc.read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  func write(_ bytes: some Collection<UInt8>, to name: String) {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = Array(bytes)
    #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
  }
}

@Suite struct ShelfTests {
  private let folder = ScratchFolder()

  private func facts(
    _ identity: String = "aa", path: String = "/books/moby.epub", title: String = "Moby-Dick",
    authors: [String] = ["Herman Melville", "Somebody Else"]
  ) -> BookFacts {
    BookFacts(identity: identity, path: path, title: title, authors: authors, language: "en")
  }

  private func place(_ offset: Int, spineIndex: Int = 3) -> Progress {
    Progress(
      position: Position(
        spineIndex: spineIndex, idref: "c\(spineIndex)", offset: offset, before: "Call me", after: "Ishmael 字 'q'"),
      fraction: 0.25, updatedAt: 1_700_000_000)
  }

  private func entry(_ opening: Opening) -> BookEntry {
    switch opening {
    case .known(let entry), .new(let entry), .edition(let entry, _): entry
    }
  }

  @Test func aPlaceIsThereAgain() throws {
    do {
      let shelf = try Shelf(path: folder.library)
      guard case .new(let book) = try shelf.open(facts(), now: 1) else {
        Issue.record("a first book is new")
        return
      }
      #expect(book.progress == nil)
      try shelf.save(place(100), of: book.id)
      try shelf.save(place(200), of: book.id)
    }
    let shelf = try Shelf(path: folder.library)
    guard case .known(let book) = try shelf.open(facts(path: "/elsewhere.epub"), now: 2) else {
      Issue.record("the same identity is the same book wherever it lies")
      return
    }
    #expect(book.progress == place(200))
    #expect(book.facts.path == "/elsewhere.epub")
    #expect(book.facts.authors == ["Herman Melville", "Somebody Else"])
  }

  @Test(arguments: [
    ("/books/moby.epub", "Another Title", ["Nobody"], true), ("/other.epub", "Moby-Dick", ["Herman Melville"], true),
    ("/other.epub", "Moby-Dick", ["Nobody"], false), ("/other.epub", "", [], false),
    ("/other.epub", "Other", ["Herman Melville"], false),
  ])
  func anEditionIsKnownByItsPathOrItsTitleAndFirstAuthor(
    path: String, title: String, authors: [String], isEdition: Bool
  ) throws {
    let shelf = try Shelf(path: folder.library)
    let former = entry(try shelf.open(facts(), now: 1))
    try shelf.save(place(7), of: former.id)
    try shelf.add(Mark(position: place(3).position, note: "here", createdAt: 9), to: former.id)
    let opening = try shelf.open(facts("bb", path: path, title: title, authors: authors), now: 2)
    guard isEdition else {
      #expect(opening == .new(entry(opening)))
      return
    }
    guard case .edition(let book, let other) = opening else {
      Issue.record("not recognised")
      return
    }
    #expect(other.id == former.id && other.progress == place(7) && other.marks.map(\.note) == ["here"])
    #expect(book.progress == nil && book.marks.isEmpty)
    try shelf.inherit(place(8), marks: other.marks, by: book.id)
    let again = entry(try shelf.open(facts("bb", path: path, title: title, authors: authors), now: 3))
    #expect(again.progress == place(8) && again.marks == other.marks)
    // The old entry stays as it was.
    #expect(entry(try shelf.open(facts(), now: 4)).progress == place(7))
  }

  @Test func marksAndFinishing() throws {
    let shelf = try Shelf(path: folder.library)
    let book = entry(try shelf.open(facts(), now: 1))
    let marks = [5, 2, 9].map { Mark(position: place($0).position, note: "n\($0)", createdAt: Int64($0)) }
    for mark in marks { try shelf.add(mark, to: book.id) }
    #expect(try shelf.marks(of: book.id).map(\.note) == ["n2", "n5", "n9"])
    try shelf.removeMark(at: place(5).position, of: book.id)
    #expect(try shelf.marks(of: book.id).map(\.note) == ["n2", "n9"])
    try shelf.setFinished(77, of: book.id)
    #expect(entry(try shelf.open(facts(), now: 1)).finishedAt == 77)
    try shelf.setFinished(nil, of: book.id)
    #expect(entry(try shelf.open(facts(), now: 1)).finishedAt == nil)
  }

  @Test func twoReadersShareOneLibrary() throws {
    let one = try Shelf(path: folder.library)
    let two = try Shelf(path: folder.library)
    let book = entry(try one.open(facts(), now: 1))
    let same = entry(try two.open(facts(), now: 2))
    for turn in 0..<50 {
      try one.save(place(turn), of: book.id)
      #expect(try two.progress(of: same.id) == place(turn))
      try two.save(place(1000 + turn), of: same.id)
      #expect(try one.progress(of: book.id) == place(1000 + turn))
    }
  }

  /// The first start of two readers at once: both create the file, and switching it to write-ahead logging is the one
  /// step of SQLite's that never waits for the other.
  @Test func aLibraryIsCreatedByManyAtOnce() async {
    for _ in 0..<500 { await createByFour(in: ScratchFolder()) }
  }

  private func createByFour(in folder: ScratchFolder) async {
    let path = folder.library
    let failures = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { () -> ShelfError? in
          do throws(ShelfError) {
            _ = try Shelf(path: path, busyMilliseconds: 10_000)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: [ShelfError]()) { all, failure in if let failure { all.append(failure) } }
    }
    #expect(failures == [])
  }

  @Test func anotherWriterIsWaitedForOnlySoLong() throws {
    let one = try Shelf(path: folder.library, busyMilliseconds: 20)
    let book = entry(try one.open(facts(), now: 1))
    let other = try Database(path: folder.library, busyMilliseconds: 20)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: ShelfError.busy(path: folder.library)) { try one.save(place(1), of: book.id) }
    #expect(ShelfError.busy(path: "").isTemporary)
    try other.execute("ROLLBACK")
    try one.save(place(2), of: book.id)
    #expect(try one.progress(of: book.id) == place(2))
  }

  @Test func aFullDiskLosesNothingAndIsNamed() throws {
    do {
      let shelf = try Shelf(path: folder.library)
      let book = entry(try shelf.open(facts(), now: 1))
      try shelf.save(place(1), of: book.id)
    }
    let limited = try Database(path: folder.library, busyMilliseconds: 0)
    try limited.execute("PRAGMA max_page_count = 1")
    #expect(throws: ShelfError.full(path: folder.library)) {
      try limited.transaction { () throws(ShelfError) in
        try limited.execute("CREATE TABLE big (text TEXT); INSERT INTO big VALUES (zeroblob(100000))")
      }
    }
    let shelf = try Shelf(path: folder.library)
    #expect(entry(try shelf.open(facts(), now: 1)).progress == place(1))
  }

  @Test func whatIsNoLibraryIsLeftAlone() throws {
    let garbage = Array(repeating: UInt8(ascii: "x"), count: 5000)
    folder.write(garbage, to: "library.sqlite")
    #expect {
      try Shelf(path: folder.library)
    } throws: { error in
      if case .damaged = error as? ShelfError { return true } else { return false }
    }
    #expect(folder.read("library.sqlite") == garbage)
  }

  @Test func aFolderInTheWayIsNamed() {
    #expect {
      try Shelf(path: folder.path)
    } throws: { error in
      if case .cannotOpen(folder.path, _) = error as? ShelfError { return true } else { return false }
    }
  }

  @Test func aNewerFormIsNotTouched() throws {
    do { _ = try Shelf(path: folder.library) }
    try Database(path: folder.library, busyMilliseconds: 0).execute("PRAGMA user_version = 99")
    #expect(throws: ShelfError.newer(path: folder.library, version: 99)) { try Shelf(path: folder.library) }
  }

  @Test func everyFormerFormIsBroughtUpToDate() throws {
    for version in 0..<Migrations.steps.count {
      let scratch = ScratchFolder()
      let old = try Database(path: scratch.library, busyMilliseconds: 0)
      for step in Migrations.steps.prefix(version) { try old.execute(step) }
      try old.execute("PRAGMA user_version = \(version)")
      let shelf = try Shelf(path: scratch.library)
      #expect(entry(try shelf.open(facts(), now: 1)).facts.title == "Moby-Dick")
    }
  }

  /// A crash leaves the log at any length; the place is then one that was saved, and the file is whole.
  @Test func aLogCutAnywhereIsAWholeLibrary() throws {
    let shelf = try Shelf(path: folder.library)
    let book = entry(try shelf.open(facts(), now: 1))
    for turn in 1...8 { try shelf.save(place(turn), of: book.id) }
    let (main, log) = (folder.read("library.sqlite"), folder.read("library.sqlite-wal"))
    #expect(log.count > 4096)
    for length in stride(from: 0, through: log.count, by: 997) {
      let scratch = ScratchFolder()
      scratch.write(main, to: "library.sqlite")
      scratch.write(log.prefix(length), to: "library.sqlite-wal")
      let cut = try Shelf(path: scratch.library)
      let found = entry(try cut.open(facts(), now: 2)).progress
      #expect(found == nil || (1...8).contains(found!.position.offset))
    }
  }

  @Test func aHostileRowIsBroughtIntoBounds() throws {
    let shelf = try Shelf(path: folder.library)
    let book = entry(try shelf.open(facts(), now: 1))
    try Database(path: folder.library, busyMilliseconds: 100).execute(
      "INSERT INTO progress VALUES (1, -5, x'ff00', 9223372036854775807, 'a', 'b', 9e999, -1)")
    let progress = try #require(try shelf.progress(of: book.id))
    #expect(progress.position.spineIndex == 0 && progress.position.offset == 1 << 40 && progress.fraction == 0)
  }

  @Test(arguments: [
    (["XDG_DATA_HOME": "BASE"], "BASE/pagerd/library.sqlite"),
    (["HOME": "BASE"], "BASE/.local/share/pagerd/library.sqlite"),
    (["HOME": "BASE", "XDG_DATA_HOME": "relative"], "BASE/.local/share/pagerd/library.sqlite"),
  ])
  func whereTheLibraryIs(environment: [String: String], expected: String) throws {
    let base = folder.path
    defer {
      for part in ["/pagerd", "/.local/share/pagerd", "/.local/share", "/.local"] { rmdir(base + part) }
    }
    let path = try DataFolder.libraryPath { name in
      environment[name].map { $0 == "BASE" ? base : $0 }
    }
    #expect(path == base + expected.dropFirst(4))
  }

  @Test func aLibraryThatCanOnlyBeReadStillKnowsThePlace() throws {
    do {
      let shelf = try Shelf(path: folder.library)
      let book = entry(try shelf.open(facts(), now: 1))
      try shelf.save(place(9), of: book.id)
    }
    #expect(try Shelf.peek(path: folder.library, identity: "aa") == place(9))
    #expect(try Shelf.peek(path: folder.library, identity: "other") == nil)
    #expect(throws: ShelfError.self) { try Shelf.peek(path: folder.path + "/none?x#y", identity: "aa") }
  }

  @Test func noHomeNoLibrary() {
    #expect(throws: ShelfError.noHome) { try DataFolder.libraryPath { _ in nil } }
    #expect(throws: ShelfError.folder(path: "/proc/pagerd", errno: ENOENT)) {
      try DataFolder.libraryPath { $0 == "XDG_DATA_HOME" ? "/proc" : nil }
    }
  }
}
