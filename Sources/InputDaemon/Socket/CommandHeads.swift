internal import ReaderIPC

/// The beginnings of the last lines: presses repeat, so all but the numbers of a line has been written before.
struct CommandHeads {
  private static let capacity = 4
  private var heads: [CommandHead] = []
  private var oldest = 0

  /// Appends the line of a command. Allocates only for what is not among the last four.
  mutating func append(
    _ command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64,
    to buffer: inout [UInt8]
  ) {
    for index in heads.indices {
      let isDone = heads[index].append(
        ifFor: command, device: device, gesture: gesture, seq: seq, timeMicroseconds: timeMicroseconds, to: &buffer)
      if isDone { return }
    }
    var head = CommandHead(command, device: device, gesture: gesture)
    head.append(seq: seq, timeMicroseconds: timeMicroseconds, to: &buffer)
    if heads.count < CommandHeads.capacity {
      heads.append(head)
    } else {
      heads[oldest] = head
      oldest = (oldest + 1) % CommandHeads.capacity
    }
  }
}
