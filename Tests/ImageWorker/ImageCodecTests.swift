import Testing

@testable import ImageWorker

@Suite struct ImageCodecTests {
  private let request = ImageRequest(form: .symbols, columns: 2, rows: 1, cellWidth: 8, cellHeight: 16)

  private func answer(_ cells: [UInt32]) -> [UInt8] {
    var payload: [UInt8] = []
    for field in cells { payload.appendField(field) }
    return ImageResponse(status: .shown, width: 16, height: 16, columns: 2, rows: 1, payload: payload).bytes
  }

  @Test func `a request survives the way there`() throws {
    let header = request.header(byteCount: 77)
    #expect(header.count == ImageRequest.headerSize)
    let read = try #require(ImageRequest.read(header))
    #expect(read.request == request)
    #expect(read.byteCount == 77)
  }

  @Test func `sizes outside their range are brought inside`() {
    let request = ImageRequest(form: .pixels, columns: 0, rows: .max, cellWidth: -4, cellHeight: 5000, enlargement: 99)
    #expect(request.columns == 1 && request.rows == 1000)
    #expect(request.cellWidth == 1 && request.cellHeight == 100 && request.enlargement == 16)
  }

  @Test func `an honest answer is read`() throws {
    let image = try ImageResponse.read(answer([0x2580, 0x112233, .max, 0x20, .max, 0x445566]), to: request)
    #expect(
      image.content
        == .symbols([
          RenderedImage.Cell(character: "▀", foreground: 0x112233, background: nil),
          RenderedImage.Cell(character: " ", foreground: nil, background: 0x445566),
        ]))
  }

  @Test(arguments: [0x1B, 0x07, 0x9B, 0x41, 0xD800, 0x11_0000, 0x4E00, 0x202E] as [UInt32])
  func `a cell of anything but a block element is refused`(scalar: UInt32) {
    #expect(throws: ImageError.workerFailed) {
      try ImageResponse.read(answer([scalar, 0, 0, 0x20, 0, 0]), to: request)
    }
  }

  @Test func `an answer larger than the box is refused`() {
    let bytes = ImageResponse(status: .shown, width: 16, height: 16, columns: 3, rows: 1, payload: []).bytes
    #expect(throws: ImageError.workerFailed) { try ImageResponse.read(bytes, to: request) }
  }

  @Test func `an answer of the wrong length is refused`() {
    #expect(throws: ImageError.workerFailed) { try ImageResponse.read(answer([0x20, 0, 0]), to: request) }
  }

  @Test func `sixel data with an escape in it is refused`() {
    let sixel = ImageRequest(form: .sixel, columns: 2, rows: 1)
    let bytes = ImageResponse(
      status: .shown, width: 8, height: 6, columns: 1, rows: 1, payload: Array("#0~\u{1B}\\".utf8)
    ).bytes
    #expect(throws: ImageError.workerFailed) { try ImageResponse.read(bytes, to: sixel) }
  }

  @Test(arguments: 0..<200)
  func `noise is never taken for an answer`(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes: [UInt8] = []
    for _ in 0..<(28 + seed) {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      bytes.append(UInt8(truncatingIfNeeded: state))
    }
    #expect(throws: ImageError.workerFailed) { try ImageResponse.length(bytes) }
  }

  @Test(arguments: [
    (natural: (1, 1), expected: (1, 1)), (natural: (160, 16), expected: (16, 2)),
    (natural: (8, 1600), expected: (1, 16)),
    (natural: (100_000, 1), expected: (16, 1)),
  ])
  func `an image fits its box and is at least a pixel`(natural: (Int, Int), expected: (Int, Int)) {
    #expect(request.fit(width: natural.0, height: natural.1) == expected)
  }
}
