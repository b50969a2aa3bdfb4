internal import CPixbuf
internal import ImageWorker

/// A decoded image at the size in which it is shown.
struct Pixbuf: ~Copyable {
  let pixbuf: OpaquePointer

  /// What decoding may cost; above it the image is refused before anything is decoded.
  private static let pixelLimit = 100_000_000

  private struct Sizing {
    let request: ImageRequest
    var natural: (width: Int, height: Int)?
    /// A drawing, which costs as much as the size that it is drawn in, whatever it calls its own.
    var isScalable = false

    var isTooLarge: Bool { !isScalable && (natural.map { $0.width * $0.height > Pixbuf.pixelLimit } ?? false) }
  }

  /// Decodes and scales.
  ///
  /// - Throws: the status that says why not.
  init(decoding image: [UInt8], for request: ImageRequest) throws(DecodingFailure) {
    guard let loader = gdk_pixbuf_loader_new() else { throw .unreadable }
    defer { pixbuf_loader_unref(loader) }
    var sizing = Sizing(request: request)
    let load = { (context: UnsafeMutablePointer<Sizing>) in
      pixbuf_loader_on_size(loader, Pixbuf.prepare, context)
      _ = image.withUnsafeBufferPointer { gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), nil) }
      // It must be closed even when writing has failed; what had come until then may still be a picture.
      gdk_pixbuf_loader_close(loader, nil)
    }
    withUnsafeMutablePointer(to: &sizing) { _ = load($0) }
    guard sizing.natural != nil else { throw .unreadable }
    guard !sizing.isTooLarge else { throw .tooManyPixels }
    guard let decoded = gdk_pixbuf_loader_get_pixbuf(loader) else { throw .unreadable }
    let upright = gdk_pixbuf_apply_embedded_orientation(decoded)
    guard let upright else { throw .unreadable }
    let size = request.fit(width: Int(gdk_pixbuf_get_width(upright)), height: Int(gdk_pixbuf_get_height(upright)))
    // The loader has scaled already; a turned image may want another size.
    let scaled = gdk_pixbuf_scale_simple(upright, Int32(size.width), Int32(size.height), GDK_INTERP_BILINEAR)
    pixbuf_unref(upright)
    guard let scaled else { throw .unreadable }
    let withAlpha = gdk_pixbuf_add_alpha(scaled, 0, 0, 0, 0)
    pixbuf_unref(scaled)
    guard let withAlpha else { throw .unreadable }
    pixbuf = withAlpha
  }

  deinit { pixbuf_unref(pixbuf) }

  /// Lets the loader decode at the size that is wanted, or (for far too many pixels) next to nothing.
  private static let prepare:
    @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, Int32, Int32, UnsafeMutableRawPointer?) -> Void = {
      loader, width, height, context in
      guard let loader, let sizing = context?.assumingMemoryBound(to: Sizing.self) else { return }
      let natural = (width: Int(max(width, 1)), height: Int(max(height, 1)))
      sizing.pointee.natural = natural
      if let format = gdk_pixbuf_loader_get_format(loader) {
        sizing.pointee.isScalable = gdk_pixbuf_format_is_scalable(format) != 0
      }
      guard !sizing.pointee.isTooLarge else { return gdk_pixbuf_loader_set_size(loader, 0, 0) }
      let size = sizing.pointee.request.fit(width: natural.width, height: natural.height)
      gdk_pixbuf_loader_set_size(loader, Int32(size.width), Int32(size.height))
    }

  var width: Int { Int(gdk_pixbuf_get_width(pixbuf)) }
  var height: Int { Int(gdk_pixbuf_get_height(pixbuf)) }
  var rowStride: Int { Int(gdk_pixbuf_get_rowstride(pixbuf)) }

  /// Calls `body` with the rows of red, green, blue, alpha; each row is `rowStride` bytes long.
  func withBytes<Value>(_ body: (UnsafePointer<UInt8>) -> Value) throws(DecodingFailure) -> Value {
    guard let bytes = gdk_pixbuf_read_pixels(pixbuf) else { throw .unreadable }
    return body(bytes)
  }

  /// The rows without the padding between them.
  func packed() throws(DecodingFailure) -> [UInt8] {
    let (width, height, stride) = (width, height, rowStride)
    return try withBytes { bytes in
      var packed: [UInt8] = []
      packed.reserveCapacity(width * height * 4)
      for row in 0..<height {
        packed.append(contentsOf: UnsafeBufferPointer(start: bytes + row * stride, count: width * 4))
      }
      return packed
    }
  }
}

/// Why an image is not shown.
enum DecodingFailure: Error, Sendable, Equatable {
  case unreadable
  case tooManyPixels
}
