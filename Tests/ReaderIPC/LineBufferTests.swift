import Testing

@testable import ReaderIPC

@Suite struct LineBufferTests {
  private func lines(_ chunks: [[UInt8]]) -> [String] {
    var buffer = LineBuffer()
    var lines: [String] = []
    for chunk in chunks {
      buffer.bytes += chunk
      reading: while true {
        switch buffer.next() {
        case .line(let range): lines.append(String(decoding: buffer.bytes[range], as: UTF8.self))
        case .tooLong: return lines + ["too long"]
        case .incomplete: break reading
        }
      }
      buffer.compact()
    }
    return lines + (buffer.isWithinLine ? ["within"] : [])
  }

  @Test(arguments: 1...9) func cutAnywhereTheLinesAreTheSame(_ size: Int) {
    let bytes = Array("one\n\ntwo\nthree\r\nfour".utf8)
    let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    #expect(lines(chunks) == ["one", "", "two", "three\r", "within"])
  }

  @Test(arguments: [(4096, true), (4097, false)]) func theLimitIsExact(_ length: Int, _ isLine: Bool) {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: length)
    let found = lines([line + [UInt8(ascii: "\n")]])
    #expect((found == ["too long"]) != isLine)
  }

  @Test func aLineWithoutEndIsRefusedBeforeItFillsTheMemory() {
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1024)
    #expect(lines(Array(repeating: chunk, count: 4)) == ["within"])
    #expect(lines(Array(repeating: chunk, count: 5)) == ["too long"])
  }
}
