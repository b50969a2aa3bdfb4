/// What `Terminal` asks of a terminal: the seam behind which every call can be made to fail by a test.
public protocol TerminalDevice: AnyObject {
  /// For the event loop; readable when there is input.
  var descriptor: Int32 { get }

  /// - Returns: the bytes read; never blocks.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> TerminalTransfer
  /// Writes what can be written now, with one system call; never blocks.
  func write(_ bytes: UnsafeRawBufferPointer) -> TerminalTransfer
  /// Columns and rows, and pixels where the terminal says them; nil where it cannot be asked.
  func size() -> WindowSize?

  /// Raw mode; from here on `restore` is written and the mode given back on every way out, a crash included.
  func enter(restore: [UInt8]) throws(TerminalError)
  /// Raw mode once more, after others have used the terminal; what `enter` found is what will be given back.
  func reenter()
  /// Gives the terminal back; harmless when it has been.
  func leave()
  /// Stands still until continued, as Ctrl-Z does.
  func stop(wholeGroup: Bool)
  /// Whether this process's group is the one in the foreground of the terminal.
  var isForeground: Bool { get }
}

/// How reading or writing went.
public enum TerminalTransfer: Sendable, Equatable {
  case bytes(Int)
  case wouldBlock
  /// The terminal is gone: hung up, or an error from which nothing comes back.
  case gone
}

/// The size of a window.
public struct WindowSize: Sendable, Equatable {
  public var columns: Int
  public var rows: Int
  /// Of the whole window; 0 where the terminal does not say.
  public var pixelWidth: Int
  public var pixelHeight: Int

  public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.columns = columns
    self.rows = rows
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }
  /// One cell in pixels; nil where the terminal does not say how large the window is.
  public var cell: (width: Int, height: Int)? {
    guard columns > 0, rows > 0, pixelWidth >= columns, pixelHeight >= rows else { return nil }
    return (pixelWidth / columns, pixelHeight / rows)
  }
}
