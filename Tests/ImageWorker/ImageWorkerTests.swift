import ImageWorker
import Testing

@Suite struct ImageWorkerTests {
  private static let box = ImageRequest(form: .pixels, columns: 10, rows: 5)

  @Test func `a picture comes as pixels of its own colour and size`() throws {
    let harness = try WorkerHarness()
    let picture = Pictures.pixmap(width: 20, height: 10, red: 200, green: 10, blue: 30)
    let image = try #require(try harness.render(picture, Self.box)).get()
    #expect(image.width == 20 && image.height == 10)
    #expect(image.columns == 3 && image.rows == 1)
    guard case .pixels(let bytes) = image.content else {
      Issue.record("not pixels: \(image.content)")
      return
    }
    #expect(bytes.count == 20 * 10 * 4)
    #expect(Array(bytes.prefix(4)) == [200, 10, 30, 255])
  }

  @Test func `a large picture is scaled into the box and keeps its shape`() throws {
    let harness = try WorkerHarness()
    let picture = Pictures.pixmap(width: 400, height: 100, red: 1, green: 2, blue: 3)
    let image = try #require(try harness.render(picture, Self.box)).get()
    #expect(image.width == 80 && image.height == 20)
    #expect(image.columns == 10 && image.rows == 2)
  }

  @Test func `symbols are block elements in the picture's colours`() throws {
    let harness = try WorkerHarness()
    let picture = Pictures.pixmap(width: 80, height: 80, red: 255, green: 0, blue: 0)
    let request = ImageRequest(form: .symbols, columns: 10, rows: 5)
    let image = try #require(try harness.render(picture, request)).get()
    guard case .symbols(let cells) = image.content else {
      Issue.record("not symbols: \(image.content)")
      return
    }
    #expect(cells.count == image.columns * image.rows)
    for cell in cells {
      let shown = cell.character == " " ? cell.background : cell.foreground ?? cell.background
      let red = try #require(shown)
      #expect(red >> 16 > 0xE0 && red & 0xFFFF < 0x2020)
    }
  }

  @Test func `sixel data has no byte that could end the sequence`() throws {
    let harness = try WorkerHarness()
    let picture = Pictures.pixmap(width: 80, height: 80, red: 0, green: 90, blue: 200)
    let image = try #require(
      try harness.render(picture, ImageRequest(form: .sixel, columns: 10, rows: 5))
    ).get()
    guard case .sixel(let bytes) = image.content else {
      Issue.record("not sixels: \(image.content)")
      return
    }
    #expect(bytes.count > 20)
    #expect(!bytes.contains(0x1B))
  }

  /// A drawing has no pixels: what it calls its size costs nothing.
  @Test func `a vector image of any size of its own is drawn`() throws {
    let harness = try WorkerHarness()
    let drawing =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 46296.26 40689.13'><style>.a {fill: #00ff00}</style>"
      + "<rect class='a' width='46297' height='40690'/></svg>"
    let image = try #require(try harness.render(Array(drawing.utf8), Self.box)).get()
    guard case .pixels(let bytes) = image.content else {
      Issue.record("not pixels: \(image.content)")
      return
    }
    #expect(image.width <= 80 && image.height <= 80 && image.height >= 70)
    let middle = (image.height / 2 * image.width + image.width / 2) * 4
    #expect(Array(bytes[middle..<middle + 4]) == [0, 255, 0, 255])
  }

  @Test func `vector images are drawn, their text too`() throws {
    let harness = try WorkerHarness()
    let drawing = Pictures.svg("<rect width='40' height='40' fill='#00ff00'/><text x='2' y='20'>x</text>")
    let image = try #require(try harness.render(drawing, Self.box)).get()
    guard case .pixels(let bytes) = image.content else { return }
    #expect(Array(bytes.prefix(3)) == [0, 255, 0])
  }

  @Test(
    arguments: [
      [], Array("no image".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("<svg".utf8),
      Array("P6 99999999 99999999 255\n".utf8),
    ] as [[UInt8]])
  func `what is no image is an error and the next one is shown`(bytes: [UInt8]) throws {
    let harness = try WorkerHarness()
    let failure = try #require(try harness.render(bytes, Self.box))
    #expect(throws: ImageError.self) { try failure.get() }
    let picture = Pictures.pixmap(width: 4, height: 4, red: 9, green: 9, blue: 9)
    #expect(try #require(try harness.render(picture, Self.box)).get().width == 4)
  }

  @Test func `too many pixels are refused before they are decoded`() throws {
    let harness = try WorkerHarness()
    let result = try #require(
      try harness.render(Array("P6 60000 60000 255\n".utf8) + [1, 2, 3], Self.box))
    #expect(result == .failure(.tooManyPixels))
  }

  @Test func `a vector image cannot read a file`() throws {
    let harness = try WorkerHarness()
    let drawing = Pictures.svg(
      """
      <rect width='40' height='40' fill='#0000ff'/>\
      <image width='40' height='40' xlink:href='file:///usr/share/pixmaps/debian-logo.png'/>
      """)
    let image = try #require(try harness.render(drawing, Self.box)).get()
    guard case .pixels(let bytes) = image.content else { return }
    #expect(Array(bytes.prefix(4)) == [0, 0, 255, 255])
  }

  @Test func `a worker that is not there is named`() throws {
    let harness = try WorkerHarness(path: "/nonexistent/reader-images")
    let result = try #require(try harness.render([1], Self.box))
    #expect(throws: ImageError.self) { try result.get() }
    #expect("\(result)".contains("/nonexistent/reader-images"))
  }

  @Test(arguments: ["/bin/true", "/bin/cat", "/usr/bin/yes"])
  func `a program that is no worker fails and stops nothing`(path: String) throws {
    let harness = try WorkerHarness(path: path)
    #expect(try #require(try harness.render([1, 2, 3], Self.box)) == .failure(.workerFailed))
    #expect(try #require(try harness.render([1, 2, 3], Self.box)) == .failure(.workerFailed))
  }

  @Test func `queued images are dropped without an answer when the page is turned`() throws {
    let harness = try WorkerHarness()
    var answers = 0
    let picture = Pictures.pixmap(width: 4, height: 4, red: 9, green: 9, blue: 9)
    for _ in 0..<5 { harness.worker.render(picture, Self.box) { _ in answers += 1 } }
    harness.worker.dropQueued()
    #expect(try harness.render(picture, Self.box) != nil)
    #expect(answers == 1)
  }
}
