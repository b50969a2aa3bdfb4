import Document
import Glibc
import Testing

@testable import Shelf

@Suite struct ShelfWorkerTests {
  private let folder = ScratchFolder()
  private let book = BookFacts(identity: "aa", path: "/b.epub", title: "B", authors: ["A"])

  private func place(_ offset: Int) -> Progress {
    Progress(position: Position(spineIndex: 0, idref: "c", offset: offset), fraction: 0, updatedAt: 1)
  }

  /// Waits until the worker has told something (a minute at most: a busy machine is no failure).
  private func nextReports(_ worker: ShelfWorker) -> [ShelfWorker.Report] {
    var entry = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1)
    return worker.reports()
  }

  private func saved() throws -> Int? {
    let shelf = try Shelf(path: folder.library)
    guard case .known(let entry) = try shelf.open(book, now: 9) else { return nil }
    return entry.progress?.position.offset
  }

  @Test func theNewestPlaceIsWritten() throws {
    let worker = ShelfWorker(path: .success(folder.library), book: book, now: 1)
    guard case .opened(.new) = nextReports(worker).first else {
      Issue.record("not opened")
      return
    }
    for offset in 1...500 { worker.save(place(offset)) }
    #expect(worker.finish())
    #expect(try saved() == 500)
  }

  @Test func aPlaceIsWrittenWithoutBeingAskedToFinish() throws {
    let worker = ShelfWorker(path: .success(folder.library), book: book, now: 1)
    _ = nextReports(worker)
    worker.save(place(1))
    worker.save(place(2))
    let start = ContinuousClock.now
    while try saved() != 2, ContinuousClock.now - start < .seconds(60) { sched_yield() }
    #expect(try saved() == 2)
    #expect(worker.finish())
  }

  @Test func anotherWriterIsOutwaited() throws {
    let worker = ShelfWorker(path: .success(folder.library), book: book, now: 1, busyMilliseconds: 1)
    _ = nextReports(worker)
    let other = try Database(path: folder.library, busyMilliseconds: 1000)
    try other.execute("BEGIN IMMEDIATE")
    worker.save(place(1))
    #expect(nextReports(worker) == [.failed(.busy(path: folder.library))])
    worker.save(place(2))
    try other.execute("COMMIT")
    #expect(nextReports(worker) == [.recovered])
    #expect(worker.finish())
    #expect(try saved() == 2)
  }

  @Test func readingGoesOnWithoutALibrary() {
    let worker = ShelfWorker(path: .failure(.noHome), book: book, now: 1)
    #expect(nextReports(worker) == [.failed(.noHome)])
    worker.save(place(1))
    worker.add(Mark(position: place(1).position, createdAt: 1))
    #expect(worker.finish())
  }

  @Test func marksAndInheritanceArriveInOrder() throws {
    let worker = ShelfWorker(path: .success(folder.library), book: book, now: 1)
    _ = nextReports(worker)
    worker.inherit(place(5), marks: [Mark(position: place(5).position, note: "old", createdAt: 1)])
    worker.add(Mark(position: place(6).position, note: "new", createdAt: 2))
    worker.removeMark(at: place(5).position)
    worker.setFinished(3)
    #expect(worker.finish())
    let shelf = try Shelf(path: folder.library)
    guard case .known(let entry) = try shelf.open(book, now: 9) else {
      Issue.record("not known")
      return
    }
    #expect(entry.marks.map(\.note) == ["new"] && entry.progress == place(5) && entry.finishedAt == 3)
  }
}
