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
  case typedWhileTaken = "typed-while-taken"

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

  // Devices and reports from the field, named after where they were reported.
  case recordings = "recordings"
  case rolesByTheAutoRule = "roles-by-the-auto-rule"
  case padFollowsItsPress = "pad-follows-its-press"
  case releaseFollowsPress = "python-evdev-4-release-follows-press"
  case permissionComesLater = "evsieve-66-permission-comes-later"
  case reconnects = "input-remapper-25-sleeps-and-reconnects"
  case plugCycles = "kanata-211-plug-cycles"
  case stickOverflow = "sdl-3425-stick-overflow"
  case wakesUpAfterSilence = "kobo-180-removed-after-silence"
  case debounce = "zynthian-1338-pedal-bounces"
  case kernelRepeat = "fbreader-508-key-repeat"
  case severalNodes = "input-remapper-430-several-nodes"
  case backgroundMedia = "jidoujisho-280-media-keys"
  case activity = "swayidle-122-activity"
  case gestures = "hold-and-double"
  case emit = "emit-keys"
  case panic = "panic-hold"
  case learn = "learn-in-a-terminal"
  case inactiveSession = "keyd-936-inactive-session"

  // What the kernel lets wait.
  case padAnswersLate = "pad-answers-late"
  case unplugDelaysNobody = "unplug-delays-nobody"

  // Many events, while devices, focus and clients come and go.
  case soak = "soak"

  // Without udevd.
  case kernelAnnounces = "kernel-announces"

  /// The machine that it runs on; all scenarios of one machine share a boot.
  public var machine: Machine {
    switch self {
    case .kernelAnnounces: .bare
    case .recordings, .rolesByTheAutoRule, .padFollowsItsPress, .releaseFollowsPress, .permissionComesLater,
      .reconnects,
      .plugCycles, .stickOverflow, .wakesUpAfterSilence, .debounce, .kernelRepeat, .severalNodes, .backgroundMedia,
      .activity, .gestures, .emit, .panic, .learn, .inactiveSession, .padAnswersLate,
      .unplugDelaysNobody, .soak:
      .field
    default: .desktop
    }
  }

  public enum Machine: String, CaseIterable, Sendable {
    /// With a real systemd-udevd.
    case desktop
    /// The same, with what people's devices do.
    case field
    /// Without udevd: the kernel's own uevents announce devices.
    case bare

    public var scenarios: [Scenario] { Scenario.allCases.filter { $0.machine == self } }
  }
}
