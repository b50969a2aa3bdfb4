/// How the library's tables came about: each step leads from the version of its index to the next.
///
/// Steps are never changed once released; a new one is added at the end. `user_version` says how many were made.
enum Migrations {
  static let steps: [String] = [
    """
    CREATE TABLE books (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      title TEXT NOT NULL,
      first_author TEXT NOT NULL,
      authors TEXT NOT NULL,
      language TEXT NOT NULL,
      added_at INTEGER NOT NULL,
      opened_at INTEGER NOT NULL,
      finished_at INTEGER,
      predecessor INTEGER REFERENCES books(id) ON DELETE SET NULL
    );
    CREATE INDEX books_path ON books(path);
    CREATE INDEX books_title ON books(title, first_author);
    CREATE TABLE progress (
      book INTEGER PRIMARY KEY REFERENCES books(id) ON DELETE CASCADE,
      spine_index INTEGER NOT NULL,
      idref TEXT NOT NULL,
      offset INTEGER NOT NULL,
      before TEXT NOT NULL,
      after TEXT NOT NULL,
      fraction REAL NOT NULL,
      updated_at INTEGER NOT NULL
    );
    CREATE TABLE marks (
      id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES books(id) ON DELETE CASCADE,
      spine_index INTEGER NOT NULL,
      idref TEXT NOT NULL,
      offset INTEGER NOT NULL,
      before TEXT NOT NULL,
      after TEXT NOT NULL,
      note TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE INDEX marks_book ON marks(book, spine_index, offset);
    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES books(id) ON DELETE CASCADE,
      started_at INTEGER NOT NULL,
      seconds INTEGER NOT NULL,
      turns INTEGER NOT NULL
    );
    CREATE INDEX sessions_start ON sessions(started_at);
    """,
    """
    ALTER TABLE sessions ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
    """,
  ]

  /// Brings a database to the latest version, step by step, each whole or not at all.
  static func apply(to database: Database) throws(ShelfError) {
    while true {
      let version = try version(of: database)
      if version == steps.count { return }
      guard version < steps.count else { throw .newer(path: database.path, version: version) }
      try database.transaction { () throws(ShelfError) in
        // Another process may have made the step meanwhile.
        guard try Self.version(of: database) == version, version >= 0 else { return }
        try database.execute(steps[version])
        try database.execute("PRAGMA user_version = \(version + 1)")
      }
    }
  }

  private static func version(of database: Database) throws(ShelfError) -> Int {
    let statement = try database.prepare("PRAGMA user_version")
    guard try statement.step() else { return 0 }
    let version = Int(statement.integer(0))
    guard version >= 0 else { throw .damaged(path: database.path, reason: "version \(version)") }
    return version
  }
}
