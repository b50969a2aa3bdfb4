internal import ImageWorker

/// From an image's bytes to the answer.
enum Decoder {
  static func answer(_ request: ImageRequest, image: [UInt8]) throws(DecodingFailure) -> ImageResponse {
    let pixbuf = try Pixbuf(decoding: image, for: request)
    let (columns, rows) = request.cells(width: pixbuf.width, height: pixbuf.height)
    let payload: [UInt8]
    switch request.form {
    case .pixels:
      payload = try pixbuf.packed()
    case .sixel:
      let canvas = try Canvas(request, columns: columns, rows: rows)
      try canvas.draw(pixbuf)
      payload = try canvas.sixels()
    case .symbols:
      let canvas = try Canvas(request, columns: columns, rows: rows)
      try canvas.draw(pixbuf)
      payload = ImageResponse.payload(of: canvas.cells(columns: columns, rows: rows))
    }
    return ImageResponse(
      status: .shown, width: pixbuf.width, height: pixbuf.height, columns: columns, rows: rows, payload: payload)
  }
}
