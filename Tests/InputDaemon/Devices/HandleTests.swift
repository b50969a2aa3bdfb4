import EventLoop
import PageKeys
import Testing

@testable import InputDaemon

/// What the handles do when the system refuses; what they do when it does not is tried on a real kernel.
@Suite("Device handles", .serialized)
struct HandleTests {
  @Test("A node that cannot be opened says which and why", arguments: [13, 2, 19, 6, 24] as [Int32])
  func openFails(_ errno: Int32) {
    defer { Faults.clear() }
    Faults.inject(.open, errno: errno)
    let error = #expect(throws: SystemError.self) { _ = try EvdevDevice(path: "/dev/input/event7") }
    #expect(error == SystemError(.open, errno: errno, subject: "/dev/input/event7"))
  }

  @Test("What is no event node is refused")
  func noEventNode() {
    let error = #expect(throws: SystemError.self) { _ = try EvdevDevice(path: "/dev/null") }
    #expect(error?.call == .ioctl)
    #expect(error?.subject == "/dev/null")
  }

  @Test("Without uinput the error names it", arguments: [2, 13, 19] as [Int32])
  func noUinput(_ errno: Int32) {
    defer { Faults.clear() }
    Faults.inject(.open, errno: errno, count: 2)
    let error = #expect(throws: SystemError.self) { _ = try VirtualKeyboard(keys: [1]) }
    #expect(error == SystemError(.open, errno: errno, subject: "/dev/uinput"))
  }

  @Test("What opening says is sorted", arguments: [(13, true), (1, true)] as [(Int32, Bool)])
  func permission(_ errno: Int32, _ isPermission: Bool) {
    let obstacle = KnownNode.Obstacle(opening: SystemError(.open, errno: errno, subject: "x"))
    #expect((obstacle == .noPermission) == isPermission)
  }

  @Test("A node that is not there (any more) is no fault", arguments: [2, 19, 6] as [Int32])
  func missing(_ errno: Int32) {
    #expect(KnownNode.Obstacle(opening: SystemError(.open, errno: errno, subject: "x")) == .missing)
  }

  @Test("Anything else is named")
  func unusable() {
    let error = SystemError(.open, errno: 24, subject: "x")
    #expect(KnownNode.Obstacle(opening: error) == .unusable(error))
  }
}
