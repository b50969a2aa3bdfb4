import CKernelShims
import Glibc

/// A client of the soak: counts its commands by the bytes of their lines and keeps none of them.
final class SoakClient: Source {
  static let commands = ["next", "prev", "toggle"]
  private static let head = Array(#"{"type":"command","command":""#.utf8)
  private static let names = commands.map { Array($0.utf8) + [34] }
  private static let number = Array(#""seq":"#.utf8)

  private(set) var descriptor: Int32
  let name: String
  let role: String
  private let ledger: SoakLedger
  private var partial: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 16384)
  private var lastNumber: Int?

  /// Commands that came and that were to come, in the order of `commands`.
  private(set) var got = [0, 0, 0]
  var expected = [0, 0, 0]
  /// It is open who gets how many: what comes is judged afterwards.
  var isOpen = false
  private(set) var isActive = false
  private(set) var activeAnswers = 0
  /// So many answers are there when the latest focus message was taken.
  var awaited = 0
  private(set) var statusAnswers = 0

  init(_ daemon: Daemon, role: String, name: String, ledger: SoakLedger, in world: World) throws {
    (self.role, self.name, self.ledger) = (role, name, ledger)
    // The daemon may just be starting.
    var made: Int32 = -1
    let came = world.wait {
      made = ks_connect_unix(daemon.socket)
      return made >= 0 || daemon.process.exitCode != nil
    }
    descriptor = made
    guard came, descriptor >= 0 else {
      throw Stopped(reason: "\(name) cannot connect: \(String(cString: strerror(errno)))")
    }
    world.watch(self)
    world.atEnd { [self] in shut() }
    send(#"{"type":"subscribe","client":"\#(name)","role":"\#(role)"}"#)
    // Lines are taken in order: with the answer to this one, the subscription stands.
    send(#"{"type":"status"}"#)
    guard world.wait(until: { statusAnswers > 0 }) else { throw Stopped(reason: "\(name) is not answered") }
  }

  var hasAll: Bool { got == expected }
  var outstanding: String { "\(name) (\(role)): \(got) of \(expected)" }

  func shut() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count {
      ledger.fail("\(name) cannot send \(line)")
    }
  }

  func drain() {
    while descriptor >= 0 {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN) {
        ledger.fail("\(name) was dropped")
        return shut()
      }
      guard count > 0 else { return }
      var start = 0
      for index in 0..<count where chunk[index] == 10 {
        if partial.isEmpty {
          take(chunk[start..<index])
        } else {
          partial += chunk[start..<index]
          take(partial[...])
          partial.removeAll(keepingCapacity: true)
        }
        start = index + 1
      }
      partial += chunk[start..<count]
    }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    guard line.starts(with: SoakClient.head) else { return takeOther(String(decoding: line, as: UTF8.self)) }
    let rest = line.dropFirst(SoakClient.head.count)
    guard let index = SoakClient.names.firstIndex(where: { rest.starts(with: $0) }) else {
      return ledger.fail("\(name): an unknown command: \(String(decoding: line, as: UTF8.self))")
    }
    got[index] += 1
    if !isOpen, got[index] > expected[index] { ledger.fail("one command too many: \(outstanding)") }
    let number = SoakClient.number(in: rest)
    if let number, number == (lastNumber ?? number - 1) + 1 {
      lastNumber = number
    } else {
      ledger.fail("\(name): seq \(number ?? -1) after \(lastNumber ?? -1)")
    }
  }

  private func takeOther(_ line: String) {
    guard let message = JSON(line) else { return ledger.fail("\(name): not JSON: \(line)") }
    switch message["type"]?.text {
    case "ping": send(#"{"type":"pong"}"#)
    case "active":
      isActive = message["value"]?.flag ?? false
      activeAnswers += 1
    case "status": statusAnswers += 1
    case "error", "bye": ledger.fail("\(name): \(line)")
    default: break
    }
  }

  private static func number(in line: ArraySlice<UInt8>) -> Int? {
    var index = line.startIndex
    while index + number.count < line.endIndex {
      if line[index] == number[0], line[index...].starts(with: number) {
        var value = 0
        for byte in line[(index + number.count)...] {
          guard byte >= 48, byte <= 57 else { break }
          value = value * 10 + Int(byte - 48)
        }
        return value
      }
      index += 1
    }
    return nil
  }
}
