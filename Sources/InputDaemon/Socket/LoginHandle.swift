internal import CLinux
internal import CSystemd
internal import EventLoop
internal import Glibc

/// What systemd-logind knows of seats and sessions. Without it nobody has rights by session.
///
/// Source: sd_uid_is_on_seat(3), sd_login_monitor_new(3), sd_get_seats(3).
final class LoginRights: RightsProvider {
  var onChange: (() -> Void)?
  private(set) var seats: [String] = []

  private let loop: EventLoop
  private var monitor: LoginMonitor?
  private var registration: EventLoop.Registration?

  init(loop: EventLoop) {
    self.loop = loop
    reconsider()
  }

  deinit {
    if let registration { loop.remove(registration) }
  }

  func hasActiveSession(uid: UInt32, seat: String) -> Bool { sd_uid_is_on_seat(uid, 1, seat) > 0 }

  func reconsider() {
    guard registration == nil else { return }
    if monitor == nil { monitor = LoginMonitor() }
    guard let fd = monitor?.descriptor else { return }
    // A loop that cannot take one more descriptor still has the other rights; the next client asks again.
    registration = try? loop.add(fd, .readable) { [weak self] _ in self?.sessionsChanged() }
    seats = LoginMonitor.seats()
    if registration != nil { onChange?() }
  }

  private func sessionsChanged() {
    monitor?.flush()
    seats = LoginMonitor.seats()
    onChange?()
  }
}

/// The monitor of sd-login.
struct LoginMonitor: ~Copyable {
  private let monitor: OpaquePointer

  /// nil without logind.
  init?() {
    var monitor: OpaquePointer?
    // A seat's file names its active user, so no other category needs to wake anybody.
    guard sd_login_monitor_new("seat", &monitor) >= 0, let monitor else { return nil }
    self.monitor = monitor
  }

  deinit { sd_login_monitor_unref(monitor) }

  var descriptor: Int32? {
    let descriptor = sd_login_monitor_get_fd(monitor)
    return descriptor >= 0 ? descriptor : nil
  }

  func flush() { sd_login_monitor_flush(monitor) }

  static func seats() -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_seats(&list)
    guard count > 0, let list else { return [] }
    defer { free(list) }
    var names: [String] = []
    for index in 0..<Int(count) {
      guard let name = list[index] else { break }
      names.append(String(cString: name))
      free(name)
    }
    return names
  }
}

/// The group whose members have rights without a session.
enum GroupDatabase {
  /// The number of a group, nil when there is none of that name. May read files and block: only at the start.
  static func number(of name: String) -> UInt32? {
    var entry = group()
    var result: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 16384)
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &result) == 0, result != nil else { return nil }
    return entry.gr_gid
  }
}

/// The daemon's own user.
enum OwnProcess {
  static var uid: UInt32 { cl_user() }
}
