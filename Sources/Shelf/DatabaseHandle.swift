internal import CSQLite

/// One connection to an SQLite file. It is closed when the last reference goes.
final class Database {
  let path: String
  private let connection: OpaquePointer
  private let busyMilliseconds: Int32

  /// Opens or creates the file; waits at most `busyMilliseconds` for another process in every later call.
  init(path: String, busyMilliseconds: Int32) throws(ShelfError) {
    self.path = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw .cannotOpen(path: path, reason: "out of memory") }
    guard result == SQLITE_OK else {
      let reason = String(cString: sqlite3_errmsg(opened))
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, reason: reason)
    }
    connection = opened
    self.busyMilliseconds = busyMilliseconds
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  deinit {
    // The lenient form: it waits for statements that are still to be finalised.
    sqlite3_close_v2(connection)
  }

  /// Opens an existing file for reading only; nothing is created beside it, so it must not be in use.
  init(reading path: String) throws(ShelfError) {
    self.path = path
    var opened: OpaquePointer?
    var uri = "file:"
    for byte in path.utf8 {
      // "?" and "#" end a path in a URI, "%" begins an escape.
      if byte == 0x25 || byte == 0x3F || byte == 0x23 {
        uri += "%" + String(byte, radix: 16)
      } else {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(uri + "?immutable=1", &opened, flags, nil)
    guard let opened else { throw .cannotOpen(path: path, reason: "out of memory") }
    guard result == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, reason: "not readable")
    }
    connection = opened
    busyMilliseconds = 0
  }

  /// Keeps a write-ahead log from now on. Of two processes that switch a new file to it at once SQLite refuses one at
  /// once, without the usual wait, as both might wait for each other; so it is waited for here.
  func writeAhead() throws(ShelfError) {
    let pause: Int32 = 2
    var waited: Int32 = 0
    while true {
      do throws(ShelfError) {
        return try execute("PRAGMA journal_mode = WAL")
      } catch {
        guard case .busy = error, waited < busyMilliseconds else { throw error }
      }
      // As SQLite's own waiting does. On the shelf's thread, or in a command that has nothing else to do.
      waited += max(1, sqlite3_sleep(pause))
    }
  }

  /// Runs one or more statements without parameters or results.
  func execute(_ sql: String) throws(ShelfError) {
    let result = sqlite3_exec(connection, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  func prepare(_ sql: String) throws(ShelfError) -> Statement {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement else { throw error(result) }
    return Statement(statement, database: self)
  }

  /// Everything of `body` or nothing: it holds the right to write from its start.
  func transaction<Value>(_ body: () throws(ShelfError) -> Value) throws(ShelfError) -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // A failed COMMIT or a full disk may have rolled back already.
      if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// How many rows the last statement changed.
  var changes: Int32 { sqlite3_changes(connection) }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }

  func error(_ code: Int32) -> ShelfError {
    let reason = String(cString: sqlite3_errmsg(connection))
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(path: path)
    case SQLITE_FULL: return .full(path: path)
    case SQLITE_READONLY, SQLITE_PERM: return .readOnly(path: path)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path: path, reason: reason)
    case SQLITE_CANTOPEN: return .cannotOpen(path: path, reason: reason)
    default: return .failed(path: path, reason: reason)
    }
  }
}

/// A prepared statement: bind, step, read, reset; finalised once.
struct Statement: ~Copyable {
  private let statement: OpaquePointer
  private let database: Database

  fileprivate init(_ statement: OpaquePointer, database: Database) {
    self.statement = statement
    self.database = database
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// - Parameter index: from 1.
  func bind(_ number: Int64?, at index: Int32) {
    if let number {
      sqlite3_bind_int64(statement, index, number)
    } else {
      sqlite3_bind_null(statement, index)
    }
  }

  func bind(_ number: Double, at index: Int32) {
    sqlite3_bind_double(statement, index, number)
  }

  func bind(_ text: String?, at index: Int32) {
    guard var text else {
      sqlite3_bind_null(statement, index)
      return
    }
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        csqlite_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// - Returns: whether there is a row.
  func step() throws(ShelfError) -> Bool {
    let result = sqlite3_step(statement)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = database.error(result)
      sqlite3_reset(statement)
      throw error
    }
  }

  /// Steps to the end and makes the statement ready for the next use.
  func run() throws(ShelfError) {
    while try step() {}
    sqlite3_reset(statement)
  }

  func reset() {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// - Parameter column: from 0.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
