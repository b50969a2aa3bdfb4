import PageKeys
import ReaderIPC
import TestSupport
import Testing

/// One line of `traces/expected.tsv`.
struct TraceCase: CustomTestStringConvertible {
  let file: String
  let bindings: [String]
  let commands: [String]
  let role: Role?

  var testDescription: String { file }

  static let all: [TraceCase] = {
    let text = TextFiles.text(TestPaths.shared + "/traces/expected.tsv") ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      func words(_ text: String) -> [String] { text == "-" ? [] : text.split(separator: " ").map(String.init) }
      let why = parts.count > 3 ? parts[3] : ""
      var role: Role? = .pageTurner
      if why.hasPrefix("role ") {
        let word = why.dropFirst(5).prefix { $0 != ":" && $0 != " " && $0 != "," && $0 != ";" }
        role = word == "auto" ? nil : Role(rawValue: String(word))
      }
      return TraceCase(file: parts[0], bindings: words(parts[1]), commands: words(parts[2]), role: role)
    }
  }()
}

@Suite struct SharedTraceTests {
  @Test func theFolderIsThere() {
    #expect(!TraceCase.all.isEmpty, "the recordings are missing: \(TestPaths.shared)/traces")
  }

  @Test(arguments: TraceCase.all) func replays(_ trace: TraceCase) throws {
    let bytes = try #require(TextFiles.bytes(TestPaths.shared + "/traces/" + trace.file))
    let recording = try Recording(evemu: bytes)
    let bindings = try trace.bindings.map { try Configuration.binding($0) }
    let fired = recording.replay(Profiles.shipped, role: trace.role, bindings: bindings)
    #expect(fired.map(\.command.description) == trace.commands)
  }

  /// Written and read again, a recording is the same, and gives the same commands.
  @Test(arguments: TraceCase.all) func survivesBeingWritten(_ trace: TraceCase) throws {
    let bytes = try #require(TextFiles.bytes(TestPaths.shared + "/traces/" + trace.file))
    let recording = try Recording(evemu: bytes)
    let again = try Recording(evemu: recording.evemu)
    #expect(again == recording)
  }
}
