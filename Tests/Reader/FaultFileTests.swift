import Glibc
import TestSupport
import Testing

@testable import reader

/// Every shared file of faults against the shared `expect.json`: what its text must hold and must not, as printed.
@Suite struct FaultFileTests {
  private static let shared = TestPaths.shared + "/cases/epub/"
  private static let files = SharedFiles.list("cases/epub", ending: ".epub")
  private static let expectations = JSONTree(TextFiles.text(shared + "expect.json") ?? "")
  private let folder = TestFolder()

  @Test func everyFileHasItsExpectations() throws {
    guard case .object(let expected)? = Self.expectations else {
      Issue.record("shared test material is missing: \(Self.shared)expect.json")
      return
    }
    #expect(Set(Self.files.map(Self.name)) == Set(expected.keys))
    #expect(expected.count >= 33)
  }

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/").last!.dropLast(".epub".count))
  }

  @Test(arguments: files)
  func textIsAsExpected(_ path: String) throws {
    let expected = try #require(Self.expectations?[Self.name(path)])
    let must = try #require(expected["must"]).strings
    let not = try #require(expected["not"]).strings
    let printed = try PipedProcess.run(["text", path, "--all", "--width", "80", "--height", "24"], folder: folder)
    if printed.status.exitCode != 0 {
      // Only a protected book and one without an end may be refused, in one line that names the file and no cipher.
      #expect(["61-drm", "78-truncated"].contains(Self.name(path)), "\(printed.complaints)")
      #expect(printed.output.isEmpty && printed.complaints.contains(path))
      #expect(printed.complaints.split(separator: "\n").count == 1)
      if Self.name(path) == "61-drm" { #expect(printed.complaints.contains("protected by Readium LCP")) }
      return
    }
    #expect(Self.name(path) != "61-drm")
    let text = printed.output.split { $0.isWhitespace }.joined(separator: " ")
    for words in must { #expect(text.contains(words), "\(words)") }
    for words in not {
      // These must not share a line; of the rest it does not matter where lines end.
      let isOfLines = ["Word1 Word2", "onetwo", "twothree"].contains(words)
      #expect(!(isOfLines ? printed.output : text).contains(words), "\(words)")
    }
  }
}
