import PageKeys
import ReaderIPC
import Testing

@testable import pagerd

@Suite("Command line")
struct ArgumentTests {
  static let valid: [([String], Invocation)] = [
    ([], .run(folder: "/etc/pagerd")),
    (["run"], .run(folder: "/etc/pagerd")),
    (["--config", "/tmp/x"], .run(folder: "/tmp/x")),
    (["run", "--config=/tmp/x"], .run(folder: "/tmp/x")),
    (["devices"], .devices(json: false)),
    (["status", "--json"], .status(json: true)),
    (["monitor", "--raw"], .monitor(raw: true, json: false)),
    (["learn"], .learn(device: nil, file: nil)),
    (["learn", "AB Shutter3", "--output", "-"], .learn(device: "AB Shutter3", file: "-")),
    (["record", "/dev/input/event5"], .record(node: "/dev/input/event5", file: nil)),
    (
      ["replay", "--role", "page-turner", "--bind", "BTN_0=prev", "--bind=hold A=first", "x.evemu"],
      .replay(file: "x.evemu", role: .pageTurner, bindings: ["BTN_0=prev", "hold A=first"], json: false)
    ),
    (["replay", "--role=auto", "--", "--x"], .replay(file: "--x", role: nil, bindings: [], json: false)),
    (["subscribe"], .subscribe(role: .background, exec: nil, json: false)),
    (["subscribe", "--role", "observer", "--exec", "true"], .subscribe(role: .observer, exec: "true", json: false)),
    (["send", "next-chapter"], .send(.nextChapter)),
    (["emit", "on"], .emit(true)),
    (["emit", "off"], .emit(false)),
    (["check", "a.conf", "b.conf"], .check(files: ["a.conf", "b.conf"], folder: "/etc/pagerd")),
    (["reload"], .reload),
    (["doctor", "--json"], .doctor(json: true)),
    (["--help"], .help(nil)),
    (["help", "send"], .help(.send)),
    (["send", "--help"], .help(.send)),
    (["--version"], .version),
    (["run", "--version"], .version),
  ]

  @Test("What is understood", arguments: valid)
  func understood(_ words: [String], _ invocation: Invocation) throws {
    #expect(try Invocation(words) == invocation)
  }

  static let invalid: [([String], String)] = [
    (["sttus"], "pagerd has no command \"sttus\"; did you mean \"status\"?; see 'pagerd --help'"),
    (["xyzzy"], "pagerd has no command \"xyzzy\"; see 'pagerd --help'"),
    (["status", "--jsn"], "status has no option \"--jsn\"; did you mean \"--json\"?; see 'pagerd status --help'"),
    (["run", "--config"], "--config needs a value"),
    (["send"], "send needs a command: pagerd send COMMAND"),
    (
      ["send", "nxt"],
      "send: \"nxt\" is not next, prev, next-chapter, prev-chapter, first, last, back, toggle or custom:NAME "
        + "(a-z, 0-9, -; at most 32)"
    ),
    (["emit", "maybe"], "emit: \"maybe\" is not on or off"),
    (["reload", "now"], "\"now\" is one word too many: pagerd reload"),
    (["subscribe", "--role", "reader"], "--role: \"reader\" is not background or observer"),
    (["replay", "--role", "x", "f"], "--role: \"x\" is not page-turner, shared, ignore or auto"),
    (["replay"], "replay needs a recording: pagerd replay [--role ROLE] [--bind 'KEY=COMMAND']... [--json] FILE"),
  ]

  @Test("What is not, and what is said then", arguments: invalid)
  func refused(_ words: [String], _ message: String) {
    let error = #expect(throws: ArgumentError.self) { _ = try Invocation(words) }
    #expect(error.map(Messages.text) == message)
  }

  @Test("Help names every command and its options", arguments: Topic.allCases)
  func help(_ topic: Topic) {
    #expect(Usage.text(nil).contains("  \(topic.rawValue) "))
    let text = Usage.text(topic)
    #expect(text.hasPrefix("Usage: pagerd \(topic.rawValue)"))
    for word in topic.synopsis.split(whereSeparator: { "[ ]|.".contains($0) }) where word.hasPrefix("--") {
      #expect(topic.explanation.contains(word), "\(word)")
    }
  }

  @Test("No line of help is wider than a terminal", arguments: [nil] + Topic.allCases.map(Optional.some))
  func width(_ topic: Topic?) {
    for line in Usage.text(topic).split(separator: "\n") where topic != .send {
      #expect(line.count <= 120, "\(line)")
    }
  }
}
