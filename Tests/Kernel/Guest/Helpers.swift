import CKernelShims
import Glibc

/// What must run in a process of its own because it blocks.
enum Helpers {
  /// Uploads an effect to the node, plays and erases it, as a game on the desktop does; 0 when all went through.
  static func rumble(_ node: String) -> Int32 {
    let descriptor = ks_evdev_open(node)
    guard descriptor >= 0 else { return 3 }
    let effect = ks_evdev_upload(descriptor, 4096)
    guard effect >= 0 else { return 4 }
    var play = [Event(.forceFeedback, UInt16(effect), 1).raw, Event.report.raw]
    guard write(descriptor, &play, play.count * MemoryLayout<input_event>.size) > 0 else { return 5 }
    return ks_evdev_erase(descriptor, effect) < 0 ? 6 : 0
  }

  /// Writes lines to the socket without ever reading; 0 when the other side ended it.
  static func flood(_ socket: String) -> Int32 {
    let descriptor = ks_connect_unix(socket)
    guard descriptor >= 0 else { return 3 }
    _ = fcntl(descriptor, F_SETFL, 0)
    let line = Array((#"{"type":"subscribe","client":"flood","role":"observer"}"# + "\n").utf8)
    let lines = [[UInt8]](repeating: line, count: 64).flatMap { $0 }
    let deadline = ks_now() + 60_000_000
    while ks_now() < deadline {
      if send(descriptor, lines, lines.count, Int32(MSG_NOSIGNAL)) < 0 { return 0 }
    }
    return 4
  }
}
