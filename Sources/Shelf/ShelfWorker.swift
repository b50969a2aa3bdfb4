public import Document
internal import Synchronization

/// The library's one owner: a thread that opens it, loads a book's place and writes places down, so that neither a
/// slow disk nor another process holds up a page.
///
/// The newest place wins: a burst of page turns is one write. A place is on the disk at most a second after `save`,
/// the disk permitting; what fails for a while (a full disk, another writer) is tried again.
public final class ShelfWorker: Sendable {
  /// What the worker tells; read with `reports` when `descriptor` is readable.
  public enum Report: Sendable, Equatable {
    /// What the library knows of the book.
    case opened(Opening)
    /// The library can only be read; this is where the book was left.
    case readOnly(Progress)
    /// Places are on the disk again after a failure.
    case recovered
    /// Told once for the same trouble.
    case failed(ShelfError)
  }

  struct State: Sendable {
    var progress: Progress?
    var inheritance: (progress: Progress?, marks: [Mark])?
    var markChanges: [MarkChange] = []
    var finishedAt: Int64??
    var reading: [ReadingPart] = []
    var isStopping = false
    var reports: [Report] = []
    /// Nothing is left to be written.
    var isIdle: Bool {
      progress == nil && inheritance == nil && markChanges.isEmpty && finishedAt == nil && reading.isEmpty
    }
  }

  /// A lock cannot be copied into a closure; its owner can.
  private final class Shared: Sendable {
    let state = Mutex(State())

    func withLock<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
      state.withLock(body)
    }
  }

  enum MarkChange: Sendable {
    case add(Mark)
    case remove(Position)
  }

  /// The least time between two writes of the place, in milliseconds.
  static let pause: Int32 = 400

  private let shared = Shared()
  private let thread: WorkerThread

  /// Starts the thread; the first report is `opened` or `failed`.
  ///
  /// - Parameters:
  ///   - path: of the library; a failure to find one is passed on as a report.
  ///   - now: seconds since 1970.
  public init(path: Result<String, ShelfError>, book: BookFacts, now: Int64, busyMilliseconds: Int32 = 1500) {
    thread = WorkerThread()
    thread.start { [shared, thread] in
      let job = Job(book: book, now: now)
      job.open(path, busyMilliseconds: busyMilliseconds) { report in
        shared.withLock { $0.reports.append(report) }
        thread.answer()
      }
      while true {
        var work = shared.withLock { $0.take() }
        let isDone = job.write(&work) { report in
          shared.withLock { $0.reports.append(report) }
          thread.answer()
        }
        if !isDone {
          shared.withLock { $0.putBack(work) }
        }
        if work.isStopping { break }
        thread.waitForWork(
          atLeast: work.isIdle && isDone ? 0 : Self.pause, atMost: isDone ? -1 : Self.pause)
      }
    }
  }

  /// Readable when there are reports; belongs to the worker.
  public var descriptor: Int32 { thread.answerDescriptor }

  /// Takes the reports that have come.
  public func reports() -> [Report] {
    thread.clearAnswers()
    return shared.withLock { state in
      let reports = state.reports
      state.reports = []
      return reports
    }
  }

  /// Hands over where somebody is. Returns at once.
  public func save(_ progress: Progress) {
    change { $0.progress = progress }
  }

  /// Hands over what a new edition takes over from a former one.
  public func inherit(_ progress: Progress?, marks: [Mark]) {
    change { $0.inheritance = (progress, marks) }
  }

  /// Hands over what was read. Returns at once.
  public func add(_ parts: [ReadingPart]) {
    guard !parts.isEmpty else { return }
    change { state in
      for part in parts {
        // However long nothing can be written, a session is one entry.
        if let last = state.reading.last, last.startedAt == part.startedAt, last.day == part.day {
          state.reading[state.reading.count - 1].seconds += part.seconds
          state.reading[state.reading.count - 1].turns += part.turns
        } else {
          state.reading.append(part)
        }
      }
    }
  }

  public func add(_ mark: Mark) {
    change { $0.markChanges.append(.add(mark)) }
  }

  public func removeMark(at position: Position) {
    change { $0.markChanges.append(.remove(position)) }
  }

  /// - Parameter time: seconds since 1970; nil: not finished after all.
  public func setFinished(_ time: Int64?) {
    change { $0.finishedAt = .some(time) }
  }

  private func change(_ body: (inout State) -> Void) {
    shared.withLock { body(&$0) }
    thread.wake()
  }

  /// Writes what is left and ends the thread.
  ///
  /// - Returns: false when the disk did not take it within `milliseconds`.
  public func finish(milliseconds: Int32 = 2000) -> Bool {
    shared.withLock { $0.isStopping = true }
    thread.wake()
    return thread.join(milliseconds: milliseconds) && shared.withLock { $0.isIdle }
  }
}

extension ShelfWorker.State {
  /// Takes what is to be written.
  mutating func take() -> Self {
    let taken = self
    self = Self()
    reports = taken.reports
    isStopping = taken.isStopping
    return taken
  }

  /// What could not be written, unless something newer has come.
  mutating func putBack(_ old: Self) {
    if progress == nil { progress = old.progress }
    if inheritance == nil { inheritance = old.inheritance }
    markChanges = old.markChanges + markChanges
    reading = old.reading + reading
    if finishedAt == nil { finishedAt = old.finishedAt }
  }
}

/// The thread's own side: the library and what is known about its troubles.
private final class Job {
  private let book: BookFacts
  private let now: Int64
  private var shelf: Shelf?
  private var id: BookEntry.ID?
  private var trouble: ShelfError?
  private var path: Result<String, ShelfError> = .failure(.noHome)
  private var busyMilliseconds: Int32 = 0

  init(book: BookFacts, now: Int64) {
    self.book = book
    self.now = now
  }

  func open(_ path: Result<String, ShelfError>, busyMilliseconds: Int32, report: (ShelfWorker.Report) -> Void) {
    self.path = path
    self.busyMilliseconds = busyMilliseconds
    do throws(ShelfError) {
      let shelf = try Shelf(path: try path.get(), busyMilliseconds: busyMilliseconds)
      let opening = try shelf.open(book, now: now)
      switch opening {
      case .known(let entry), .new(let entry), .edition(let entry, _): id = entry.id
      }
      self.shelf = shelf
      report(.opened(opening))
      if trouble != nil {
        trouble = nil
        report(.recovered)
      }
    } catch {
      if case .success(let path) = path, !error.isTemporary { peek(path, report: report) }
      fail(error, report: report)
    }
  }

  /// A library that cannot be written may still say where the book was left.
  private func peek(_ path: String, report: (ShelfWorker.Report) -> Void) {
    do throws(ShelfError) {
      if let progress = try Shelf.peek(path: path, identity: book.identity) { report(.readOnly(progress)) }
    } catch {
      // That it cannot be read is part of the failure that is reported anyway.
    }
  }

  private func fail(_ error: ShelfError, report: (ShelfWorker.Report) -> Void) {
    if error != trouble { report(.failed(error)) }
    trouble = error
  }

  /// Writes everything; what is written is taken out of `work`.
  /// - Returns: false when something is to be tried again.
  func write(_ work: inout ShelfWorker.State, report: (ShelfWorker.Report) -> Void) -> Bool {
    if work.isIdle { return shelf != nil || trouble?.isTemporary != true }
    if shelf == nil, trouble?.isTemporary == true {
      open(path, busyMilliseconds: busyMilliseconds, report: report)
    }
    guard let shelf, let id else { return trouble?.isTemporary != true }
    do throws(ShelfError) {
      if let inheritance = work.inheritance {
        try shelf.inherit(inheritance.progress, marks: inheritance.marks, by: id)
        work.inheritance = nil
      }
      while let mark = work.markChanges.first {
        switch mark {
        case .add(let mark): try shelf.add(mark, to: id)
        case .remove(let position): try shelf.removeMark(at: position, of: id)
        }
        work.markChanges.removeFirst()
      }
      if let finishedAt = work.finishedAt {
        try shelf.setFinished(finishedAt, of: id)
        work.finishedAt = nil
      }
      if work.progress != nil || !work.reading.isEmpty {
        try shelf.save(work.progress, read: work.reading, of: id)
      }
      if trouble != nil {
        trouble = nil
        report(.recovered)
      }
      return true
    } catch {
      fail(error, report: report)
      return !error.isTemporary
    }
  }
}
