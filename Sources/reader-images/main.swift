// The process that decodes the images of books and feeds: it reads requests from its standard input (a socket of the
// reader's), answers on its standard output, and ends with it. It is of no use by hand.
internal import CLinux
internal import Glibc
internal import ImageWorker

/// Fills `buffer` from standard input; false at its end.
func read(_ buffer: inout [UInt8]) -> Bool {
  var filled = 0
  while filled < buffer.count {
    let count = buffer.withUnsafeMutableBytes { cl_read(0, $0.baseAddress?.advanced(by: filled), $0.count - filled) }
    guard count > 0 else { return false }
    filled += count
  }
  return true
}

func write(_ bytes: [UInt8]) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes { cl_write(1, $0.baseAddress?.advanced(by: written), $0.count - written) }
    guard count > 0 else { return false }
    written += count
  }
  return true
}

func serve() {
  // The reader's end is for its loop; this one waits.
  guard cl_fcntl(0, F_SETFL, 0) >= 0, Confinement.begin() else { return }
  while true {
    var header = [UInt8](repeating: 0, count: ImageRequest.headerSize)
    guard read(&header), let (request, byteCount) = ImageRequest.read(header) else { return }
    var image = [UInt8](repeating: 0, count: byteCount)
    guard read(&image) else { return }
    var answer: ImageResponse
    do throws(DecodingFailure) {
      answer = try Decoder.answer(request, image: image)
    } catch {
      switch error {
      case .unreadable: answer = ImageResponse(status: .unreadable)
      case .tooManyPixels: answer = ImageResponse(status: .tooManyPixels)
      }
    }
    guard write(answer.bytes) else { return }
  }
}

serve()
