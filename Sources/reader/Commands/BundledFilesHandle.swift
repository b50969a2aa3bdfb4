internal import Glibc

/// What is installed beside the program, or lies in the build tree that the program was built in.
enum BundledFiles {
  /// The guide: `share/pagerd/guide.epub` beside the program's `bin`, else in the folder `.build`.
  static func guide() throws(ReaderError) -> String {
    let places = places(of: "share/pagerd/guide.epub", built: "guide.epub")
    if let found = places.first(where: { access($0, R_OK) == 0 }) { return found }
    throw .usage("no book given, and the guide is not where it should be (\(places.joined(separator: ", ")))")
  }

  private static func places(of installed: String, built: String) -> [String] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { return [] }
    let program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    // Ends in bin/reader.
    var places = ["\(parts.dropLast(2).joined(separator: "/"))/\(installed)"]
    if let build = parts.lastIndex(of: ".build") {
      places.append("\(parts[...build].joined(separator: "/"))/\(built)")
    }
    return places
  }
}
