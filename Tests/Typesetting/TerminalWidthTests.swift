import Document
import Glibc
import Testing

@testable import Typesetting

/// The measure against a terminal's own: what is sent moves tmux's cursor as far as the layout says.
@Suite struct TerminalWidthTests {
  @Test func cursorAgrees() throws {
    let terminal = try #require(TerminalProbe(), "tmux is needed here; debian-packages.txt names it")
    var lines: [PageLine] = []
    for seed in 0..<3 {
      var generator = DocumentGenerator(seed: UInt64(seed) + 300)
      let document = generator.make(blocks: 6)
      let layout = ChapterLayout(document, geometry: Geometry(columns: 70, rows: 40), settings: .plainText)
      for page in 0..<layout.pageCount {
        lines += layout.page(at: page).lines.filter { line in
          // ASCII alone proves nothing.
          line.text.unicodeScalars.contains { $0.value > 0x7F }
        }
      }
    }
    #expect(lines.count > 40)
    for line in lines.prefix(120) {
      let column = terminal.column(after: line.text, expecting: line.width)
      #expect(column == line.width, "“\(line.text)”")
    }
  }
}

/// A tmux pane that shows what is written to a pipe, and tells where its cursor is.
private final class TerminalProbe {
  private let socket: String
  private let pipe: String
  private let descriptor: Int32

  init?() {
    socket = "typesetting-\(getpid())"
    pipe = "/tmp/\(socket).pipe"
    unlink(pipe)
    guard mkfifo(pipe, 0o600) == 0 else { return nil }
    let command = "tmux -L \(socket) -f /dev/null new-session -d -x 200 -y 20 'stty raw -echo; exec cat \(pipe)' 2>&1"
    guard Self.run(command) == "" else {
      unlink(pipe)
      return nil
    }
    // Waits for the pane's reader.
    descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
    _ = Self.run("tmux -L \(socket) kill-server 2>&1")
    unlink(pipe)
  }

  /// Shows a text in an empty pane.
  /// - Returns: the cursor's column as soon as it is the one that is expected, else where it stays for two seconds.
  func column(after text: String, expecting expected: Int) -> Int {
    let bytes = Array(("\u{1B}[2J\u{1B}[5;1H" + text).utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    var last = -1
    var deadline = 200
    while deadline > 0 {
      let answer = Self.run("tmux -L \(socket) display-message -p '#{cursor_y} #{cursor_x}'")
      let numbers = answer.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
      if numbers.count == 2, numbers[0] == 4 {
        last = numbers[1]
        if last == expected { return last }
      }
      deadline -= 1
      usleep(10_000)
    }
    return last
  }

  private static func run(_ command: String) -> String {
    guard let stream = popen(command, "r") else { return "?" }
    defer { pclose(stream) }
    var text = [UInt8]()
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { break }
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
