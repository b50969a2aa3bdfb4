import Glibc
import Shelf
import TestSupport
import Testing

@testable import reader

/// `reader stats`, and what the reader itself writes down of reading.
@Suite struct StatsTests {
  private let folder = TestFolder()

  private var library: String { folder.path + "/.local/share/pagerd/library.sqlite" }

  @Test func withoutALibraryNothingWasReadAndNoneIsMade() throws {
    let result = try PipedProcess.run(["stats"], folder: folder)
    #expect(
      result.output == """
        today:      0 min
        in a row:   0 days, at most 0 days
        altogether: 0 min on 0 days
        pages:      0 turned
        books:      0 opened, 0 finished

        """)
    #expect(result.status.exitCode == 0 && access(library, F_OK) != 0)
  }

  @Test(arguments: [("EAST-14", 14), ("WEST12", -12)])
  func todayIsTheDayOnTheWall(zone: String, hours: Int64) throws {
    let calendar = DayCalendar { _ in hours * 3600 }
    func today() -> Int { calendar.day(of: Int64(time(nil))) }
    let path = try DataFolder.libraryPath { $0 == "HOME" ? folder.path : nil }
    let shelf = try Shelf(path: path)
    let facts = BookFacts(identity: "aa", path: "/b.epub", title: "B", authors: ["A"])
    guard case .new(let book) = try shelf.open(facts, now: 1) else {
      Issue.record("not new")
      return
    }
    let before = today()
    let parts = (-3...0).map { ReadingPart(startedAt: Int64($0), day: before + $0, seconds: 3900, turns: 9) }
    try shelf.save(nil, read: parts, of: book.id)
    let json = try PipedProcess.run(["stats", "--json"], folder: folder, environment: ["TZ": zone])
    let text = try PipedProcess.run(["stats"], folder: folder, environment: ["TZ": zone])
    // Midnight may pass meanwhile.
    guard today() == before else { return try todayIsTheDayOnTheWall(zone: zone, hours: hours) }
    #expect(
      json.output == #"{"date":"\#(DayCalendar.text(before))","today":3900,"streak":4,"longestStreak":4,"days":4,"#
        + #""seconds":15600,"turns":36,"books":1,"finished":0}"# + "\n")
    #expect(
      text.output.hasPrefix("today:      1 h 5 min\nin a row:   4 days, at most 4 days\naltogether: 4 h 20 min on"))
  }

  @Test func turnsAreWrittenDown() throws {
    let book = folder.write(EPUBWriter.numbered(chapters: 3, paragraphs: 40).bytes(), to: "book.epub")
    let reader = try PipedProcess([book], folder: folder)
    _ = try reader.wait(forPage: 1)
    try reader.turn(through: 2...4)
    reader.closeInput()
    #expect(try reader.finish().status.exitCode == 0)
    #expect(try Shelf(path: library).turnCount() == 3)
  }

  @Test func aDamagedLibraryIsNamed() throws {
    for part in ["/.local", "/.local/share", "/.local/share/pagerd"] { mkdir(folder.path + part, 0o700) }
    folder.write(Array("this is no database, by far".utf8), to: ".local/share/pagerd/library.sqlite")
    let result = try PipedProcess.run(["stats"], folder: folder)
    #expect(result.status.exitCode == 1 && result.output.isEmpty)
    #expect(result.complaints.contains("library.sqlite is damaged") && !result.complaints.contains("the place"))
  }
}
