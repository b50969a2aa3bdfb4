internal import ReaderIPC

/// The beginnings of the last lines: presses repeat, so all but the numbers of a line has been written before.
struct CommandHeads {
  private static let capacity = 4
  private var heads: [CommandHead] = []
  private var oldest = 0

  /// Writes the line of a command. Allocates only for what is not among the last four.
  ///
  /// - Returns: the number by which `withLine` lends it until the next is written.
  mutating func write(
    _ command: Command, device: String, gesture: Gesture, seq: UInt64, timeMicroseconds: UInt64
  ) -> Int {
    for index in heads.indices {
      let isDone = heads[index].write(
        ifFor: command, device: device, gesture: gesture, seq: seq, timeMicroseconds: timeMicroseconds)
      if isDone { return index }
    }
    var head = CommandHead(command, device: device, gesture: gesture)
    head.write(seq: seq, timeMicroseconds: timeMicroseconds)
    if heads.count < CommandHeads.capacity {
      heads.append(head)
      return heads.count - 1
    }
    let index = oldest
    heads[index] = head
    oldest = (oldest + 1) % CommandHeads.capacity
    return index
  }

  @inline(__always)
  mutating func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    heads[index].withLine(body)
  }
}
