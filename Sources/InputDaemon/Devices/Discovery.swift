internal import EventLoop

/// Says which event nodes are there, come, change and go.
///
/// With udevd, its announcements count; without it the kernel's own. When udevd appears or leaves, the source changes
/// and every node is reported again. Costs nothing while nothing happens.
final class Discovery {
  /// Nodes as they are found; also those that udev has not finished with (`isInitialised` false under udev).
  var onNode: (FoundNode) -> Void = { _ in }
  /// A node's owner or mode may have changed: those that could not be opened are worth another try.
  var onPermissions: (_ sysname: String) -> Void = { _ in }
  /// The source changed, or announcements were lost: nodes that are not among these are gone.
  var onListing: (_ present: Set<String>) -> Void = { _ in }
  var onProblem: (SystemError) -> Void = { _ in }

  private let loop: EventLoop
  private let udev: Udev
  private let watch: PathWatch
  private var monitor: UdevMonitor?
  private var registration: EventLoop.Registration?
  private(set) var source = Udev.Source.kernel

  init(loop: EventLoop) throws(SystemError) {
    self.loop = loop
    udev = try Udev()
    watch = try PathWatch()
  }

  /// Begins to listen, then reports what is there.
  func start() throws(SystemError) {
    // The folder stays once it is there; until then its parent tells of it, which others write to as well.
    if !watch.watchEntries(of: "/run/udev") { watch.watchEntries(of: "/run") }
    watch.watchPermissions(in: "/dev/input")
    try loop.add(watch.rawValue, .readable) { [unowned self] _ in pathsChanged() }
    try listen()
  }

  /// A node (`event5`) as udev or the kernel describes it now.
  func node(named sysname: String) -> FoundNode? { udev.eventNode(named: sysname) }

  /// Listens before it lists, so that nothing falls between.
  private func listen() throws(SystemError) {
    if let registration { loop.remove(registration) }
    registration = nil
    monitor = nil
    source = Udev.isRunning ? .udev : .kernel
    let next = try udev.monitor(source)
    registration = try loop.add(next.rawValue, .readable) { [unowned self] _ in receive() }
    monitor = consume next
    list()
  }

  private func list() {
    let found = udev.eventNodes()
    onListing(Set(found.map(\.sysname)))
    for node in found { onNode(node) }
  }

  private func receive() {
    // A bounded number a wake-up: a storm of announcements must not keep keys waiting.
    for _ in 0..<16 {
      guard let received = monitor?.next() else { return }
      switch received {
      case .node(let node): onNode(node)
      case .other: continue
      case .nothing: return
      case .overflow: return list()
      }
    }
  }

  private func pathsChanged() {
    var isAnotherSource = false
    for name in watch.drain() {
      switch name {
      case "udev": watch.watchEntries(of: "/run/udev")
      case "input": watch.watchPermissions(in: "/dev/input")
      case let name where name.hasPrefix("event"): onPermissions(name)
      default: break
      }
      isAnotherSource = true
    }
    guard isAnotherSource, (Udev.isRunning ? .udev : .kernel) != source else { return }
    do throws(SystemError) {
      try listen()
    } catch {
      onProblem(error)
    }
  }
}
