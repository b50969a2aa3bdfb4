/// One thing that happens on the test machine; the guest runs it, the host reports it as a test of its own.
public enum Scenario: String, CaseIterable, Sendable {
  // The devices themselves, without a daemon: what the other scenarios rest on.
  case testBed = "test-bed"

  // A keyboard with letters and volume keys, a focused reader.
  case onePressOnePage = "one-press-one-page"
  case lettersMeanwhile = "letters-meanwhile"
  case autorepeat = "autorepeat"
  case capsLockLight = "caps-lock-light"
  case readerTurnsHundredPages = "reader-turns-hundred-pages"
  case hidKeyboard = "hid-keyboard"

  // Nobody is there, or not in front.
  case nobodyReads = "nobody-reads"
  case readerWithoutFocus = "reader-without-focus"
  case focusWhileKeysAreHeld = "focus-while-keys-are-held"
  case focusStorm = "focus-storm"

  // Things that die, stop or vanish, each while a letter is held.
  case daemonKilled = "daemon-killed"
  case readerKilled = "reader-killed"
  case readerStopped = "reader-stopped"
  case daemonStoppedUnderOverflow = "daemon-stopped-under-overflow"
  case unpluggedInMidPress = "unplugged-in-mid-press"
  case daemonTerminated = "daemon-terminated"

  // Keys that are down when the daemon comes.
  case startedWhileVolumeIsHeld = "started-while-volume-is-held"
  case startedWhileEnterIsHeld = "started-while-enter-is-held"
  case stuckKey = "stuck-key"
  case eventsBeforeTheGrab = "events-before-the-grab"

  // Devices that come later, clones, other daemons.
  case pluggedInLater = "plugged-in-later"
  case cloneIsLeftAlone = "clone-is-left-alone"
  case grabbedByAnother = "grabbed-by-another"
  case cloneIsFaithful = "clone-is-faithful"

  // Who gets the commands.
  case twoReaders = "two-readers"
  case backgroundClient = "background-client"
  case hungReader = "hung-reader"

  // The socket.
  case thirtyTwoClients = "thirty-two-clients"
  case hostileLines = "hostile-lines"

  // Without udevd.
  case kernelAnnounces = "kernel-announces"

  /// The machine that it runs on; all scenarios of one machine share a boot.
  public var machine: Machine {
    switch self {
    case .kernelAnnounces: .bare
    default: .desktop
    }
  }

  public enum Machine: String, CaseIterable, Sendable {
    /// With a real systemd-udevd.
    case desktop
    /// Without udevd: the kernel's own uevents announce devices.
    case bare

    public var scenarios: [Scenario] { Scenario.allCases.filter { $0.machine == self } }
  }
}
