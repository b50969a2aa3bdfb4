import KernelCatalogue

/// The scenarios by name; each part of the catalogue has a file of its own.
enum Scenarios {
  static func run(_ scenario: Scenario, in world: World) throws {
    switch scenario {
    case .testBed: try testBed(world)
    case .onePressOnePage: try onePressOnePage(world)
    case .lettersMeanwhile: try lettersMeanwhile(world)
    case .autorepeat: try autorepeat(world)
    case .capsLockLight: try capsLockLight(world)
    case .readerTurnsHundredPages: try readerTurnsHundredPages(world)
    case .hidKeyboard: try hidKeyboard(world)
    case .nobodyReads: try nobodyReads(world)
    case .readerWithoutFocus: try readerWithoutFocus(world)
    case .focusWhileKeysAreHeld: try focusWhileKeysAreHeld(world)
    case .focusStorm: try focusStorm(world)
    case .daemonKilled: try daemonKilled(world)
    case .readerKilled: try readerKilled(world)
    case .readerStopped: try readerStopped(world)
    case .daemonStoppedUnderOverflow: try daemonStoppedUnderOverflow(world)
    case .unpluggedInMidPress: try unpluggedInMidPress(world)
    case .daemonTerminated: try daemonTerminated(world)
    case .startedWhileVolumeIsHeld: try startedWhileVolumeIsHeld(world)
    case .startedWhileEnterIsHeld: try startedWhileEnterIsHeld(world)
    case .stuckKey: try stuckKey(world)
    case .eventsBeforeTheGrab: try eventsBeforeTheGrab(world)
    case .pluggedInLater: try pluggedInLater(world)
    case .cloneIsLeftAlone: try cloneIsLeftAlone(world)
    case .grabbedByAnother: try grabbedByAnother(world)
    case .cloneIsFaithful: try cloneIsFaithful(world)
    case .twoReaders: try twoReaders(world)
    case .backgroundClient: try backgroundClient(world)
    case .hungReader: try hungReader(world)
    case .thirtyTwoClients: try thirtyTwoClients(world)
    case .hostileLines: try hostileLines(world)
    case .kernelAnnounces: try kernelAnnounces(world)
    }
  }
}
