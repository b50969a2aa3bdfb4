import TestSupport
import Testing

@testable import Terminal

/// A terminal that takes as many bytes as it is told, and plays a script of input.
private final class FakeDevice: TerminalDevice {
  var descriptor: Int32 { -1 }
  var input: [[UInt8]] = []
  var isHungUp = false
  var room = Int.max
  var output: [UInt8] = []
  var writes = 0
  var window: WindowSize? = WindowSize(columns: 20, rows: 4)
  var log: [String] = []
  var isForeground: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TerminalTransfer {
    guard !input.isEmpty else { return isHungUp ? .gone : .wouldBlock }
    let bytes = input.removeFirst()
    buffer.copyBytes(from: bytes)
    return .bytes(bytes.count)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> TerminalTransfer {
    if isHungUp { return .gone }
    writes += 1
    guard room > 0 else { return .wouldBlock }
    let count = min(room, bytes.count)
    output.append(contentsOf: bytes.prefix(count))
    if room != .max { room -= count }
    return .bytes(count)
  }

  func size() -> WindowSize? { window }
  func enter(restore: [UInt8]) throws(TerminalError) { log.append("enter") }
  func reenter() { log.append("reenter") }
  func leave() { log.append("leave") }
  func stop(wholeGroup: Bool) { log.append("stop") }
}

@Suite struct TerminalTests {
  private func make(_ environment: [String: String] = ["TERM": "xterm-256color"]) -> (Terminal, FakeDevice) {
    let device = FakeDevice()
    return (Terminal(device: device) { environment[$0] }, device)
  }

  @Test func aPageIsOneWrite() throws {
    let (terminal, device) = make()
    try terminal.enter()
    for row in 0..<4 {
      for column in 0..<20 { terminal.screen.put("x", width: 1, row: row, column: column, style: CellStyle()) }
    }
    let before = device.writes
    terminal.flush()
    #expect(device.writes == before + 1)
    terminal.flush()
    #expect(device.writes == before + 1)
  }

  @Test(arguments: [1, 7, 100])
  func aSlowTerminalGetsEverythingOnce(room: Int) throws {
    let (terminal, device) = make()
    try terminal.enter()
    device.output.removeAll()
    device.room = 0
    for column in 0..<20 { terminal.screen.put("a", width: 1, row: 0, column: column, style: CellStyle()) }
    terminal.flush()
    #expect(terminal.wantsWrite)
    for column in 0..<20 { terminal.screen.put("b", width: 1, row: 0, column: column, style: CellStyle()) }
    terminal.flush()
    while terminal.wantsWrite {
      device.room = room
      terminal.drain()
    }
    device.room = .max
    terminal.flush()
    var model = EmulatorModel(columns: 20, rows: 4)
    model.take(device.output)
    #expect(model.faults.isEmpty)
    #expect(model.text(0) == String(repeating: "b", count: 20))
  }

  @Test func learnsWhatTheTerminalCanDo() throws {
    let (terminal, device) = make()
    try terminal.enter()
    device.input = [Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;10t\u{1B}[?62;4c".utf8)]
    #expect(terminal.readEvents(now: 0).count == 4)
    let capabilities = terminal.capabilities
    #expect(capabilities.hasSynchronizedUpdate && capabilities.hasSixel && capabilities.hasKittyGraphics)
    #expect(capabilities.cellWidth == 10 && capabilities.cellHeight == 20 && capabilities.isComplete)
    terminal.screen.put("x", width: 1, row: 0, column: 0, style: CellStyle())
    device.output.removeAll()
    terminal.flush()
    #expect(String(decoding: device.output, as: UTF8.self).hasPrefix("\u{1B}[?2026h"))
    #expect(String(decoding: device.output, as: UTF8.self).hasSuffix("\u{1B}[?2026l"))
  }

  @Test(arguments: [
    (["TERM": "xterm"], ColorDepth.sixteen), (["TERM": "xterm-256color"], .palette),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .truecolor), (["TERM": "xterm-kitty"], .truecolor),
    (["TERM": "xterm-kitty", "NO_COLOR": "1"], .none), (["TERM": "xterm-kitty", "NO_COLOR": ""], .truecolor),
    (["TERM": "dumb"], .none), ([:], .none), (["TERM": "linux"], .sixteen),
  ])
  func colours(environment: [String: String], expected: ColorDepth) {
    #expect(make(environment).0.capabilities.depth == expected)
  }

  @Test func aHangUpIsNoticed() throws {
    let (terminal, device) = make()
    try terminal.enter()
    device.isHungUp = true
    _ = terminal.readEvents(now: 0)
    #expect(terminal.isGone)
    terminal.flush()
    terminal.leave()
    terminal.leave()
    #expect(device.log == ["enter", "leave"])
  }

  @Test func afterAStopOfOthersTheModesAreSetAgain() throws {
    let (terminal, device) = make()
    try terminal.enter()
    terminal.screen.put("x", width: 1, row: 0, column: 0, style: CellStyle())
    terminal.flush()
    device.output.removeAll()
    terminal.resume()
    terminal.flush()
    #expect(device.log == ["enter", "reenter"])
    let text = String(decoding: device.output, as: UTF8.self)
    #expect(text.contains("\u{1B}[?1049h") && text.contains("x"))
    terminal.leave()
    terminal.resume()
    #expect(device.log == ["enter", "reenter", "leave"])
  }

  @Test(arguments: [
    ("1$r0;48:2::1:2:3m", ColorDepth.truecolor), ("1$r48;2;1;2;3m", .truecolor), ("1$r0;48:5:16m", .palette),
    ("0$r", .sixteen), ("1$r0m", .sixteen),
  ])
  func coloursAreAskedFor(answer: String, expected: ColorDepth) throws {
    let (terminal, device) = make(["TERM": "xterm"])
    try terminal.enter()
    device.input = [Array("\u{1B}P\(answer)\u{1B}\\".utf8)]
    _ = terminal.readEvents(now: 0)
    #expect(terminal.capabilities.depth == expected && terminal.screen.depth == expected)
    let (colourless, quiet) = make(["TERM": "xterm", "NO_COLOR": "1"])
    try colourless.enter()
    #expect(!String(decoding: quiet.output, as: UTF8.self).contains("48;2"))
  }

  @Test func stoppingGivesTheTerminalBackAndTakesItAgain() throws {
    let (terminal, device) = make()
    try terminal.enter()
    terminal.screen.put("x", width: 1, row: 0, column: 0, style: CellStyle())
    terminal.flush()
    try terminal.suspend(wholeGroup: true)
    #expect(device.log == ["enter", "leave", "stop", "enter"])
    device.output.removeAll()
    terminal.flush()
    #expect(String(decoding: device.output, as: UTF8.self).contains("x"))
  }

  @Test(arguments: [(1, 1), (0, 0), (70_000, 3)])
  func anyWindowSize(columns: Int, rows: Int) throws {
    let (terminal, device) = make()
    try terminal.enter()
    device.window = WindowSize(columns: columns, rows: rows)
    _ = terminal.sizeChanged()
    terminal.screen.put("字", width: 2, row: 0, column: 0, style: CellStyle())
    terminal.flush()
    #expect(terminal.screen.columns >= 1 && terminal.screen.rows >= 1)
  }
}
