import Testing

@testable import InputDaemon

@Suite("Memory of the start")
struct StartMemoryTests {
  @Test(
    "Only a file's code is given back",
    arguments: [
      ("1000-3000 r-xp 00026000 fe:01 1234                       /usr/lib/libc.so.6", [0x1000, 0x3000]),
      ("1000-3000 r-xp 00026000 fe:01 1234   /a b", [0x1000, 0x3000]),
      ("1000-3000 r--p 00026000 fe:01 1234   /usr/lib/libc.so.6", nil),
      ("1000-3000 rw-p 00026000 fe:01 1234   /usr/lib/libc.so.6", nil),
      ("1000-3000 r-xp 00000000 00:00 0                          [vdso]", nil),
      ("1000-3000 r-xp 00000000 00:00 0", nil),
      ("3000-1000 r-xp 00026000 fe:01 1234   /x", nil),
      ("zz-3000 r-xp 00026000 fe:01 1234   /x", nil),
      ("", nil),
    ] as [(String, [UInt]?)])
  func range(_ line: String, _ expected: [UInt]?) {
    let range = StartMemory.codeRange(line)
    #expect(range.map { [$0.start, $0.end] } == expected)
  }

  @Test("Afterwards everything still runs")
  func release() {
    StartMemory.release()
    #expect((1...100).reduce(0, +) == 5050)
  }
}
