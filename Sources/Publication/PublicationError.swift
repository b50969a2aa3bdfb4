/// Why a book, or a part of it, cannot be read.
///
/// Each case carries what it is about; `description` is one sentence that says what, on which object, and what to try.
public enum PublicationError: Error, Sendable, Equatable {
  /// The file cannot be opened or read: `call` failed on `path` with `errno`.
  case system(call: String, path: String, errno: Int32)
  /// The file is no ZIP archive at all.
  case notAnArchive(path: String)
  /// The archive's directory is gone and nothing could be salvaged.
  case truncated(path: String)
  /// The archive has more entries, or a larger directory, than any book needs.
  case tooManyEntries(path: String, count: Int)
  /// The archive holds no package document.
  case noPackage(path: String)
  /// The package document cannot be read as XML.
  case badPackage(name: String, reason: String)
  /// The package's spine names no document that exists.
  case noReadableContent(path: String)
  /// Text of the book is encrypted. `scheme` is for example "Adobe ADEPT" or "Readium LCP".
  case protected(path: String, scheme: String)
  /// The named entry is not in the archive.
  case missing(name: String)
  /// The entry uses a compression method other than stored and deflate.
  case unsupportedMethod(name: String, method: UInt16)
  /// The entry's data are damaged.
  case damaged(name: String, reason: String)
  /// The entry is, or would become, larger than `limit` bytes.
  case tooLarge(name: String, limit: Int)
  /// There is no such itemref; valid indices are `0..<count`.
  case noSuchItem(index: Int, count: Int)
}

extension PublicationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .system(let call, let path, let errno):
      "\(path): \(call) failed: \(errorText(errno))"
    case .notAnArchive(let path):
      "\(path): this is not an EPUB book (no ZIP archive); check that the download is complete"
    case .truncated(let path):
      "\(path): the archive is cut off and nothing in it can be read; download it again"
    case .tooManyEntries(let path, let count):
      "\(path): the archive claims \(count) entries, which no book needs; not opened"
    case .noPackage(let path):
      "\(path): no package document (.opf) in this archive; it is not an EPUB book"
    case .badPackage(let name, let reason):
      "\(name): the package document cannot be read: \(reason)"
    case .noReadableContent(let path):
      "\(path): the spine names no document that is in the archive; nothing to show"
    case .protected(let path, let scheme):
      "\(path): this book is protected by \(scheme) and cannot be shown; read it with the vendor's application"
    case .missing(let name):
      "\(name): not in the archive"
    case .unsupportedMethod(let name, let method):
      "\(name): compressed by method \(methodName(method)), which is not supported; repack the book with deflate"
    case .damaged(let name, let reason):
      "\(name): damaged: \(reason)"
    case .tooLarge(let name, let limit):
      "\(name): larger than \(limit / 1_048_576) MiB when unpacked; not shown"
    case .noSuchItem(let index, let count):
      "item \(index) is not in the spine; valid are 0 to \(count - 1)"
    }
  }

  private func methodName(_ method: UInt16) -> String {
    switch method {
    case 1: "1 (shrunk)"
    case 6: "6 (imploded)"
    case 9: "9 (deflate64)"
    case 12: "12 (bzip2)"
    case 14: "14 (LZMA)"
    case 93: "93 (Zstandard)"
    case 95: "95 (XZ)"
    case 98: "98 (PPMd)"
    default: "\(method)"
    }
  }
}
