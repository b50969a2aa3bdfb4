internal import EventLoop
internal import Glibc
internal import PageKeys

/// The daemon: the socket side and the device side on one loop.
///
/// ```swift
/// let daemon = try InputDaemon(files: files, serverName: "pagerd 0.1.0", onNotice: say, onLog: say)
/// try daemon.run()     // until SIGTERM, SIGINT or SIGHUP
/// ```
public final class InputDaemon {
  private let loop: EventLoop
  private let server: SocketServer
  private let devices: DeviceManager
  private var watchdog: Watchdog?

  /// Listens, then looks for devices.
  ///
  /// - Parameters:
  ///   - files: where configuration and profiles are.
  ///   - configuration: what was read from them.
  ///   - onNotice: what people should know about devices; never called on the event path.
  ///   - onLog: lines about clients.
  /// - Throws: socketInUse, notASocket, noSocketPath; system for what the kernel refuses.
  public init(
    files: ConfigurationFiles, configuration: ConfigurationLoad, serverName: String,
    onNotice: @escaping (DeviceNotice) -> Void, onLog: @escaping (String) -> Void
  ) throws(InputDaemonError) {
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw .system(error)
    }
    server = try InputDaemon.listen(loop: loop, serverName: serverName)
    do throws(SystemError) {
      devices = try DeviceManager(loop: loop, audience: server, configuration: configuration.configuration)
      server.log = onLog
      devices.onNotice = onNotice
      devices.loadConfiguration = { files.load() }
    } catch {
      throw .system(error)
    }
  }

  /// A daemon that was killed holds its socket until the kernel has taken its devices apart, which takes a while: only
  /// one that still has it after that is alive.
  private static func listen(loop: EventLoop, serverName: String) throws(InputDaemonError) -> SocketServer {
    var tries = 40
    while true {
      do throws(SocketError) {
        return try SocketServer.open(loop: loop, serverName: serverName)
      } catch {
        guard case .inUse = error, tries > 0 else { throw InputDaemonError(error) }
        tries -= 1
        poll(nil, 0, 50)
      }
    }
  }

  /// Runs until SIGTERM, SIGINT or SIGHUP asks it to end; then everything has been given back.
  public func run() throws(InputDaemonError) {
    do throws(SystemError) {
      try loop.handleSignals([SIGTERM, SIGINT, SIGHUP]) { [unowned self] _ in loop.stop() }
      let watchdog = Watchdog(loop: loop)
      self.watchdog = watchdog
      server.connect(registry: devices)
      let tellClients = devices.onHeldChange
      devices.onHeldChange = { [unowned self] in
        tellClients?()
        watchdog.heldChanged(isAnythingHeld: devices.isAnythingHeld)
      }
      try devices.start()
      watchdog.ready()
      Priority.raise()
      StartMemory.release()
      try loop.run()
    } catch {
      end()
      throw .system(error)
    }
    end()
  }

  private func end() {
    watchdog?.stopping()
    devices.stop()
    server.shutDown()
  }
}
