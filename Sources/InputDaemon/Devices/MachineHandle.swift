internal import CLinux
public import EventLoop
internal import Glibc

/// What a machine has that pagerd needs: for people who look for a fault.
public enum Machine {
  /// Tries to open /dev/uinput.
  ///
  /// - Returns: nil when it works.
  public static func uinputFault() -> SystemError? {
    do throws(SystemError) {
      _ = try Uinput.open()
      return nil
    } catch {
      return error
    }
  }

  /// udevd listens.
  public static var hasUdev: Bool { Udev.isRunning }

  /// systemd is the service manager. Source: sd_booted(3).
  public static var hasSystemd: Bool { access("/run/systemd/system", F_OK) == 0 }

  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The event nodes that this process may not open.
  public static func closedNodes() -> [String] {
    Sysfs.entries("/dev/input").filter { $0.hasPrefix("event") }.map { "/dev/input/" + $0 }
      .filter { access($0, R_OK | W_OK) != 0 }.sorted()
  }

  /// A process and the event nodes that it has open.
  public struct Holder: Sendable, Equatable {
    public var pid: Int32
    public var name: String
    public var nodes: [String]
  }

  /// The processes that have event nodes open, as far as this one may look.
  public static func holders() -> [Holder] {
    var holders: [Holder] = []
    for entry in Sysfs.entries("/proc") {
      guard let pid = Int32(entry), pid != getpid() else { continue }
      let folder = "/proc/\(entry)/fd"
      var nodes: [String] = []
      for link in Sysfs.entries(folder) {
        guard let target = target(of: folder + "/" + link), target.hasPrefix("/dev/input/event") else { continue }
        if !nodes.contains(target) { nodes.append(target) }
      }
      if !nodes.isEmpty {
        holders.append(Holder(pid: pid, name: Sysfs.text("/proc/\(entry)/comm") ?? entry, nodes: nodes.sorted()))
      }
    }
    return holders.sorted { $0.pid < $1.pid }
  }

  /// The names of all processes. Allocates; not for the daemon.
  public static func processNames() -> Set<String> {
    Set(Sysfs.entries("/proc").filter { Int32($0) != nil }.compactMap { Sysfs.text("/proc/\($0)/comm") })
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The user whose session is active on the seat, nil without one or without logind.
  /// Source: sd_seat_get_active(3) reads the same file.
  public static func activeUser(onSeat seat: String) -> UInt32? {
    guard let text = Sysfs.text("/run/systemd/seats/" + seat) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("ACTIVE_UID=") {
      return UInt32(line.dropFirst("ACTIVE_UID=".count))
    }
    return nil
  }

  public static var hasLogind: Bool { access("/run/systemd/seats", F_OK) == 0 }

  public static var user: UInt32 { cl_user() }

  /// This process is in the group.
  public static func isInGroup(_ name: String) -> Bool {
    guard let number = GroupDatabase.number(of: name) else { return false }
    if getegid() == number { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(number)
  }
}
