import TestSupport
import Testing

@testable import Terminal

@Suite struct PictureTests {
  private func screen() -> Screen {
    var screen = Screen(columns: 10, rows: 4, depth: .truecolor)
    screen.clear()
    return screen
  }

  private func rendered(_ screen: inout Screen) -> String {
    var bytes: [UInt8] = []
    screen.render(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func pixels(id: UInt32, row: Int = 1, column: Int = 2) -> Picture {
    Picture(
      id: id, row: row, column: column, rows: 2, columns: 3, width: 2, height: 1,
      content: .pixels([1, 2, 3, 255, 4, 5, 6, 255]))
  }

  private func sixel(id: UInt32) -> Picture {
    Picture(
      id: id, row: 1, column: 2, rows: 2, columns: 3, width: 8, height: 6, content: .sixel(Array("#0~~".utf8)))
  }

  @Test func `kitty pictures are sent once and taken away by name`() {
    var screen = screen()
    _ = rendered(&screen)
    screen.pictures = [pixels(id: 7)]
    let shown = rendered(&screen)
    #expect(shown.contains("\u{1B}[2;3H\u{1B}_Ga=T,f=32,s=2,v=1,i=7,q=2,C=1,m=0;AQID/wQFBv8=\u{1B}\\"))
    #expect(rendered(&screen) == "")
    screen.pictures = []
    #expect(rendered(&screen).contains("\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\"))
    #expect(rendered(&screen) == "")
  }

  @Test func `pixels go in chunks of at most 4096 bytes of base64`() {
    var output: [UInt8] = []
    KittyGraphics.append([UInt8](repeating: 7, count: 4 * 64 * 64), id: 1, width: 64, height: 64, to: &output)
    let chunks = String(decoding: output, as: UTF8.self).split(separator: "\u{1B}\\")
    #expect(chunks.count == 6)
    for (index, chunk) in chunks.enumerated() {
      let parts = chunk.split(separator: ";")
      #expect(parts[1].utf8.count <= 4096)
      #expect(parts[0].hasSuffix(index == chunks.count - 1 ? "m=0" : "m=1"))
    }
  }

  @Test(
    arguments: [
      ([], ""), ([102], "Zg=="), ([102, 111], "Zm8="), ([102, 111, 111], "Zm9v"), ([255, 254, 253, 0], "//79AA=="),
    ] as [([UInt8], String)])
  func `base64 as RFC 4648 has it`(bytes: [UInt8], text: String) {
    var output: [UInt8] = []
    KittyGraphics.appendBase64(bytes[...], to: &output)
    #expect(String(decoding: output, as: UTF8.self) == text)
  }

  @Test func `pixels of another length than they claim are not sent`() {
    var output: [UInt8] = []
    KittyGraphics.append([1, 2, 3], id: 1, width: 64, height: 64, to: &output)
    #expect(output.isEmpty)
  }

  @Test func `a sixel picture is drawn again when a cell under it changes`() {
    var screen = screen()
    screen.pictures = [sixel(id: 1)]
    #expect(rendered(&screen).contains("\u{1B}P0;1;0q#0~~\u{1B}\\"))
    #expect(rendered(&screen) == "")
    screen.put("x", width: 1, row: 0, column: 0, style: CellStyle())
    #expect(!rendered(&screen).contains("\u{1B}P"))
    screen.put("x", width: 1, row: 2, column: 4, style: CellStyle())
    #expect(rendered(&screen).contains("\u{1B}P"))
  }

  @Test func `the cells under a sixel picture are written when it goes`() {
    var screen = screen()
    screen.put("a", width: 1, row: 1, column: 3, style: CellStyle())
    screen.pictures = [sixel(id: 1)]
    _ = rendered(&screen)
    screen.pictures = []
    #expect(rendered(&screen).contains("a"))
  }

  @Test func `a picture that does not fit the window is not drawn`() {
    var screen = screen()
    screen.pictures = [pixels(id: 1, row: 3, column: 2), pixels(id: 2, row: 0, column: 8), pixels(id: 3, row: -1)]
    #expect(!rendered(&screen).contains("_G"))
  }

  @Test func `after a change of size what the terminal holds is taken away first`() {
    var screen = screen()
    screen.pictures = [pixels(id: 5)]
    _ = rendered(&screen)
    screen.resize(columns: 12, rows: 5)
    let after = rendered(&screen)
    #expect(after.contains("a=d,d=I,i=5"))
    #expect(!after.contains("a=T"))
  }
}
