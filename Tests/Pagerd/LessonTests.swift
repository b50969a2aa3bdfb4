import EventLoop
import ReaderIPC
import Testing

@testable import pagerd

@Suite("Lessons and findings")
struct LessonTests {
  @Test(
    "A device's name as a file's",
    arguments: [
      ("AB Shutter3", "ab-shutter3.conf"), ("../../etc/passwd", "etc-passwd.conf"), ("", "device.conf"),
      ("8BitDo M30", "8bitdo-m30.conf"), ("戒指", "device.conf"), ("a  --  b!", "a-b.conf"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 64) + ".conf"),
    ])
  func fileName(_ name: String, _ file: String) {
    #expect(Lesson.fileName(name) == file)
  }

  @Test("A keyboard's profile shares it, so that it goes on typing")
  func keyboard() {
    let text = "[device \"K\"]\nrole     = page-turner\nF14      = prev\n"
    #expect(Lesson.profile(text, isKeyboard: true) == "[device \"K\"]\nrole     = shared\nF14      = prev\n")
    #expect(Lesson.profile(text, isKeyboard: false) == text)
  }

  @Test("Questions in plain words")
  func purposes() {
    #expect(Lesson.purpose(.next) == "for the next page")
    #expect(Lesson.purpose(.prev) == "for the previous page")
    #expect(Lesson.purpose(.toggle) == "that shows or hides the reader's controls")
  }

  @Test("A finding as a line and as JSON")
  func finding() {
    let finding = Finding(subject: "uinput", verdict: .bad, text: "no \"device\"\n", remedy: "modprobe uinput")
    #expect(finding.line == "FAULT  uinput: no \"device\"\n\n       -> modprobe uinput")
    #expect(
      finding.json
        == #"{"subject":"uinput","verdict":"fault","text":"no \"device\"\u000a","remedy":"modprobe uinput"}"#)
    let good = Finding(subject: "udev", verdict: .good, text: "udevd announces devices")
    #expect(good.line == "ok     udev: udevd announces devices")
    #expect(good.json == #"{"subject":"udev","verdict":"ok","text":"udevd announces devices"}"#)
  }

  @Test("Every fault of uinput has its remedy", arguments: [(2, false), (19, true), (13, true)] as [(Int32, Bool)])
  func uinput(_ errno: Int32, _ isRoot: Bool) {
    let finding = DoctorCommand.uinput(SystemError(.open, errno: errno, subject: "/dev/uinput"), isRoot: isRoot)
    #expect(finding.verdict == .bad)
    #expect(finding.remedy?.contains("modprobe uinput") == true)
  }

  @Test("Who runs pagerd as a service needs no permission of his own")
  func uinputForUsers() {
    let finding = DoctorCommand.uinput(SystemError(.open, errno: 13, subject: "/dev/uinput"), isRoot: false)
    #expect(finding.verdict == .note)
  }
}
