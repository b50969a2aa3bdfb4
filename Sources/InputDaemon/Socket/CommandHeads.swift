internal import ReaderIPC

/// The beginnings of the last lines: presses repeat, so all but the numbers of a line has been written before.
struct CommandHeads {
  private struct Head {
    var command: Command
    var device: String
    var gesture: Gesture
    var bytes: [UInt8]
  }

  private static let capacity = 4
  private var heads: [Head] = []
  private var oldest = 0

  /// Appends the line up to its numbers. Allocates only for what is not among the last four.
  mutating func append(_ command: Command, device: String, gesture: Gesture, to buffer: inout [UInt8]) {
    for index in heads.indices {
      if heads[index].command == command, heads[index].gesture == gesture, heads[index].device == device {
        buffer.append(contentsOf: heads[index].bytes)
        return
      }
    }
    var bytes: [UInt8] = []
    ServerMessage.appendCommandHead(command, device: device, gesture: gesture, to: &bytes)
    buffer.append(contentsOf: bytes)
    let head = Head(command: command, device: device, gesture: gesture, bytes: bytes)
    if heads.count < CommandHeads.capacity {
      heads.append(head)
    } else {
      heads[oldest] = head
      oldest = (oldest + 1) % CommandHeads.capacity
    }
  }
}
