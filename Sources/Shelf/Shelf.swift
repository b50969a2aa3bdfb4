public import Document

/// The library: which books there are and where somebody is in each of them. One owner, one thread.
///
/// Every call may wait for the disk, and up to `busyMilliseconds` for another process.
public final class Shelf {
  private let database: Database
  private let findByIdentity: Statement
  private let findEdition: Statement
  private let insertBook: Statement
  private let updateBook: Statement
  private let selectProgress: Statement
  private let saveProgress: Statement
  private let selectMarks: Statement
  private let insertMark: Statement
  private let deleteMark: Statement
  private let updateFinished: Statement
  private let extendSession: Statement
  private let insertSession: Statement

  /// Opens the library, creates it, or brings it to this version's form.
  ///
  /// - Throws: every case of `ShelfError`.
  public init(path: String, busyMilliseconds: Int32 = 500) throws(ShelfError) {
    database = try Database(path: path, busyMilliseconds: busyMilliseconds)
    try database.writeAhead()
    // FULL: a commit is on the disk when it returns, not only safe from tearing.
    try database.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
      PRAGMA cache_size = -256;
      """)
    try Migrations.apply(to: database)
    let book = "id, identity, path, title, authors, language, finished_at"
    findByIdentity = try database.prepare("SELECT \(book) FROM books WHERE identity = ?1")
    findEdition = try database.prepare(
      """
      SELECT \(book) FROM books WHERE path = ?1 OR (title = ?2 AND first_author = ?3 AND ?2 <> '' AND ?3 <> '')
      ORDER BY opened_at DESC, id DESC LIMIT 1
      """)
    insertBook = try database.prepare(
      """
      INSERT INTO books (identity, path, title, first_author, authors, language, added_at, opened_at, predecessor)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)
      """)
    updateBook = try database.prepare(
      """
      UPDATE books SET path = ?2, title = ?3, first_author = ?4, authors = ?5, language = ?6, opened_at = ?7
      WHERE id = ?1
      """)
    selectProgress = try database.prepare(
      "SELECT spine_index, idref, offset, before, after, fraction, updated_at FROM progress WHERE book = ?1")
    saveProgress = try database.prepare(
      """
      INSERT OR REPLACE INTO progress (book, spine_index, idref, offset, before, after, fraction, updated_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    selectMarks = try database.prepare(
      """
      SELECT spine_index, idref, offset, before, after, note, created_at FROM marks WHERE book = ?1
      ORDER BY spine_index, offset
      """)
    insertMark = try database.prepare(
      """
      INSERT INTO marks (book, spine_index, idref, offset, before, after, note, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    deleteMark = try database.prepare("DELETE FROM marks WHERE book = ?1 AND spine_index = ?2 AND offset = ?3")
    extendSession = try database.prepare(
      """
      UPDATE sessions SET seconds = seconds + ?4, turns = turns + ?5 WHERE book = ?1 AND started_at = ?2 AND day = ?3
      """)
    insertSession = try database.prepare(
      "INSERT INTO sessions (book, started_at, day, seconds, turns) VALUES (?1, ?2, ?3, ?4, ?5)")
    updateFinished = try database.prepare("UPDATE books SET finished_at = ?2 WHERE id = ?1")
  }

  /// Where somebody was in a book, out of a library that can only be read.
  ///
  /// - Throws: as `init`; nil is not there.
  public static func peek(path: String, identity: String) throws(ShelfError) -> Progress? {
    let database = try Database(reading: path)
    let statement = try database.prepare(
      """
      SELECT spine_index, idref, offset, before, after, fraction, updated_at
      FROM progress JOIN books ON books.id = progress.book WHERE books.identity = ?1
      """)
    statement.bind(identity, at: 1)
    guard try statement.step() else { return nil }
    return progress(statement)
  }

  private static func progress(_ row: borrowing Statement) -> Progress {
    let fraction = row.double(5)
    return Progress(
      position: position(row), fraction: fraction.isFinite ? min(max(fraction, 0), 1) : 0, updatedAt: row.integer(6))
  }

  /// Notes that a book is opened and tells what is known of it.
  public func open(_ facts: BookFacts, now: Int64) throws(ShelfError) -> Opening {
    try database.transaction { () throws(ShelfError) in
      if let known = try entry(findByIdentity, { $0.bind(facts.identity, at: 1) }) {
        updateBook.bind(known.id.row, at: 1)
        bind(facts, to: updateBook, from: 2)
        updateBook.bind(now, at: 7)
        try updateBook.run()
        var entry = known
        entry.facts = facts
        return .known(entry)
      }
      let former = try entry(findEdition) {
        $0.bind(facts.path, at: 1)
        $0.bind(facts.title, at: 2)
        $0.bind(facts.authors.first ?? "", at: 3)
      }
      insertBook.bind(facts.identity, at: 1)
      bind(facts, to: insertBook, from: 2)
      insertBook.bind(now, at: 7)
      insertBook.bind(former?.id.row, at: 8)
      try insertBook.run()
      let entry = BookEntry(id: .init(row: database.lastInsertedRow), facts: facts, progress: nil, marks: [])
      if let former { return .edition(entry, of: former) }
      return .new(entry)
    }
  }

  private func bind(_ facts: BookFacts, to statement: borrowing Statement, from index: Int32) {
    statement.bind(facts.path, at: index)
    statement.bind(facts.title, at: index + 1)
    statement.bind(facts.authors.first ?? "", at: index + 2)
    statement.bind(facts.authors.joined(separator: "\n"), at: index + 3)
    statement.bind(facts.language, at: index + 4)
  }

  private func entry(
    _ statement: borrowing Statement, _ bind: (borrowing Statement) -> Void
  ) throws(ShelfError) -> BookEntry? {
    defer { statement.reset() }
    bind(statement)
    guard try statement.step() else { return nil }
    let id = BookEntry.ID(row: statement.integer(0))
    let facts = BookFacts(
      identity: statement.text(1), path: statement.text(2), title: statement.text(3),
      authors: statement.text(4).split(separator: "\n").map(String.init), language: statement.text(5))
    let finished = statement.isNull(6) ? nil : statement.integer(6)
    return BookEntry(
      id: id, facts: facts, progress: try progress(of: id), marks: try marks(of: id), finishedAt: finished)
  }

  /// Where somebody is in a book; nil before the first page turn.
  public func progress(of book: BookEntry.ID) throws(ShelfError) -> Progress? {
    defer { selectProgress.reset() }
    selectProgress.bind(book.row, at: 1)
    guard try selectProgress.step() else { return nil }
    return Self.progress(selectProgress)
  }

  public func marks(of book: BookEntry.ID) throws(ShelfError) -> [Mark] {
    defer { selectMarks.reset() }
    selectMarks.bind(book.row, at: 1)
    var marks: [Mark] = []
    while try selectMarks.step() {
      marks.append(
        Mark(position: Self.position(selectMarks), note: selectMarks.text(5), createdAt: selectMarks.integer(6)))
    }
    return marks
  }

  /// The first five columns. A file may hold anything: numbers are brought to where they mean something.
  private static func position(_ row: borrowing Statement) -> Position {
    Position(
      spineIndex: Int(min(max(row.integer(0), 0), 1_000_000)), idref: row.text(1),
      offset: Int(min(max(row.integer(2), 0), 1 << 40)), before: row.text(3), after: row.text(4))
  }

  private func bind(_ position: Position, to statement: borrowing Statement) {
    statement.bind(Int64(position.spineIndex), at: 2)
    statement.bind(position.idref, at: 3)
    statement.bind(Int64(position.offset), at: 4)
    statement.bind(position.before, at: 5)
    statement.bind(position.after, at: 6)
  }

  /// Writes down where somebody is; on the disk when it returns.
  public func save(_ progress: Progress, of book: BookEntry.ID) throws(ShelfError) {
    saveProgress.bind(book.row, at: 1)
    bind(progress.position, to: saveProgress)
    saveProgress.bind(progress.fraction, at: 7)
    saveProgress.bind(progress.updatedAt, at: 8)
    try saveProgress.run()
  }

  /// Writes down what a new edition takes over: all of it or nothing.
  public func inherit(_ progress: Progress?, marks: [Mark], by book: BookEntry.ID) throws(ShelfError) {
    try database.transaction { () throws(ShelfError) in
      if let progress { try save(progress, of: book) }
      for mark in marks { try add(mark, to: book) }
    }
  }

  public func add(_ mark: Mark, to book: BookEntry.ID) throws(ShelfError) {
    insertMark.bind(book.row, at: 1)
    bind(mark.position, to: insertMark)
    insertMark.bind(mark.note, at: 7)
    insertMark.bind(mark.createdAt, at: 8)
    try insertMark.run()
  }

  /// Removes every mark at exactly this place.
  public func removeMark(at position: Position, of book: BookEntry.ID) throws(ShelfError) {
    deleteMark.bind(book.row, at: 1)
    deleteMark.bind(Int64(position.spineIndex), at: 2)
    deleteMark.bind(Int64(position.offset), at: 3)
    try deleteMark.run()
  }

  /// - Parameter time: seconds since 1970; nil: not finished after all.
  public func setFinished(_ time: Int64?, of book: BookEntry.ID) throws(ShelfError) {
    updateFinished.bind(book.row, at: 1)
    updateFinished.bind(time, at: 2)
    try updateFinished.run()
  }

  /// Writes down where somebody is and what was read on the way there: all of it or nothing.
  public func save(_ progress: Progress?, read parts: [ReadingPart], of book: BookEntry.ID) throws(ShelfError) {
    try database.transaction { () throws(ShelfError) in
      if let progress { try save(progress, of: book) }
      for part in parts {
        try run(extendSession, part, book)
        if database.changes == 0 { try run(insertSession, part, book) }
      }
    }
  }

  private func run(_ statement: borrowing Statement, _ part: ReadingPart, _ book: BookEntry.ID) throws(ShelfError) {
    for (index, number) in [book.row, part.startedAt, Int64(part.day), part.seconds, part.turns].enumerated() {
      statement.bind(number, at: Int32(index) + 1)
    }
    try statement.run()
  }

  /// Seconds read by day, each day once, in order.
  public func readingDays() throws(ShelfError) -> [(day: Int, seconds: Int64)] {
    let statement = try database.prepare("SELECT day, TOTAL(seconds) FROM sessions GROUP BY day ORDER BY day")
    var days: [(day: Int, seconds: Int64)] = []
    while try statement.step() {
      let seconds = min(max(statement.double(1), 0), 1e9)
      days.append((Int(min(max(statement.integer(0), -1_000_000), 1_000_000)), Int64(seconds)))
    }
    return days
  }

  /// How many pages were turned, in all books.
  public func turnCount() throws(ShelfError) -> Int {
    let statement = try database.prepare("SELECT TOTAL(turns) FROM sessions")
    return try statement.step() ? Int(min(max(statement.double(0), 0), 1e15)) : 0
  }

  /// How many books were opened, and how many are finished.
  public func bookCounts() throws(ShelfError) -> (opened: Int, finished: Int) {
    let statement = try database.prepare("SELECT COUNT(*), COUNT(finished_at) FROM books")
    guard try statement.step() else { return (0, 0) }
    return (Int(statement.integer(0)), Int(statement.integer(1)))
  }
}
