import EventLoop
import ImageWorker
import TestSupport

/// Runs the real worker of this build on a loop of its own.
final class WorkerHarness {
  let loop: EventLoop
  let worker: ImageWorker

  /// The executables stand beside the test bundle.
  static let path: String = {
    var parts = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) {
      parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
    }
    parts.removeLast()
    return (parts + ["reader-images"]).joined(separator: "/")
  }()

  init(path: String = WorkerHarness.path) throws {
    loop = try EventLoop()
    worker = ImageWorker(loop: loop, path: path)
  }

  deinit { worker.stop() }

  /// Waits for the answer, at most half a minute.
  func render(_ image: [UInt8], _ request: ImageRequest) throws -> Result<RenderedImage, ImageError>? {
    var result: Result<RenderedImage, ImageError>?
    worker.render(image, request) { result = $0 }
    let end = loop.now + 30_000_000
    while result == nil, loop.now < end { try loop.turn(milliseconds: 1000) }
    return result
  }
}

enum Pictures {
  /// A portable pixmap of one colour.
  static func pixmap(width: Int, height: Int, red: UInt8, green: UInt8, blue: UInt8) -> [UInt8] {
    var bytes = Array("P6 \(width) \(height) 255\n".utf8)
    for _ in 0..<(width * height) { bytes += [red, green, blue] }
    return bytes
  }

  static func svg(_ content: String, width: Int = 40, height: Int = 40) -> [UInt8] {
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(width)" \
      height="\(height)">\(content)</svg>
      """.utf8)
  }
}
