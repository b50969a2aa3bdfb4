import EventLoop
import InputDaemon
import ReaderClient
import ReaderIPC
import Testing

@testable import pagerd

@Suite("Messages")
struct MessageTests {
  static let notices: [(DeviceNotice, String)] = [
    (
      .found(name: "X", node: "/dev/input/event5", role: "shared", reason: "has both volume keys"),
      "X (/dev/input/event5): shared, has both volume keys"
    ),
    (.held(name: "X", node: "/n"), "X (/n): held"),
    (.givenBack(name: "X", node: "/n"), "X (/n): given back"),
    (
      .waitingForKey(name: "X", node: "/n", keys: [28, 42]),
      "X (/n): a key is down on it (ENTER, LEFTSHIFT); it is taken when that comes up"
    ),
    (
      .phantom(name: "X", node: "/n", key: 115),
      "X (/n): VOLUMEUP has been down since before pagerd opened it; taken for stuck and released"
    ),
    (
      .busy(name: "X", node: "/n"),
      "X (/n): held by another program; 'pagerd doctor' may say which. Trying again later"
    ),
    (
      .noPermission(name: "X", node: "/n"),
      "X (/n): no permission to open it; run pagerd as root, or install its udev rules"
    ),
    (
      .noUinput(SystemError(.open, errno: 2, subject: "/dev/uinput")),
      "no device is held, since no virtual device can be made (open /dev/uinput: No such file or directory (ENOENT)): "
        + "load the module with 'modprobe uinput', and let pagerd write to /dev/uinput"
    ),
    (
      .overflow(name: "X", node: "/n"),
      "X (/n): the kernel dropped events; a press among them may be missing"
    ),
  ]

  @Test("What is said of devices", arguments: notices)
  func notice(_ notice: DeviceNotice, _ text: String) {
    #expect(Messages.text(notice) == text)
  }

  static let starts: [(InputDaemonError, String)] = [
    (
      .socketInUse(path: "/run/pagerd/pagerd.sock"),
      "/run/pagerd/pagerd.sock is in use by another pagerd that is running; stop that one, or set PAGERD_SOCKET to "
        + "another path"
    ),
    (
      .notASocket(path: "/x"),
      "/x is not a socket, so it was left alone; move it away, or set PAGERD_SOCKET to another path"
    ),
    (.noSocketPath, "there is no place for the socket: set XDG_RUNTIME_DIR, or PAGERD_SOCKET to a path"),
    (
      .system(SystemError(.bind, errno: 13, subject: "/run/x")),
      "bind /run/x: Permission denied (EACCES)"
    ),
  ]

  @Test("Why the daemon does not start", arguments: starts)
  func start(_ error: InputDaemonError, _ text: String) {
    #expect(Messages.text(error) == text)
  }

  @Test("No daemon, and a daemon that lets nobody in")
  func connecting() {
    let refused = SystemError(.connect, errno: 111, subject: "/a")
    let denied = SystemError(.connect, errno: 13, subject: "/b")
    #expect(
      Messages.text(.noServer([refused]))
        == "no pagerd is running (/a: Connection refused); start it with 'systemctl start pagerd', or as 'pagerd run'")
    #expect(
      Messages.text(.noServer([refused, denied]))
        == "pagerd runs, but its socket lets you not in (/a: Connection refused; /b: Permission denied)")
  }

  @Test("A status as people read it")
  func status() {
    let report = StatusReport(
      server: "pagerd 0.1.0", isRouting: true, isEmitting: false, clients: 1,
      devices: [
        DeviceStatus(
          name: "AB Shutter3", nodes: ["/dev/input/event5", "/dev/input/event6"], role: .pageTurner, state: .held,
          detail: "a profile names it", batteryPercent: 80),
        DeviceStatus(name: "Mouse", nodes: ["/dev/input/event1"], role: .ignore, state: .ignored, detail: "a mouse"),
      ])
    #expect(
      StatusCommand.text(report, isOnlyDevices: false) == """
        pagerd 0.1.0, 1 client
        Somebody takes the page commands.
          AB Shutter3: page-turner, held, battery 80 % (/dev/input/event5, /dev/input/event6)
            a profile names it
        """)
    #expect(
      StatusCommand.text(report, isOnlyDevices: true) == """
          AB Shutter3: page-turner, held, battery 80 % (/dev/input/event5, /dev/input/event6)
            a profile names it
        Not used:
          Mouse: ignore, ignored (/dev/input/event1)
            a mouse
        """)
    let none = StatusReport(server: "pagerd 0.1.0", isRouting: false, isEmitting: true, clients: 0, devices: [])
    #expect(
      StatusCommand.text(none, isOnlyDevices: false) == """
        pagerd 0.1.0, 0 clients
        Nobody takes page commands now.
        Commands that nobody takes are sent as keys.
        There is no page device.
        """)
  }
}
