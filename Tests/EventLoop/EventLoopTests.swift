import Glibc
import Testing

@testable import EventLoop

@Suite struct EventLoopTests {
  @Test func aReadyDescriptorIsHandledAndTimersComeDue() throws {
    let loop = try EventLoop()
    let (reading, writing) = try FileDescriptor.pipe()
    let reader = FileDescriptor(owning: reading)
    let writer = FileDescriptor(owning: writing)
    var seen: [String] = []
    try loop.add(reader.rawValue, .readable) { _ in
      var bytes: [UInt8] = []
      _ = try? Descriptor.read(reading, appendingTo: &bytes)
      seen.append("read \(bytes)")
      loop.stop()
    }
    let timer = loop.makeTimer {
      seen.append("timer")
      _ = [7].withUnsafeBytes { try? Descriptor.write(writing, UnsafeRawBufferPointer(rebasing: $0[..<1])) }
    }
    loop.atBatchEnd { seen.append("end") }
    timer.deadline = loop.now + 1000
    try loop.run()
    #expect(seen == ["timer", "end", "read [7]", "end"])
    withExtendedLifetime((reader.rawValue, writer.rawValue)) {}
  }
}
